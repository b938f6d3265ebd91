"""What a candidate costs."""

import time

from fewest.fitting.timing import TIMED, seconds_per_candidate
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
