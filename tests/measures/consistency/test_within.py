"""Whether a few features can be within the threshold, by looking at all such sets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from fewest.data._table import Table
from fewest.measures._consistency.inconsistency import Inconsistency, first_consistent
from fewest.measures._consistency.patterns import patterns_of


def table(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 2, (40, 7)).astype(float)
    target = (values[:, 1] + values[:, 4] * values[:, 5]).astype(int) % 2
    return Table(tuple("abcdefg"), values, ((0, 1),) * 7, target, np.array([0, 1]))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("most", "allowed"), [(1, 0), (2, 0), (3, 0), (2, 4), (1, 9)])
@pytest.mark.parametrize("seed", range(3))
def test_an_answer_is_found_exactly_where_there_is_one(seed, most, allowed, threads):
    patterns = patterns_of(table(seed))
    scorer = Inconsistency().bind(table(seed))
    base, free = np.zeros(7, dtype=bool), np.ones(7, dtype=bool)
    base[1], free[1] = True, False
    found = first_consistent(
        patterns, allowed, base, free, most, threads, np.zeros(1, dtype=np.int64)
    )
    subsets = []
    for chosen in combinations(np.flatnonzero(free), most):
        subsets.append(base.copy())
        subsets[-1][list(chosen)] = True
    counts = scorer.score(np.array(subsets)).goals["inconsistencies"]
    if (counts <= allowed).any():
        assert scorer.score(found[None]).goals["inconsistencies"][0] <= allowed
        assert found[1]
        assert found.sum() == most + 1
    else:
        assert found is None


def test_the_answer_does_not_depend_on_the_threads():
    patterns = patterns_of(table(0))
    free, stop = np.ones(7, dtype=bool), np.zeros(1, dtype=np.int64)
    answers = [first_consistent(patterns, 3, ~free, free, 3, n, stop).tolist() for n in (1, 2, 4)]
    assert answers[0] == answers[1] == answers[2]


def test_a_stop_gives_none():
    free = np.ones(7, dtype=bool)
    stop = np.ones(1, dtype=np.int64)
    assert first_consistent(patterns_of(table(0)), 40, ~free, free, 2, 2, stop) is None
