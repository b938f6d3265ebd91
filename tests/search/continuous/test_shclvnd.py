"""SHCLVND: one step by hand, and the sphere."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.models.gaussian.normal import IndependentNormals
from fewest.search import SHCLVND
from tests.search.continuous.functions import best_of, sphere


def test_the_sphere():
    # It is worth -600,000 on average.
    assert best_of("shclvnd", sphere, batches=150) > -1


def test_a_step_moves_to_the_centre_of_the_best_and_narrows():
    state = IndependentNormals(np.array([0.5]), np.array([0.2]))
    search = SHCLVND(alpha=0.5, beta=0.9, best=2)
    moved = search.move(state, np.array([[0.8], [0.6], [0.0]]))
    assert moved.mean == pytest.approx([0.6])
    assert moved.deviation == pytest.approx([0.18])
    assert search.width(moved) == pytest.approx(0.18)
