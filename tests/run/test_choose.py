"""The safe choice: not worse than all features."""

import numpy as np
import pytest
from scipy import stats

import fewest
from fewest._errors import InputError
from fewest._run.archive import Archive
from fewest._run.choose import (
    all_features_row,
    best_gap,
    choose_row,
    gap_left_out,
    p_loses,
    safe_row,
    smallest_not_worse,
)
from fewest.measures._measure import Scores
from fewest.search import Subsets

# Sizes 1 to 5: value rises quickly, then slowly; the fold spread gives a standard error of 0.01.
VALUES = np.array([0.70, 0.85, 0.893, 0.899, 0.900])


def archive(folds=True):
    made = Archive(Subsets(5))
    bits = np.tril(np.ones((5, 5), dtype=bool))
    spread = np.array([-1.0, 1.0, 0.0, 0.0]) * 0.01 * 2 / np.sqrt(2 / 3)
    made.add(bits, Scores(VALUES, VALUES[:, None] + spread if folds else None), 0)
    return made


@pytest.mark.parametrize(
    ("choose", "row"),
    [
        ("best", 4),
        ("one-se", 2),
        ("half-se", 3),
        (0.0, 4),
        (0.06, 1),
        (0.005, 3),
        (2, 1),
        ("knee", 1),
    ],
)
def test_each_rule_picks_its_row(choose, row):
    made = archive()
    assert choose_row(made, made.up_to(None), choose) == row


def test_one_se_needs_folds():
    made = archive(folds=False)
    with pytest.raises(InputError, match='`choose="one-se"` needs a measure with folds'):
        choose_row(made, made.up_to(None), "one-se")


def test_a_size_that_was_never_scored_is_a_sentence():
    made = archive()
    with pytest.raises(InputError, match="asks for 0 features, but no subset of that size"):
        choose_row(made, made.up_to(None), 0)


@pytest.mark.parametrize("junk", ["worst", None, True, -1, 1.5, float("nan")])
def test_junk_is_a_sentence(junk):
    made = archive()
    with pytest.raises(InputError, match="`choose`"):
        choose_row(made, made.up_to(None), junk)


RNG = np.random.default_rng(0)
ALL = 0.8 + 0.02 * RNG.normal(size=10)


def archive_safe(gaps, space=None):
    """One subset of each size 1, 2, ... with these mean gaps to all features, which come last."""
    space = space or Subsets(len(gaps) + 1)
    made = Archive(space)
    noise = 0.004 * RNG.normal(size=(len(gaps), 10))
    noise -= noise.mean(axis=1, keepdims=True)
    folds = np.vstack([ALL + np.array(gaps)[:, None] + noise, ALL])
    made.add(
        np.tril(np.ones((len(gaps) + 1,) * 2, dtype=bool)), Scores(folds.mean(axis=1), folds), 0
    )
    return made


@pytest.mark.parametrize(
    ("gaps", "row"),
    [
        ([-0.05, 0.0, 0.01], 1),  # the smallest that loses nothing
        ([-0.05, -0.04, -0.03], 3),  # nothing is as good: all features
        ([0.02, 0.03, 0.03], 0),
        ([-0.05, -0.05, 0.02], 2),
    ],
)
def test_the_smallest_that_is_not_worse_or_all_features(gaps, row):
    made = archive_safe(gaps)
    assert safe_row(made, made.up_to(None)) == row


def test_luck_on_single_folds_is_seen_through():
    # Each subset is far better on one fold and a little worse on all others.
    made = Archive(Subsets(11))
    bits = np.eye(11, dtype=bool)
    bits[-1] = True
    gaps = np.full((10, 10), -0.02) + 0.25 * np.eye(10)
    folds = np.vstack([ALL + gaps, ALL])
    made.add(bits, Scores(folds.mean(axis=1), folds), 0)
    assert made.scores.value[0] > ALL.mean()
    assert gap_left_out(best_gap, gaps, np.ones(10), 0.01) == pytest.approx(-0.02)
    assert safe_row(made, made.up_to(None)) == 10


def test_the_p_value_is_that_of_a_corrected_paired_t_test():
    gaps = RNG.normal(size=(3, 10))
    t = (gaps.mean(axis=1) + 0.1) / np.sqrt(gaps.var(axis=1, ddof=1) * (1 / 10 + 1 / 9))
    assert np.allclose(p_loses(gaps, 0.1), [stats.t(9).sf(x) for x in t])


def test_no_subset_passes():
    assert smallest_not_worse(np.full((2, 10), -0.1), np.ones(2), 0.01) is None


def test_where_all_features_are_not_allowed_the_best_is_taken():
    made = archive_safe([-0.05, -0.04, -0.03], Subsets(4, max_features=3))
    assert all_features_row(made) == 3
    assert safe_row(made, made.up_to(None)) == 2


def test_the_selector_scores_all_features_for_it():
    X = RNG.normal(size=(60, 6))
    y = (X.sum(axis=1) > 0).astype(int)
    selector = fewest.SubsetSelector("gaussian-nb", search="sfs", choose="safe", random_state=0)
    assert selector.fit(X, y).support_.any()
    kept = [e for e in selector.result_.archive if e["size"] == 6]
    assert len(kept) == 1


def test_it_needs_folds():
    X = RNG.normal(size=(40, 4))
    selector = fewest.SubsetSelector("cfs", search="sfs", choose="safe", random_state=0)
    with pytest.raises(InputError, match=r'`choose="safe"` needs a measure with at least 3 folds'):
        selector.fit(X, np.arange(40) % 2)


def test_weights_are_refused():
    X = RNG.normal(size=(40, 4))
    weighter = fewest.FeatureWeighter(search="random", choose="safe", random_state=0)
    with pytest.raises(InputError, match="compares subsets with all features"):
        weighter.fit(X, np.arange(40) % 2)
