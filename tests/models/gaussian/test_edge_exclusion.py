"""Tests of edges against regressions with and without the other variable."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fewest.models.gaussian.edge_exclusion import exclusion_p_values, learn_by_exclusion

RNG = np.random.default_rng(0)
A, B, C = RNG.normal(size=(3, 100))
ROWS = np.column_stack([A, A + B, A + B + 0.5 * C])


def residual_square(child, others):
    design = np.column_stack([np.ones(len(ROWS)), ROWS[:, others]])
    fitted = design @ np.linalg.lstsq(design, ROWS[:, child], rcond=None)[0]
    return ((ROWS[:, child] - fitted) ** 2).sum()


def test_p_values_are_likelihood_ratios_of_regressions():
    p = exclusion_p_values(ROWS)
    for i, j, other in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        ratio = len(ROWS) * np.log(residual_square(i, [other]) / residual_square(i, [other, j]))
        assert p[i, j] == pytest.approx(stats.chi2.sf(ratio, 1), rel=1e-6)


def test_only_edges_that_are_needed_are_kept():
    assert learn_by_exclusion(ROWS, 0.01).arcs == [(0, 1), (1, 2)]
