"""The smallest loop that runs a search."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.search._spaces.subsets import Subsets
from fewest.testing import TableMeasure, drive, toy_table
from tests.testing.searches import Everything, Plain


def test_drive_counts_different_candidates_and_stops():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=3))
    done = drive(Plain(), Subsets(3), scorer, 0, max_batches=5)
    assert len(done.batches) == 5
    assert not done.ended
    assert done.verdict is None
    assert done.evaluations == 8
    assert len(done.candidates) == 100
    assert done.best_value == 3.0
    assert done.answer.all()


def test_a_search_that_ends_has_a_verdict():
    values = {(0,): 1.0, (0, 1): 1.0, (2,): 0.5}
    scorer = TableMeasure(values, default=0.0).bind(toy_table(n_features=3))
    done = drive(Everything(), Subsets(3), scorer)
    assert done.ended
    assert done.verdict.optimal
    assert len(done.batches) == 1
    # Of two equally good subsets the smaller one is the answer.
    assert done.answer.tolist() == [True, False, False]


def test_parameters_are_checked_and_an_answer_must_be_feasible():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=3))
    with pytest.raises(InputError, match="`size` of Plain must be"):
        drive(Plain(size=0), Subsets(3), scorer)
    none = drive(Plain(), Subsets(3), scorer, max_batches=0)
    with pytest.raises(AssertionError, match="no feasible candidate"):
        none.best_value  # noqa: B018
