"""Proven networks against every graph, and against every other search."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.family_scores import FamilyScores
from fewest._models.graph import Graph
from fewest._models.structure_search import learn_by_climbing, learn_by_tabu
from fewest._run.stop_rules import Generations
from fewest.networks import _optimum as cutting_planes
from fewest.networks import _optimum as exact
from fewest.networks._bif import load_network
from fewest.networks._optimum import by_subsets, learn_exact
from fewest.networks._parent_sets import find_parent_sets
from fewest.networks._runs import ORDER_SEARCHES, STRUCTURE_SEARCHES, find_graph
from tests.naive import discrete_models
from tests.naive.every_graph import best_score, every_graph

SCORES = {"k2": "k2", "bic": "bic", "bdeu": "bde"}


def random_table(rng):
    d = int(rng.integers(2, 6))
    cards = rng.integers(2, 4, d)
    n = int(rng.integers(4, 40))
    rows = np.stack([rng.integers(0, r, n) for r in cards], axis=1)
    for i in range(1, d):
        copied = rng.random(n) < 0.7
        rows[copied, i] = rows[copied, rng.integers(0, i)] % cards[i]
    return rows, cards


def test_number_of_graphs():
    assert [len(every_graph(d)) for d in (1, 2, 3, 4, 5)] == [1, 3, 25, 543, 29281]


@pytest.mark.parametrize("name", SCORES)
def test_the_best_of_every_graph_on_a_thousand_tables(name):
    rng = np.random.default_rng(0)
    for _ in range(1000):
        rows, cards = random_table(rng)
        listed, listed_cards = rows.tolist(), cards.tolist()

        def score(i, p, listed=listed, cards=listed_cards):
            return discrete_models.family_score(listed, cards, i, p, SCORES[name])

        found = learn_exact(rows, cards, score=name)
        assert found.optimal
        assert found.score == pytest.approx(best_score(len(cards), score), abs=1e-8)
        again = sum(score(i, p) for i, p in enumerate(found.graph.parents))
        assert found.score == pytest.approx(again, abs=1e-8)
        place = found.ordering.index
        assert all(place(a) < place(b) for a, b in found.graph.arcs)


def drawn(number):
    name = ["asia", "child", "insurance", "alarm", "hailfinder"][number % 5]
    network = load_network(name)
    rows = network.sample(400, np.random.default_rng(number))
    rows = rows[:, np.random.default_rng(number).permutation(rows.shape[1])[:10]]
    # Only levels that occur, as pyAgrum sees them.
    coded = [np.unique(column, return_inverse=True) for column in rows.T]
    return np.stack([c for _, c in coded], axis=1), np.array([len(v) for v, _ in coded])


@pytest.mark.parametrize("number", range(20))
def test_no_search_finds_a_better_one(number):
    gum = pytest.importorskip("pyagrum")
    pandas = pytest.importorskip("pandas")
    rows, cards = drawn(number)
    best = learn_exact(rows, cards, score="bic")
    families = FamilyScores(rows, cards, score="bic")
    assert best.score == pytest.approx(families.of(best.graph))
    learner = gum.BNLearner(pandas.DataFrame(rows.astype(str)))
    learner.useScoreBIC()
    learner.useNoPrior()
    learner.useGreedyHillClimbing()
    parents = [[] for _ in cards]
    for a, b in learner.learnDAG().arcs():
        parents[b].append(a)
    orders = np.array([np.random.default_rng(i).permutation(len(cards)) for i in range(20)])
    stop = ["auto", Generations(10)]
    others = [
        families.of(Graph(tuple(tuple(p) for p in parents))),
        families.of(learn_by_climbing(rows, cards)),
        families.of(learn_by_tabu(rows, cards)),
        *families.k2(orders)[1],
        *(
            find_graph(name, families, stop=stop, rng=np.random.default_rng(0))[1]
            for name in [*STRUCTURE_SEARCHES, *ORDER_SEARCHES]
        ),
    ]
    assert max(others) <= best.score + 1e-6


@pytest.mark.parametrize("name", SCORES)
def test_a_limit_on_parents_is_kept(name):
    rows, cards = drawn(0)
    found = by_subsets(find_parent_sets(rows, cards, score=name, max_parents=1))
    assert max(len(p) for p in found.graph.parents) == 1
    assert learn_exact(rows, cards, score=name).score > found.score


def test_more_variables_are_proven_by_planes(monkeypatch):
    rows, cards = drawn(1)
    proven = learn_exact(rows, cards, max_parents=3)
    monkeypatch.setattr(exact, "MOST_QUICK_VARIABLES", 4)
    found = learn_exact(rows, cards, max_parents=3)
    assert found.optimal
    assert found.gap == 0
    assert found.score == pytest.approx(proven.score)


def test_dynamic_programming_ends_what_planes_leave_open(monkeypatch):
    rows, cards = drawn(1)
    proven = learn_exact(rows, cards, max_parents=3)
    monkeypatch.setattr(exact, "MOST_QUICK_VARIABLES", 4)
    monkeypatch.setattr(cutting_planes, "MOST_ROUNDS", 1)
    assert learn_exact(rows, cards, max_parents=3) == proven
    monkeypatch.setattr(exact, "MOST_VARIABLES_IN_MEMORY", 4)
    left = learn_exact(rows, cards, max_parents=3)
    assert not left.optimal
    assert left.gap == pytest.approx(left.bound - left.score)
    assert left.score <= proven.score <= left.bound


@pytest.mark.parametrize("name", SCORES)
def test_constant_columns_are_no_variables(name):
    rows, cards = drawn(2)
    wide = np.insert(rows, [0, 3], 0, axis=1)
    found = learn_exact(wide, np.insert(cards, [0, 3], 1), score=name)
    alone = learn_exact(rows, cards, score=name)
    assert found.score == pytest.approx(alone.score)
    assert not any({a, b} & {0, 4} for a, b in found.graph.arcs)
    assert sorted(found.ordering) == list(range(12))


class Clock:
    """Seconds that pass with every look."""

    def __init__(self, looks):
        self.now, self.looks = 0.0, looks

    def monotonic(self):
        self.now += 1 / self.looks
        return self.now


@pytest.mark.parametrize("looks", [1, 15, 40])
@pytest.mark.parametrize("quick", [4, 20])
def test_the_end_of_the_time_leaves_the_best_so_far(monkeypatch, looks, quick):
    rows, cards = drawn(1)
    whole = learn_exact(rows, cards)
    monkeypatch.setattr(exact, "SETS_PER_CLOCK", 16)
    monkeypatch.setattr(exact, "MOST_QUICK_VARIABLES", quick)
    monkeypatch.setattr(exact, "time", Clock(looks))
    stopped = learn_exact(rows, cards, seconds=1.0)
    assert stopped.score <= whole.score <= stopped.bound + 1e-6
    assert stopped.score > FamilyScores(rows, cards).of(Graph.empty(len(cards)))
    assert not stopped.optimal or stopped.score == pytest.approx(whole.score)
    if looks == 1:
        assert stopped.gap == np.inf


def test_what_is_too_large_is_refused():
    rows = np.random.default_rng(0).integers(0, 2, (20, 63))
    with pytest.raises(InputError, match="at most 62 variables for a search with a proof"):
        learn_exact(rows, np.full(63, 2))
    with pytest.raises(InputError, match="`max_parents` must be small enough"):
        learn_exact(rows[:, :40], np.full(40, 2))
