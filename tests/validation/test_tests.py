import numpy as np
import pytest
from scipy import stats

from fewest.validation.stability import jaccard, kuncheva, nogueira
from fewest.validation.tests import f_test_5x2cv, paired_t_test, wilcoxon


def test_the_f_test_worked_out_by_hand():
    # Differences (0.1, 0.2), then four times (0.1, 0.1): squares 0.05 + 8 * 0.01 = 0.13; the
    # only variance is 2 * 0.05² = 0.005, so f = 0.13 / 0.01 = 13.
    a = np.array([0.9, 1.0, *[0.9] * 8])
    b = np.array([0.8, 0.8, *[0.8] * 8])
    assert f_test_5x2cv(a, b) == pytest.approx(stats.f.sf(13, 10, 5))


def test_equal_scores_differ_by_nothing_and_constant_ones_for_sure():
    same = np.full(10, 0.5)
    assert f_test_5x2cv(same, same) == paired_t_test(same, same) == wilcoxon(same, same) == 1
    assert f_test_5x2cv(same, same + 0.125) == paired_t_test(same, same + 0.125) == 0


def test_the_paired_t_test_is_scipys():
    rng = np.random.default_rng(1)
    a, b = rng.random(10), rng.random(10)
    assert paired_t_test(a, b) == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert paired_t_test(a, b, test_share=1.0) > paired_t_test(a, b)


def test_stability_of_the_same_subset_is_one():
    z = np.tile([True, False, True, False, False], (4, 1))
    assert nogueira(z) == kuncheva(z) == jaccard(z) == 1


def test_stability_worked_out_by_hand():
    z = np.array([[1, 1, 0, 0], [1, 0, 1, 0]], dtype=bool)
    # Kuncheva: r = 1, k = 2, d = 4: (1 - 1) / (2 - 1) = 0. Jaccard: 1 / 3.
    assert kuncheva(z) == 0
    assert jaccard(z) == pytest.approx(1 / 3)
    # Nogueira: two of four features vary with variance 1/2, share 1/2: 1 - (1/4) / (1/4) = 0.
    assert nogueira(z) == pytest.approx(0)


def test_random_subsets_have_stability_near_zero():
    z = np.random.default_rng(0).random((300, 200)) < 0.2
    assert abs(nogueira(z)) < 0.01
    assert abs(kuncheva(z[:60])) < 0.02


def test_one_subset_has_no_stability():
    with pytest.raises(ValueError, match="at least two subsets"):
        nogueira(np.ones((1, 3), dtype=bool))
