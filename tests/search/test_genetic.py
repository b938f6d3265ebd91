"""Genetic searches, their operators, and the front of several goals."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest.measures._measure import Scorer, Scores
from fewest.search import Better, Subsets
from fewest.search import _pareto as dominance
from fewest.search._genetic import (
    CHC,
    GAOnePoint,
    GASimple,
    GAUniform,
    _keep,
    change,
    half_uniform,
    mate,
    mutate,
    one_point,
    uniform,
)
from fewest.search._pareto import Pareto, front, goal_matrix
from fewest.search._population import Population
from fewest.search._random import Annealing
from fewest.search._spaces.weight_spaces import Levels
from fewest.testing import (
    TableMeasure,
    check_search,
    drive,
    every_candidate,
    random_values,
    toy_table,
)
from tests.naive import dominance as naive


# What genetic searches are tried on.
def pairs_value(mask):
    """Pairs that only help together, every second feature useless."""
    return float(sum(mask[i] & mask[i + 1] for i in range(0, 12, 4)) - 0.1 * mask.sum())


# Genetic searches, CHC and annealing: their operators, and what they find.
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
    best = max(pairs_value(mask) for mask in masks)
    scorer = TableMeasure(pairs_value).bind(toy_table(n_features=12))
    done = drive(search, Subsets(12), scorer, 3, max_batches=40 if not search.ends else 1000)
    assert done.best_value == best


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


# Crossovers and mutation.
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


# The genetic algorithm with one-point crossover.
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


# The genetic algorithm with uniform crossover.
def test_the_best_of_a_genetic_algorithm_never_gets_worse():
    scorer = TableMeasure(pairs_value).bind(toy_table(n_features=12))
    search = GAUniform(population=20, mutation=0.0)
    done = drive(search, Subsets(12), scorer, 1, max_batches=60)
    # Without mutation and with the best surviving, the children end as copies of one subset.
    assert len({c.tobytes() for c in done.batches[-1]}) == 1


# The simple generational genetic algorithm.
def test_the_simple_genetic_algorithm_keeps_nobody():
    scorer = TableMeasure(pairs_value).bind(toy_table(n_features=12))
    done = drive(GASimple(population=10, generations=7, mutation=0.5), Subsets(12), scorer, 1)
    assert [len(b) for b in done.batches] == [10] * 7
    assert done.verdict.reason == "7 generations done"


# CHC: who mates, when the threshold falls, and the variant of Hsu (2004).
def test_relatives_do_not_mate():
    people = np.array([[0, 0, 0, 0], [0, 0, 0, 1], [1, 1, 1, 1], [0, 0, 1, 0]], dtype=bool)
    for seed in range(10):
        assert len(mate(people, 2.0, RNG(seed))) == 0
    assert any(len(mate(people, 1.4, RNG(seed))) == 2 for seed in range(10))


def test_chc_restarts_from_its_best():
    scorer = TableMeasure(pairs_value).bind(toy_table(n_features=12))
    done = drive(CHC(population=20, generations=60), Subsets(12), scorer, 0)
    assert len(done.batches) == 60
    shares = [_share_changed(done, i) for i in range(1, 60)]
    # A restart changes 35 % of the units of copies of the best; children stay nearer to it.
    assert any(share is not None and 0.25 < share < 0.45 for share in shares)


def _share_changed(done, i):
    """How much a batch of 20 differs from its first row, where that is the best so far."""
    batch, top = done.batches[i], np.concatenate(done.values[:i]).max()
    if len(batch) != 20 or done.values[i][0] != top:
        return None
    return (batch[1:] != batch[0]).mean()


def test_children_of_equal_value_do_not_keep_the_threshold_from_falling():
    space = Subsets(4)
    rows = np.eye(4, dtype=bool)
    old = Population(rows[:2], Scores(np.array([0.5, 0.7])))
    for value, accepted in (([0.5, 0.4], False), ([0.5, 0.6], True), ([np.nan, 0.5], False)):
        new = Population(rows[2:], Scores(np.array(value)))
        assert _keep(old, new, Better(space))[1] is accepted


@pytest.mark.parametrize("variant", ["eshelman", "hsu"])
def test_both_variants_pass_the_suite_and_find_the_best(variant):
    search = CHC(population=40, generations=60, variant=variant)
    check_search(search)
    scorer = TableMeasure(lambda mask: float(mask[::2].sum())).bind(toy_table(n_features=12))
    assert drive(search, Subsets(12), scorer).best_value == 6.0


def test_the_variant_of_hsu_replaces_every_generation():
    scorer = TableMeasure(pairs_value).bind(toy_table(n_features=12))
    done = drive(CHC(population=20, generations=30, variant="hsu"), Subsets(12), scorer, 0)
    assert [len(batch) for batch in done.batches] == [20] * 30
    # Without elitism the best of a generation may be worse than that of the one before.
    best = [value.max() for value in done.values]
    assert any(after < before for before, after in zip(best, best[1:], strict=False))


# Dominance, fronts, crowding and the knee.
@pytest.mark.parametrize("goals", [1, 2, 4])
@pytest.mark.parametrize("seed", range(4))
def test_fronts_agree_with_the_definition(seed, goals):
    rows = np.random.default_rng(seed).integers(0, 6, size=(60, goals)).astype(float)
    assert dominance.non_dominated(rows).tolist() == naive.non_dominated(rows.tolist())
    assert dominance.fronts(rows).tolist() == naive.fronts(rows.tolist())


def test_fronts_stop_when_there_are_enough():
    rows = np.array([[0.0], [1.0], [2.0], [3.0], [2.0]])
    assert dominance.fronts(rows, enough=2).tolist() == [0, 1, 2, 2, 2]


def test_a_row_without_a_number_is_dominated():
    rows = np.array([[np.nan, 1.0], [5.0, 1.0]])
    assert dominance.non_dominated(rows).tolist() == [False, True]


def test_nothing_has_no_front():
    assert dominance.non_dominated(np.zeros((0, 2))).tolist() == []
    assert dominance.fronts(np.zeros((0, 2))).tolist() == []


def test_crowding_by_hand():
    rows = np.array([[0.0, 4.0], [1.0, 2.0], [2.0, 1.0], [4.0, 0.0]])
    np.testing.assert_allclose(
        dominance.crowding(rows), [np.inf, 2 / 4 + 3 / 4, 3 / 4 + 2 / 4, np.inf]
    )
    assert np.isinf(dominance.crowding(rows[:2])).all()
    assert dominance.crowding(np.ones((4, 2)))[1] == 0


def test_the_knee_is_farthest_from_the_line_through_the_ends():
    x = np.linspace(0, 1, 21)
    rows = np.column_stack([x, (1 - x) ** 4])
    ends = rows[-1] - rows[0]
    distance = np.abs(ends[0] * (rows[:, 1] - 1) - ends[1] * rows[:, 0])
    assert dominance.knee(rows) == np.argmax(distance)


def test_the_knee_of_one_row_and_of_equal_rows():
    assert dominance.knee(np.array([[1.0, 2.0]])) == 0
    assert dominance.knee(np.ones((3, 2))) == 0
    assert dominance.knee(np.array([[np.nan, 1.0], [0.5, 2.0]])) == 1


def test_the_knee_is_never_a_dominated_row():
    rows = np.array([[0.0, 10.0], [10.0, 0.0], [6.0, 6.0], [5.0, 5.0]])
    assert dominance.knee(rows) in (0, 1, 3)


# The Pareto search: the whole front, over every kind of goal.
def _front_values(space, candidates, scorer, goals):
    scores = scorer.score(space.expand(candidates))
    rows = front(space, candidates, scores, goals)
    matrix = goal_matrix(space, candidates[rows], scores.take(rows), goals)
    return set(map(tuple, matrix.tolist()))


@pytest.mark.parametrize("goals", [("value", "size"), ("value", "cost"), ("value", "size", "cost")])
def test_the_front_is_the_true_one(goals):
    space = Subsets(8, costs=(5, 1, 1, 2, 9, 1, 3, 2), min_features=1)
    scorer = TableMeasure(random_values(8, seed=1)).bind(toy_table(n_features=8))
    done = drive(Pareto(goals=goals, generations=40), space, scorer)
    found = _front_values(space, done.candidates, scorer, goals)
    assert found == _front_values(space, every_candidate(space), scorer, goals)


class Leafy(Scorer):
    """A measure that also reports how large its model is."""

    def score(self, candidates):
        leaves = (candidates * np.arange(1, candidates.shape[1] + 1)).sum(axis=1).astype(float)
        return Scores(candidates.sum(axis=1).astype(float), goals={"leaves": leaves})


def test_goals_of_the_measure_count_and_turn_round():
    space = Subsets(6)
    done = drive(Pareto(goals=["value", "-leaves"], generations=20), space, Leafy())
    found = _front_values(space, done.candidates, Leafy(), ["value", "-leaves"])
    # The k features with the smallest numbers: k(k + 1)/2 leaves.
    assert found == {(-float(k), k * (k + 1) / 2) for k in range(7)}


def test_an_unknown_goal_is_refused():
    with pytest.raises(InputError, match=r"\(value, size, cost, leaves\), but one is '-depth'"):
        drive(Pareto(goals=["value", "-depth"]), Subsets(4), Leafy())


@pytest.mark.parametrize("goals", [["value"], "value", [1, 2], ["-", "size"]])
def test_goals_are_a_list_of_names(goals):
    with pytest.raises(InputError, match="`goals` of Pareto must be a list of two or more names"):
        Pareto(goals=goals).check_parameters()


def test_the_front_holds_feasible_subsets_only():
    space = Subsets(5, min_features=2, max_features=3)
    scorer = TableMeasure(np.sum).bind(toy_table())
    everything = np.array([[b >> i & 1 for i in range(5)] for b in range(32)], dtype=bool)
    rows = front(space, everything, scorer.score(everything), ["value", "size"])
    assert set(everything[rows].sum(axis=1)) == {2, 3}


def test_the_front_and_its_knee_are_in_the_result():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    X = rng.normal(size=(120, 6))
    X[:, :3] += np.array([3.0, 1.0, 0.5]) * y[:, None]
    search = Pareto(goals=["value", "size"], population=40, generations=10)
    selector = SubsetSelector("cfs", search=search, choose="knee", random_state=0).fit(X, y)
    result = selector.result_
    values, sizes = ([entry[k] for entry in result.front] for k in ("value", "size"))
    assert sizes == sorted(set(sizes))
    assert values == sorted(set(values))
    assert result.score in values
    assert result.stopped == "10 generations done"
