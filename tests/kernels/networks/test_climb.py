"""Single changes of a graph against all changes, scored anew."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.networks.family_cache import (
    DELETE,
    best_change,
    can_turn,
    climb_graph,
    find_ancestors,
    kick_graph,
    new_climb,
    renew_ancestors,
    start_climb,
)
from fewest._models.family_scores import FamilyScores, graph_of_bits
from tests.kernels.networks.families import CARDS, some_families
from tests.naive import discrete_models
from tests.naive.tabu import changes, kick, tabu


def at(families, parents):
    """Where a climb stands at a graph."""
    climb = new_climb(np.stack([families.bits(sorted(p)) for p in parents]))
    assert start_climb(families.cache, climb, 5, 0)
    return climb


def random_graph(seed, most):
    """Parents of each variable among those before it in a random order."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(5).tolist()
    parents = [() for _ in order]
    for place, child in enumerate(order):
        number = min(int(rng.integers(0, most + 1)), place)
        parents[child] = tuple(rng.permutation(order[:place])[:number].tolist())
    return parents


@pytest.mark.parametrize("most", [1, 2, 4])
@pytest.mark.parametrize("seed", range(12))
def test_the_best_change_is_the_best_of_all(seed, most):
    rows, families = some_families(seed)
    parents = random_graph(seed, most)

    def score(graph):
        return discrete_models.graph_score(rows, CARDS, [tuple(sorted(p)) for p in graph], "bic")

    now = [set(p) for p in parents]
    gains = {key: [] for _, _, key in changes(now, most)}
    for graph, _, key in changes(now, most):
        gains[key].append(score(graph) - score(now))
    _, child, parent, gain = best_change(families.cache, at(families, parents), most, 0, np.inf)
    assert gain == pytest.approx(max(max(g) for g in gains.values()))
    assert max(gains[child, parent]) == pytest.approx(gain)


def test_no_variable_gets_too_many_parents_by_a_reversal():
    rows = np.random.default_rng(0).integers(0, 2, (80, 3))
    rows[:, 1] = rows[:, 0] ^ rows[:, 2]
    families = FamilyScores(rows, np.full(3, 2), score="bic")
    climb = at(families, [(), (0,), (1,)])
    # Reversing 1 -> 2 would explain the exclusive or, but with two parents.
    what, _, _, gain = best_change(families.cache, climb, 1, 0, np.inf)
    assert what == DELETE
    assert gain < 3


def test_ancestors_and_cycles():
    parents = np.array([[0], [0b001], [0b010], [0b100]], np.uint64)
    above = np.zeros_like(parents)
    assert find_ancestors(parents, above)
    assert above[:, 0].tolist() == [0, 0b001, 0b011, 0b111]
    parents[0] = 0b1000
    assert not find_ancestors(parents, above)


def test_an_arc_can_be_reversed_where_no_other_way_leads_along_it():
    _, families = some_families()
    climb = at(families, [(), (0,), (0, 1), (), ()])
    assert not can_turn(climb, 2, 0)
    assert can_turn(climb, 2, 1)
    assert can_turn(climb, 1, 0)


@pytest.mark.parametrize(
    ("tenure", "patience", "loss"), [(0, 0, np.inf), (3, 6, np.inf), (2, 8, 0.0)]
)
def test_a_climb_is_the_naive_one(tenure, patience, loss):
    rows, families = some_families(3)

    def score(graph):
        return discrete_models.graph_score(rows, CARDS, [tuple(sorted(p)) for p in graph], "bic")

    climb = at(families, [()] * 5)
    start_climb(families.cache, climb, 5, tenure)
    best = climb.parents.copy()
    fits, ended = climb_graph(families.cache, climb, 5, tenure, patience, loss, 1000, best)
    assert fits
    assert ended
    found = graph_of_bits(best)
    top = climb.scores[1]
    assert score(found.parents) == pytest.approx(top)
    if patience:
        assert top == pytest.approx(tabu(5, 5, tenure, patience, score, loss)[0])
    else:
        around = changes([set(p) for p in found.parents], 5)
        assert all(score(graph) <= top + 1e-9 for graph, _, _ in around)


def test_a_climb_in_parts_is_the_whole_climb():
    _, families = some_families(1)
    whole, parts = at(families, [()] * 5), at(families, [()] * 5)
    best, other = whole.parents.copy(), parts.parents.copy()
    climb_graph(families.cache, whole, 5, 2, 6, np.inf, 1000, best)
    while not climb_graph(families.cache, parts, 5, 2, 6, np.inf, 1, other)[1]:
        pass
    np.testing.assert_array_equal(best, other)
    np.testing.assert_array_equal(whole.parents, parts.parents)
    assert whole.steps.tolist() == parts.steps.tolist()


@pytest.mark.parametrize("seed", range(8))
def test_a_kick_is_the_naive_one(seed):
    _, families = some_families()
    parents = random_graph(seed, 3)
    climb = at(families, parents)
    uniform = np.random.default_rng(seed).random((6, 3))
    kick_graph(climb.parents, climb.above, 3, uniform)
    found = [set(own) for own in graph_of_bits(climb.parents).parents]
    assert found == kick(parents, 3, uniform.tolist())
    again = np.zeros_like(climb.above)
    assert find_ancestors(climb.parents, again)
    np.testing.assert_array_equal(climb.above, again)


@pytest.mark.parametrize("seed", range(8))
def test_renewed_ancestors_are_those_of_the_changed_graph(seed):
    _, families = some_families()
    climb = at(families, random_graph(seed, 3))
    child = max(range(5), key=lambda i: len(graph_of_bits(climb.parents).parents[i]))
    climb.parents[child] = 0
    renew_ancestors(climb, child, child)
    whole = np.zeros_like(climb.above)
    find_ancestors(climb.parents, whole)
    np.testing.assert_array_equal(climb.above, whole)
