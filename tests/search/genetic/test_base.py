"""Genetic searches, CHC and annealing: their operators, and what they find."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fewest.measures.base import Scorer, Scores
from fewest.search.genetic.chc import CHC
from fewest.search.genetic.ga_one_point import GAOnePoint
from fewest.search.genetic.ga_simple import GASimple
from fewest.search.genetic.ga_uniform import GAUniform
from fewest.search.genetic.variation import change, half_uniform, mutate, one_point, uniform
from fewest.search.sequential.annealing import Annealing
from fewest.search.spaces.levels import Levels
from fewest.search.spaces.subsets import Subsets
from fewest.testing import TableMeasure, drive, toy_table

RNG = np.random.default_rng


def _pairs(n=200, d=9, r=2, seed=0):
    rng = RNG(seed)
    return rng.integers(r, size=(n, d)), rng.integers(r, size=(n, d))


@pytest.mark.parametrize("cross", [one_point, uniform, half_uniform])
@pytest.mark.parametrize("r", [2, 3])
def test_children_of_a_pair_hold_together_what_their_parents_held(cross, r):
    mothers, fathers = _pairs(r=r)
    one, other = cross(mothers, fathers, RNG(1))
    np.testing.assert_array_equal(one + other, mothers + fathers)
    assert ((one == mothers) | (one == fathers)).all()


def test_one_point_crossover_cuts_once_and_everywhere():
    zeros, ones = np.zeros((300, 6), dtype=bool), np.ones((300, 6), dtype=bool)
    one, _ = one_point(zeros, ones, RNG(0))
    assert (np.abs(np.diff(one.astype(int), axis=1)).sum(axis=1) == 1).all()
    assert set(one.sum(axis=1)) == {1, 2, 3, 4, 5}


def test_half_uniform_crossover_exchanges_half_of_what_differs():
    mothers, fathers = _pairs()
    one, _ = half_uniform(mothers, fathers, RNG(1))
    differ = (mothers != fathers).sum(axis=1)
    np.testing.assert_array_equal((one != mothers).sum(axis=1), differ // 2)


@pytest.mark.parametrize("cross", [one_point, uniform, half_uniform])
@pytest.mark.parametrize("d", [0, 1])
def test_crossover_of_almost_nothing(cross, d):
    one, other = cross(np.zeros((3, d), bool), np.ones((3, d), bool), RNG(0))
    assert one.shape == other.shape == (3, d)


def test_mutation_changes_the_share_asked_for_to_other_values():
    cardinalities = np.array([2, 3, 4, 1])
    start = np.zeros((20_000, 4), dtype=np.uint8)
    after = mutate(start, 0.3, cardinalities, RNG(0))
    np.testing.assert_allclose((after > 0).mean(axis=0), [0.3, 0.3, 0.3, 0.0], atol=0.02)
    np.testing.assert_allclose((after[:, 2] == 2).mean(), 0.1, atol=0.01)
    assert not start.any()


def test_a_change_is_always_a_change():
    start = RNG(0).integers(3, size=(50, 5)).astype(np.uint8)
    after = change(start, np.ones((50, 5), bool), np.full(5, 3), RNG(1))
    assert (after != start).all()
    assert after.max() == 2


def _value(mask):
    """Pairs that only help together, every second feature useless."""
    return float(sum(mask[i] & mask[i + 1] for i in range(0, 12, 4)) - 0.1 * mask.sum())


@pytest.mark.parametrize(
    "search",
    [
        GAOnePoint(population=100),
        GAUniform(population=100),
        GASimple(mutation=0.02),
        CHC(),
        Annealing(chains=20, steps=300),
    ],
    ids=lambda s: s.name,
)
def test_they_find_the_pairs(search):
    masks = np.array(list(itertools.product([False, True], repeat=12)))
    best = max(_value(mask) for mask in masks)
    scorer = TableMeasure(_value).bind(toy_table(n_features=12))
    done = drive(search, Subsets(12), scorer, 3, max_batches=40 if not search.ends else 1000)
    assert done.best_value == best


def test_the_best_of_a_genetic_algorithm_never_gets_worse():
    scorer = TableMeasure(_value).bind(toy_table(n_features=12))
    search = GAUniform(population=20, mutation=0.0)
    done = drive(search, Subsets(12), scorer, 1, max_batches=60)
    # Without mutation and with the best surviving, the children end as copies of one subset.
    assert len({c.tobytes() for c in done.batches[-1]}) == 1


def test_the_simple_genetic_algorithm_keeps_nobody():
    scorer = TableMeasure(_value).bind(toy_table(n_features=12))
    done = drive(GASimple(population=10, generations=7, mutation=0.5), Subsets(12), scorer, 1)
    assert [len(b) for b in done.batches] == [10] * 7
    assert done.verdict.reason == "7 generations done"


def test_annealing_takes_worse_steps_only_while_it_is_hot():
    def walk(**parameters):
        scorer = TableMeasure(np.sum).bind(toy_table(n_features=30))
        search = Annealing(chains=10, steps=300, **parameters)
        return drive(search, Subsets(30), scorer, 0).values[-1].mean()

    assert walk(temperature=1e6, cooling=1.0) < 20
    assert walk(temperature=1e-6) > 28


def test_few_features_at_the_start():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=200))
    for search in (GAOnePoint(p0=0.05), GAUniform(p0=0.05), CHC(p0=0.05), GASimple(p0=0.05)):
        done = drive(search, Subsets(200), scorer, 0, max_batches=1)
        assert 8 < done.candidates.sum(axis=1).mean() < 12


def test_weights_are_found_too():
    wanted = np.array([0.0, 0.5, 1.0, 0.5, 0.0])
    scorer = TableMeasure(lambda w: -float(np.abs(w - wanted).sum())).bind(toy_table())
    for search in (GAUniform(population=60), CHC(), Annealing()):
        done = drive(search, Levels(5), scorer, 0, max_batches=60)
        np.testing.assert_array_equal(Levels(5).expand(done.answer[None])[0], wanted)


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
