"""Cuts: every subset within the threshold hits each of them."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data._as_table import as_table
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.testing import parity_table
from tests.measures.consistency.cases import random_table


def every_subset(d):
    return (np.arange(2**d)[:, None] >> np.arange(d) & 1).astype(bool)


@pytest.mark.filterwarnings("ignore:.*contradict others")
@pytest.mark.parametrize("threshold", [None, 0.25, 0.35])
@pytest.mark.parametrize("limit", [0, 1, 7])
@pytest.mark.parametrize("seed", range(4))
def test_cuts_are_hit_by_every_subset_within_the_threshold(seed, limit, threshold):
    X, y = random_table(seed, n=40, values=2, classes=2 + seed % 2, d=7)
    scorer = Inconsistency(threshold=threshold).bind(as_table(X, y))
    subsets = every_subset(7)
    reaches = scorer.score(subsets).value >= scorer.threshold - 1e-12
    for candidate in subsets[~reaches][::9]:
        cuts = scorer.cuts(candidate, limit)
        assert len(cuts) >= 1
        assert limit == 0 or len(cuts) <= limit
        assert not (cuts & candidate).any()
        assert (subsets[reaches][:, None, :] & cuts[None]).any(axis=2).all()


def test_ties_between_three_classes_still_give_cuts():
    # Majorities {0, 1}, {1, 2} and {0, 2}: each pair agrees, the three together do not.
    X = np.array([["a"], ["a"], ["b"], ["b"], ["c"], ["c"]])
    with pytest.warns(UserWarning, match="contradict"):
        scorer = Inconsistency().bind(as_table(X, [0, 1, 1, 2, 0, 2]))
    assert scorer.cuts(np.array([False]), 0).tolist() == [[True]]


def test_all_cuts_are_enough_for_a_consistent_table():
    table = parity_table()
    scorer = Inconsistency().bind(table)
    cuts = scorer.cuts(np.zeros(table.n_features, dtype=bool), 0)
    subsets = every_subset(table.n_features)
    hits = (subsets[:, None, :] & cuts[None]).any(axis=2).all(axis=1)
    np.testing.assert_array_equal(hits, scorer.score(subsets).value == 0)
