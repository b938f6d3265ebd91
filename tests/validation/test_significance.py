"""Tests and intervals on overlapping splits, against scipy and values worked out by hand."""

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import RepeatedStratifiedKFold

from fewest._validation.significance import (
    Overlap,
    corrected_t_test,
    difference,
    difference_test,
    f_test_5x2cv,
    interval,
    is_steady,
    standard_error,
    worth_of_guessing,
)

INDEPENDENT = Overlap(0.0)


def test_the_f_test_worked_out_by_hand():
    # Differences (0.1, 0.2), then four times (0.1, 0.1): squares 0.05 + 8 * 0.01 = 0.13; the
    # only variance is 2 * 0.05² = 0.005, so f = 0.13 / 0.01 = 13.
    a = np.array([0.9, 1.0, *[0.9] * 8])
    b = np.array([0.8, 0.8, *[0.8] * 8])
    assert f_test_5x2cv(a, b) == pytest.approx(stats.f.sf(13, 10, 5))


def test_equal_scores_differ_by_nothing_and_constant_ones_for_sure():
    same = np.full(10, 0.5)
    assert f_test_5x2cv(same, same) == corrected_t_test(same, same, INDEPENDENT) == 1
    assert (
        f_test_5x2cv(same, same + 0.125) == corrected_t_test(same, same + 0.125, INDEPENDENT) == 0
    )


def test_without_overlap_the_t_test_is_scipys():
    rng = np.random.default_rng(1)
    a, b = rng.random(10), rng.random(10)
    found = corrected_t_test(a, b, INDEPENDENT)
    assert found == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert corrected_t_test(a, b, Overlap(1.0)) > found


def test_four_repetitions_of_five_folds_worked_out_by_hand():
    # Twenty differences 0.03 ± 0.021: variance 0.021² * 20 / 19. The test rows are a quarter of
    # the training rows, so t² = 0.03² / (0.021² * 20/19 * (1/20 + 1/4)) = (10/7)² * 19/6 = 6.463;
    # the table of t with 19 degrees of freedom gives p = 0.0198. Counting 20 folds as a 20-fold
    # cross-validation (share 1/19) would give t² = (10/7)² * 19/20 / (1/20 + 1/19), p = 0.0003.
    gaps = 0.03 + 0.021 * np.tile([1.0, -1.0], 10)
    splits = RepeatedStratifiedKFold(n_splits=5, n_repeats=4).split(
        np.zeros(100), np.arange(100) % 2
    )
    overlap = Overlap.of(list(splits))
    p = corrected_t_test(gaps, np.zeros(20), overlap)
    assert p == pytest.approx(0.0199, abs=1e-4)
    assert p == pytest.approx(2 * stats.t.sf(10 / 7 * np.sqrt(19 / 6), 19))
    low, high = interval(gaps, overlap)
    assert high - low == pytest.approx(2 * 2.093024 * 0.021 * np.sqrt(20 / 19 * 0.3), rel=1e-6)


def test_one_error_stands_behind_test_and_interval():
    gaps, overlap = np.array([0.02, 0.05, 0.01, 0.04]), Overlap(0.5)
    t = gaps.mean() / standard_error(gaps, overlap)
    assert corrected_t_test(gaps, np.zeros(4), overlap) == pytest.approx(2 * stats.t.sf(t, 3))
    low, _ = interval(gaps, overlap)
    assert low == pytest.approx(gaps.mean() - stats.t.ppf(0.975, 3) * gaps.mean() / t)


@pytest.mark.parametrize(("scheme", "share"), [("5x2cv", 1.0), ("1x10cv", 1 / 9)])
def test_interval_by_hand(scheme, share):
    scores = [0.8, 0.9] * 5
    half = stats.t.ppf(0.975, 9) * np.sqrt((1 / 10 + share) * np.var(scores, ddof=1))
    found = interval(scores, Overlap.named(scheme, 10))
    assert found == pytest.approx((0.85 - half, 0.85 + half))


def test_the_test_fits_the_splits():
    a, b = np.random.default_rng(0).random((2, 10))
    assert difference_test(a, b, Overlap(1.0, True)) == (f_test_5x2cv(a, b), "5×2cv F test")
    corrected = corrected_t_test(a, b, Overlap(1.0))
    assert difference_test(a, b, Overlap(1.0)) == (corrected, "corrected paired t test")


@pytest.mark.parametrize(
    ("mean", "verdict"),
    [(0.03, "better"), (-0.03, "worse"), (0.005, "not worse"), (-0.006, "undecided")],
)
def test_verdicts(mean, verdict):
    gaps = mean + 0.01 * np.tile([1.0, -1.0], 5)
    found = difference(0.8 + gaps, np.full(10, 0.8), Overlap(1 / 9))
    assert found.verdict == verdict
    assert found.low < found.mean < found.high


def test_within_the_margin_is_equivalent_even_if_significant():
    # Error 0.00145 as below with a tenth of the spread: 0.002 ± 0.0033 is within ± 0.01.
    gaps = 0.002 + 0.001 * np.tile([1.0, -1.0], 5)
    found = difference(gaps, np.zeros(10), Overlap(1 / 9))
    assert found.p_value < 0.05
    assert found.verdict == "equivalent"


def test_how_many_more_rows_would_decide():
    # The interval -0.006 ± 0.011 must shrink to ± 0.006: (11 / 6)² = 3.36 times the rows.
    gaps = -0.006 + 0.01 * np.tile([1.0, -1.0], 5)
    found = difference(gaps, np.zeros(10), Overlap(1 / 9), rows=200)
    half = (found.high - found.low) / 2
    exact = 200 * ((half / 0.006) ** 2 - 1)
    assert exact <= found.more_rows <= exact + 10
    assert found.more_rows % 10 == 0
    assert difference(gaps, np.zeros(10), Overlap(1 / 9)).more_rows is None
    assert difference(gaps + 0.05, np.zeros(10), Overlap(1 / 9), rows=200).more_rows is None
    # A thousand times the rows are no advice.
    wide = difference(gaps * 30 + 0.18 - 0.0095, np.zeros(10), Overlap(1 / 9), rows=200)
    assert wide.verdict == "undecided"
    assert wide.more_rows is None


def test_a_verdict_is_steady_if_no_repetition_decides_it():
    sure = 0.03 + 0.01 * np.tile([1.0, -1.0], 15)
    assert is_steady(sure, np.zeros(30), Overlap(1 / 9), 0.01, 10)
    one = np.r_[np.full(20, 0.0), np.full(10, 0.09)] + 0.01 * np.tile([1.0, -1.0], 15)
    assert not is_steady(one, np.zeros(30), Overlap(1 / 9), 0.01, 10)


def test_not_worse_worked_out_by_hand():
    # Mean 0.002, variance 0.01² * 10/9, factor 1/10 + 1/9: t = 0.012 / 0.00484 = 2.478.
    gaps = 0.002 + 0.01 * np.tile([1.0, -1.0], 5)
    found = difference(gaps, np.zeros(10), Overlap(1 / 9), margin=0.01)
    error = np.sqrt(1e-4 * 10 / 9 * 19 / 90)
    assert found.p_not_worse == pytest.approx(stats.t.sf(0.012 / error, 9))


def test_a_large_loss_that_is_not_significant_is_never_called_as_good():
    # 59.3 % against 80.3 % with p above 0.05: the data allow nothing but "undecided".
    gaps = -0.21 + 0.29 * np.tile([1.0, -1.0], 5)
    found = difference(0.803 + gaps, np.full(10, 0.803), Overlap(1 / 9))
    assert found.p_value > 0.05
    assert found.verdict == "undecided"


def test_the_interval_of_five_times_two_folds_is_what_the_f_test_allows():
    gaps = 0.02 + np.array([0.01, -0.01, 0.012, -0.007, 0.0, 0.004, -0.01, 0.009, 0.003, -0.02])
    halves = Overlap(1.0, halves=True)
    found = difference(gaps, np.zeros(10), halves, margin=0.01)
    for edge in (found.low, found.high):
        assert f_test_5x2cv(gaps, np.full(10, edge)) == pytest.approx(0.05)
    assert (found.verdict == "better") == (found.p_value < 0.05) == (found.low > 0)
    assert found.p_not_worse == f_test_5x2cv(gaps, np.full(10, -0.01))


def test_repetitions_that_disagree_have_no_direction():
    # Halves of a repetition agree, repetitions do not: the F test excludes every difference.
    gaps = np.repeat([0.05, -0.04, 0.06, -0.05, 0.01], 2) + np.tile([0.001, -0.001], 5)
    found = difference(gaps, np.zeros(10), Overlap(1.0, halves=True))
    assert found.p_value < 0.05
    assert found.low < 0 < found.high
    assert found.verdict == "undecided"


def test_equal_scores_are_equal():
    same = np.array([0.5, 0.6, 0.7])
    assert difference(same, same, Overlap(0.5)).verdict == "equal"


def test_the_worth_of_guessing_is_not_flattered_by_the_choice_of_the_class():
    rng = np.random.default_rng(0)
    tables = [(rng.random(100) < 0.5).astype(np.intp) for _ in range(400)]
    shares = [np.bincount(classes).max() / 100 for classes in tables]
    # Whatever class is guessed, half of the new rows are of it.
    assert np.mean(shares) > 0.535
    assert np.mean([worth_of_guessing(c) for c in tables]) == pytest.approx(0.515, abs=0.006)
    assert worth_of_guessing(np.arange(100) % 2) == 0.5


def test_the_worth_of_guessing_a_class_that_is_clearly_the_largest_is_its_share():
    classes = np.repeat([0, 1, 2], [30, 300, 70])
    assert worth_of_guessing(classes) == pytest.approx(0.75, abs=0.002)


def test_rows_of_a_group_count_once_for_the_worth_of_guessing():
    # Ten groups of ten equal rows know less than a hundred rows.
    classes, groups = np.repeat([0, 1, 0, 1, 0, 1, 0, 1, 0, 0], 10), np.repeat(np.arange(10), 10)
    assert worth_of_guessing(classes, groups) < worth_of_guessing(classes) - 0.03
