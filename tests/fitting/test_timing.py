"""What a candidate costs."""

import time

from fewest.fitting.timing import MORE, TIMED, seconds_per_candidate
from fewest.measures.base import Scores
from fewest.search import Subsets


class Counting:
    """A scorer that takes a known time, by a clock of its own."""

    def __init__(self, monkeypatch, taken):
        self.now, self.taken, self.sizes = 0.0, iter(taken), []
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)

    def score(self, candidates):
        self.now += next(self.taken)
        self.sizes.append(len(candidates))
        return Scores(candidates.sum(axis=1) * 1.0)


def test_the_first_batch_does_not_count_and_the_faster_of_the_others_does(monkeypatch):
    scorer = Counting(monkeypatch, [100.0, 4.0, 2.0])
    assert seconds_per_candidate(scorer, Subsets(5)) == 2.0 / TIMED
    assert scorer.sizes == [TIMED] * 3


def test_a_short_batch_is_followed_by_a_large_one(monkeypatch):
    scorer = Counting(monkeypatch, [1.0, 0.125, 0.25])
    assert seconds_per_candidate(scorer, Subsets(5)) == 0.25 / MORE
    assert scorer.sizes == [TIMED, TIMED, MORE]


def test_subsets_of_wide_tables_are_as_small_as_those_that_a_search_begins_with(monkeypatch):
    seen = []

    class Sizes(Counting):
        def score(self, candidates):
            seen.append(int(candidates.sum(axis=1).max()))
            return super().score(candidates)

    seconds_per_candidate(Sizes(monkeypatch, [1.0] * 3), Subsets(10_000))
    assert max(seen) < 400
