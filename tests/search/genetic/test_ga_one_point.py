"""The genetic algorithm with one-point crossover."""

from __future__ import annotations

import numpy as np

from fewest.measures._measure import Scorer, Scores
from fewest.search._genetic import GAOnePoint
from fewest.search._spaces.subsets import Subsets
from fewest.testing import drive


class Traps(Scorer):
    """Four features together give 5; of fewer, the fewer the better (Deb and Goldberg, 1993)."""

    def __init__(self, places):
        self.places = places

    def score(self, candidates):
        inside = candidates[:, self.places].sum(axis=2)
        return Scores(np.where(inside == 4, 5.0, 3.0 - inside).sum(axis=1))


def test_one_point_crossover_suffers_where_features_that_belong_together_are_scattered():
    def generations(places, seed):
        search = GAOnePoint(population=400)
        done = drive(search, Subsets(24), Traps(places), seed, max_batches=60)
        return next((i for i, v in enumerate(done.values) if v.max() == 30), 60)

    together = np.arange(24).reshape(6, 4)
    scattered = np.arange(24).reshape(4, 6).T
    for seed in range(3):
        assert generations(together, seed) < 0.7 * generations(scattered, seed)
