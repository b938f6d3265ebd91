"""PBIL_c: one step by hand, and the sphere."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.models.gaussian.normal import IndependentNormals
from fewest.search import PBILc
from tests.search.continuous.functions import best_of, sphere


def test_the_sphere():
    # It is worth -600,000 on average.
    assert best_of("pbil-c", sphere, batches=100) > -50


def test_a_step_moves_to_the_two_best_and_away_from_the_worst():
    state = IndependentNormals(np.array([0.5]), np.array([0.2]))
    moved = PBILc(alpha=0.5, best=2).move(state, np.array([[0.8], [0.6], [0.9], [0.2]]))
    assert moved.mean == pytest.approx([0.5 * 0.5 + 0.5 * (0.8 + 0.6 - 0.2)])
    assert moved.deviation == pytest.approx([0.5 * 0.2 + 0.5 * 0.1])
