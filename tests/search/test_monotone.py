"""The seam between monotone measures and the searches over them."""

import numpy as np
import pytest

from fewest._errors import InputError, MismatchError
from fewest.measures._measure import Scorer, Scores
from fewest.search._better import Better
from fewest.search._monotone import Bounds, monotone_of, unit_costs
from fewest.search._search import Search
from fewest.search._spaces.space import Space


class Units(Space):
    """Four features: the first must be in, the second and third come together."""

    kind = "subsets"
    brings = np.array([[0, 1, 1, 0], [0, 0, 0, 1]], dtype=bool)
    cardinalities = np.array([2, 2])

    def sample(self, n, rng, p=0.5):
        return rng.random((n, 2)) < p

    def repair(self, candidates, rng):
        return candidates

    def feasible(self, candidates):
        return np.ones(len(candidates), dtype=bool)

    def expand(self, candidates):
        out = candidates.astype(int) @ self.brings > 0
        out[:, 0] = True
        return out

    def cost(self, candidates):
        return self.expand(candidates).sum(axis=1).astype(float)


class Fixed(Scorer):
    threshold = 0.0
    masks = np.array([[1, 1, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0]], dtype=bool)

    def score(self, candidates):
        hit = (candidates[:, None, :] & self.masks[None]).any(axis=2)
        return Scores(hit.all(axis=1) - 1.0)

    def cuts(self, candidate, limit=1):
        open_ = self.masks[~(self.masks & candidate).any(axis=1)]
        return open_ if limit == 0 else open_[:limit]


class Nothing(Search):
    name = "nothing"
    needs_monotone = True

    def propose_monotone(self, space, better, rng, monotone):
        monotone.bounds.raise_lower(3)
        yield np.zeros((0, space.n_units), dtype=bool)


def test_masks_come_back_over_units_and_those_already_hit_are_dropped():
    cuts = monotone_of(Fixed(), Units()).cuts(np.zeros(2, dtype=bool), 0)
    assert cuts.tolist() == [[True, True], [True, False]]


def test_costs_of_units_do_not_count_what_is_always_in():
    assert unit_costs(Units()).tolist() == [2.0, 1.0]


def test_a_mask_without_a_free_unit_is_told():
    scorer = Fixed()
    scorer.masks = np.array([[0, 0, 0, 1]], dtype=bool)
    space = Units()
    space.brings = Units.brings.copy()
    space.brings[1] = False
    with pytest.raises(InputError, match="No subset under these constraints reaches"):
        monotone_of(scorer, space).cuts(np.zeros(2, dtype=bool), 0)


def test_start_hands_the_monotone_part_and_the_bounds():
    bounds = Bounds()
    space = Units()
    proposals = Nothing().start(space, Better(space), np.random.default_rng(0), Fixed(), bounds)
    everything = next(proposals)
    assert everything.tolist() == [[True, True]]
    assert proposals.send(Fixed().score(space.expand(everything))).shape == (0, 2)
    assert bounds.lower == 3
    assert bounds.answer.tolist() == [True, True]


def test_a_threshold_that_the_full_set_fails_is_refused_at_once():
    scorer, space = Fixed(), Units()
    scorer.threshold = 0.5
    proposals = Nothing().start(space, Better(space), np.random.default_rng(0), scorer)
    with pytest.raises(InputError, match="No subset under these constraints reaches"):
        proposals.send(scorer.score(space.expand(next(proposals))))


def test_start_refuses_a_measure_without_threshold():
    scorer = Fixed()
    scorer.threshold = None
    with pytest.raises(MismatchError, match="`nothing` needs a monotone measure"):
        Nothing().start(Units(), Better(Units()), np.random.default_rng(0), scorer)


def test_bounds_keep_the_cheapest_answer():
    bounds = Bounds()
    assert bounds.offer(np.array([True, True]), 3.0)
    assert not bounds.offer(np.array([True, False]), 3.0)
    assert bounds.offer(np.array([False, True]), 1.0)
    bounds.raise_lower(1.0)
    assert bounds.gap == 0
    assert bounds.answer.tolist() == [False, True]
