"""cGA: duels move a vector."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._models.discrete import Marginals
from fewest.search import Better, Subsets, search_class
from fewest.testing import TableMeasure, drive, toy_table
from tests.search.distribution.cases import target_at


def test_cga_shifts_by_one_over_k():
    """One duel, (1, 1, 0) beats (0, 1, 1): the first unit up, the third down."""
    space = Subsets(3)
    search = search_class("cga")(population=2, size=10)
    rows = np.array([[1, 1, 0], [0, 1, 1]], dtype=np.uint8)
    start = Marginals.uniform(space.cardinalities, above=0.5)
    after = search._after_duels(start, rows, np.array([0, 1]))
    assert after.probabilities[:, 1] == pytest.approx([0.6, 0.5, 0.4])


def test_cga_ends_when_its_vector_has_converged():
    scorer = TableMeasure(target_at(np.ones(6))).bind(toy_table(n_features=6))
    search = search_class("cga")(population=20, size=10)
    done = drive(search, Subsets(6), scorer, 0, max_batches=500)
    assert done.ended
    assert done.verdict.reason == "every probability is 0 or 1"


def test_by_default_two_candidates_compete():
    space = Subsets(5)
    steps = search_class("cga")().propose(space, Better(space), np.random.default_rng(0))
    assert next(steps).shape == (2, 5)
