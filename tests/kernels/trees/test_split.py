"""Gain, ratio, chi-squared and expected errors against published values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from fewest._kernels.trees import split as tree_split
from fewest._kernels.trees.split import added_errors
from tests.kernels.opened import opened


def test_expected_errors():
    # Quinlan (1993, p. 42): U25%(0, 6) = 0.206, U25%(0, 9) = 0.143, U25%(0, 1) = 0.750, and
    # U25%(1, 16) = 0.157 by the binomial; its normal approximation is a little higher.
    z = 0.6744897501960817
    for n, errors, limit in ((6, 0, 0.206), (9, 0, 0.143), (1, 0, 0.750)):
        assert added_errors(float(n), float(errors), 0.25, z) == pytest.approx(n * limit, abs=5e-3)
    assert (1 + added_errors(16.0, 1.0, 0.25, z)) / 16 == pytest.approx(0.157, abs=0.01)


def judged(rows, unknown=0.0, minimum=1.0, critical=()):
    counts = np.zeros((len(rows) + 2, max(len(rows), len(rows[0]))))
    counts[: len(rows), : len(rows[0])] = rows
    judge = opened(tree_split.judge_weights)
    size = (len(rows), len(rows[0]))
    return judge(counts, *size, unknown, minimum, 0.0, np.array(critical, dtype=float))


def test_the_outlook_of_quinlan():
    # Quinlan (1993, section 2.2): play and do not play by outlook; with one value unknown.
    assert judged([[2, 3], [4, 0], [3, 2]]) == pytest.approx((0.247, 0.156), abs=1e-3)
    assert judged([[2, 3], [3, 0], [3, 2]], 1.0) == pytest.approx((0.199, 0.110), abs=1e-3)


def test_splits_that_are_not_allowed():
    assert judged([[3, 0], [0, 3]], minimum=3.0)[0] == pytest.approx(1.0)
    assert judged([[3, 0], [0, 2]], minimum=3.0)[0] == -1
    assert judged([[2, 2], [3, 3]])[0] == -1


@pytest.mark.parametrize("seed", range(3))
def test_the_test_of_significance_is_pearsons(seed):
    rows = np.random.default_rng(seed).integers(1, 9, (3, 2)).astype(float)
    statistic = chi2_contingency(rows, correction=False).statistic
    # Three branches of two classes have two degrees of freedom.
    assert judged(rows, critical=[0, 0, statistic - 1e-9])[0] > 0
    assert judged(rows, critical=[0, 0, statistic + 1e-9])[0] == -1
