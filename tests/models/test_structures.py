"""Learning structures: searches, proofs, scores, parent sets."""

from __future__ import annotations

import pickle
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2

from fewest._errors import InputError
from fewest._models import family_scores
from fewest._models import optimum as cutting_planes
from fewest._models import optimum as exact
from fewest._models.family_scores import FamilyScores, Score
from fewest._models.graph import Graph, Network
from fewest._models.optimum import (
    Relaxation,
    _cycles,
    _most_violated,
    _violated,
    by_subsets,
    learn_exact,
    prove_by_planes,
    score_of,
)
from fewest._models.parent_sets import find_parent_sets
from fewest._models.structure_search import (
    SIDEWAYS,
    Walk,
    climb_families,
    learn_b,
    learn_by_climbing,
    learn_by_tabu,
    learn_k2,
    learn_pc,
)
from fewest._run.stop_rules import Generations
from fewest.networks._bif import load_network
from fewest.networks._runs import ORDER_SEARCHES, STRUCTURE_SEARCHES, find_graph
from tests.discrete_rows import CARDS as SEVERAL_CARDS
from tests.discrete_rows import tangled
from tests.naive import discrete_models, structures
from tests.naive.every_graph import best_score, every_graph
from tests.naive.tabu import tabu

# Scores against the formulas, against pyAgrum, and by hand.
NAMES = ["log-likelihood", "aic", "bic", "k2", "k2-penalised", "bd", "bde"]
CARDS = [2, 3, 2, 4, 2]
GRAPHS = [
    ((), (), (), (), ()),
    ((), (0,), (0, 1), (2,), (1, 3)),
    ((1, 2, 3, 4), (2, 3, 4), (3, 4), (4,), ()),
]


def some_rows(n=70, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in CARDS], axis=1)
    rows[: n // 2, 2] = rows[: n // 2, 0]
    return rows


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("graph", GRAPHS)
def test_scores_are_the_formulas(name, graph):
    rows = some_rows()
    expected = discrete_models.graph_score(rows.tolist(), CARDS, graph, name, 2.5)
    assert Score(name, 2.5).of(Graph(graph), rows, np.array(CARDS)) == pytest.approx(expected)


def test_k2_metric_is_equation_3_16_by_factorials():
    rows = some_rows(12)
    product = 1.0
    for i, p in enumerate(GRAPHS[1]):
        product *= discrete_models.k2_by_hand(rows.tolist(), CARDS, i, p)
    found = Score("k2").of(Graph(GRAPHS[1]), rows, np.array(CARDS))
    assert found == pytest.approx(np.log(product))


def test_equivalent_graphs_have_equal_bde():
    rows = some_rows()
    chains = [((), (0,), (1,), (), ()), ((1,), (2,), (), (), ()), ((1,), (), (1,), (), ())]
    scores = [Score("bde", 4.0).of(Graph(c), rows, np.array(CARDS)) for c in chains]
    assert scores == pytest.approx([scores[0]] * 3)


@pytest.mark.parametrize(
    ("name", "method"),
    [("bic", "useScoreBIC"), ("aic", "useScoreAIC"), ("k2", "useScoreK2"),
     ("log-likelihood", "useScoreLog2Likelihood"), ("bde", "useScoreBDeu")],
)  # fmt: skip
def test_scores_are_pyagrums(name, method):
    gum = pytest.importorskip("pyagrum")
    pandas = pytest.importorskip("pandas")
    rows = some_rows(200)
    names = [f"x{i}" for i in range(len(CARDS))]
    learner = gum.BNLearner(pandas.DataFrame(rows.astype(str), columns=names))
    learner.useNoPrior()
    if name == "bde":
        # It adds 1 to this equivalent sample size, and interpolates log gamma between whole
        # numbers: 24 makes every prior count of these families whole.
        learner.useBDeuPrior(23.0)
    getattr(learner, method)()
    for i, parents in enumerate(GRAPHS[1]):
        theirs = learner.score(names[i], [names[p] for p in parents]) * np.log(2)
        if name == "aic":
            # Its likelihood is in bits but its penalty is not converted: one bit a parameter.
            theirs -= (1 - np.log(2)) * (CARDS[i] - 1) * np.prod([CARDS[p] for p in parents])
        ours = discrete_models.family_score(rows.tolist(), CARDS, i, parents, name, 24.0)
        assert ours == pytest.approx(theirs), (i, parents)


def test_unknown_score_is_refused():
    with pytest.raises(InputError, match=r"`score` must be one of .*but is 'bis'"):
        Score("bis")
    with pytest.raises(InputError, match="`alpha` must be above 0, but is 0"):
        Score("bde", 0)


# The cache of families: what it remembers, how it grows, K2 over it.
def copied_rows(d=9, n=120, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 2, (n, d))
    for i in range(2, d):
        copied = rng.random(n) < 0.6
        rows[copied, i] = rows[copied, i - 1] ^ rows[copied, i - 2]
    return rows


def test_a_family_is_counted_once():
    families = FamilyScores(copied_rows(), np.full(9, 2))
    order = np.random.default_rng(0).permutation(9)[None]
    first = families.k2(order)
    known = len(families)
    again = families.k2(order)
    assert len(families) == known
    assert [g.parents for g in again[0]] == [g.parents for g in first[0]]
    assert again[1].tolist() == first[1].tolist()


@pytest.mark.parametrize("name", ["k2", "bic", "bdeu"])
def test_many_orderings_are_the_literal_k2(name):
    rows = copied_rows(d=6)
    slow = "bde" if name == "bdeu" else name

    def score(child, parents):
        return discrete_models.family_score(rows.tolist(), [2] * 6, child, parents, slow)

    orders = np.array([np.random.default_rng(i).permutation(6) for i in range(4)])
    graphs, scores = FamilyScores(rows, np.full(6, 2), score=name).k2(orders, max_parents=3)
    for order, graph, value in zip(orders.tolist(), graphs, scores, strict=True):
        expected = structures.k2(rows.tolist(), [2] * 6, order, 3, score)
        assert [set(p) for p in graph.parents] == [set(p) for p in expected]
        assert value == pytest.approx(sum(score(i, p) for i, p in enumerate(expected)))


def test_room_grows_without_changing_anything(monkeypatch):
    rows, orders = (
        copied_rows(),
        np.array([np.random.default_rng(i).permutation(9) for i in range(9)]),
    )
    roomy = FamilyScores(rows, np.full(9, 2)).k2(orders)
    monkeypatch.setattr(family_scores, "FIRST_ROOM", 4)
    tight = FamilyScores(rows, np.full(9, 2))
    found = tight.k2(orders)
    assert len(tight) > 4
    assert [g.parents for g in found[0]] == [g.parents for g in roomy[0]]
    assert found[1].tolist() == roomy[1].tolist()


def test_later_is_earlier_read_backwards():
    families = FamilyScores(copied_rows(), np.full(9, 2))
    order = np.random.default_rng(3).permutation(9)[None]
    later, _ = families.k2(order, parents="later")
    assert later[0].parents == families.k2(order[:, ::-1])[0][0].parents
    place = order[0].tolist().index
    assert all(place(p) > place(c) for p, c in later[0].arcs)


def test_of_a_graph_is_the_sum_of_its_families():
    rows, graph = copied_rows(), Graph(((), (0,), (0, 1), (2,), (), (), (), (), ()))
    families = FamilyScores(rows, np.full(9, 2), score="k2")
    assert families.of(graph) == pytest.approx(Score("k2").of(graph, rows, np.full(9, 2)))


def test_a_copy_scores_the_same():
    families = FamilyScores(copied_rows(), np.full(9, 2), score=Score("bdeu", 3.0))
    copy = pickle.loads(pickle.dumps(families))
    assert copy.score(4, [2, 3]) == families.score(4, [2, 3])


def test_k2_is_pyagrums():
    gum = pytest.importorskip("pyagrum")
    pandas = pytest.importorskip("pandas")
    rows = copied_rows(d=8, n=400)
    order = np.random.default_rng(5).permutation(8).tolist()
    learner = gum.BNLearner(pandas.DataFrame(rows.astype(str), columns=list("abcdefgh")))
    learner.useScoreK2()
    learner.useNoPrior()
    learner.useK2(order)
    theirs = {tuple(arc) for arc in learner.learnDAG().arcs()}
    assert set(learn_k2(rows, np.full(8, 2), order).arcs) == theirs


def test_wrong_orderings_and_sides_are_refused():
    families = FamilyScores(copied_rows(), np.full(9, 2))
    with pytest.raises(InputError, match="`orders` must name each of the 9 variables once per row"):
        families.k2(np.zeros((1, 9), dtype=int))
    with pytest.raises(
        InputError, match='`parents` must be "earlier" or "later", but is \'before\''
    ):
        families.k2(np.arange(9)[None], parents="before")


# Parent sets that matter against all parent sets, scored by the formulas.
SIX_CARDS = [2, 3, 2, 2, 3, 2]


@pytest.mark.parametrize(("name", "slow"), [("k2", "k2"), ("bic", "bic"), ("bdeu", "bde")])
@pytest.mark.parametrize("most", [None, 2])
def test_sets_are_those_that_beat_all_their_subsets(name, slow, most):
    rng = np.random.default_rng(1)
    rows = np.stack([rng.integers(0, r, 80) for r in SIX_CARDS], axis=1)
    rows[:50, 2] = rows[:50, 0] ^ rows[:50, 3]
    rows[:60, 5] = rows[:60, 2]
    found = find_parent_sets(rows, np.array(SIX_CARDS), score=name, max_parents=most)
    listed = rows.tolist()
    for child in range(6):
        others = [j for j in range(6) if j != child]
        largest = 5 if most is None else most
        scores = {
            p: discrete_models.family_score(listed, SIX_CARDS, child, p, slow)
            for k in range(largest + 1)
            for p in combinations(others, k)
        }
        expected = {
            p: s
            for p, s in scores.items()
            if all(s > t + 1e-9 for q, t in scores.items() if set(q) < set(p))
        }
        own = range(found.starts[child], found.starts[child + 1])
        masks = [tuple(j for j in range(6) if int(found.sets[k]) >> j & 1) for k in own]
        assert set(masks) == set(expected)
        assert found.scores[own.start : own.stop] == pytest.approx([expected[p] for p in masks])
        assert (np.diff(found.scores[own.start : own.stop]) <= 0).all()
        top, mask = found.best(child, 0)
        assert mask == 0
        assert top == pytest.approx(scores[()])


def test_penalised_sets_are_not_lost_by_the_limit_on_cases():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (200, 9))
    rows[:, 8] = rows[:, :4].sum(axis=1) % 2
    found = find_parent_sets(rows, np.full(9, 2), score="bic")
    assert found.best(8, (1 << 8) - 1)[1] == 0b1111


def test_it_ends_early_when_it_is_late():
    rows = np.random.default_rng(0).integers(0, 2, (30, 5))
    for looks in range(6):  # one per call: the counts, then each of five children
        left = iter([False] * looks)
        assert (
            find_parent_sets(rows, np.full(5, 2), late=lambda left=left: next(left, True)) is None
        )


# Algorithm B against its slow twin, and what it must find.
@pytest.mark.parametrize("name", ["bic", "aic", "k2", "k2-penalised", "bde"])
@pytest.mark.parametrize("cards", [[2] * 6, [2, 3, 2, 4, 3]])
def test_it_is_the_slow_twin(name, cards):
    rows = tangled(cards, 60, seed=len(cards))
    expected = discrete_models.algorithm_b(rows.tolist(), cards, name, max_parents=3)
    found = learn_b(rows, np.array(cards), name, max_parents=3)
    assert found.parents == tuple(expected)


def test_every_arc_that_remains_would_hurt_or_close_a_cycle():
    cards = [2] * 5
    rows = tangled(cards, 80, 3)
    graph = learn_b(rows, np.array(cards))
    old = discrete_models.graph_score(rows.tolist(), cards, graph.parents, "bic")
    for child in range(5):
        for p in range(5):
            if p != child and p not in graph.parents[child]:
                wider = [*graph.parents]
                wider[child] = (*wider[child], p)
                if discrete_models.acyclic(wider):
                    assert (
                        discrete_models.graph_score(rows.tolist(), cards, wider, "bic")
                        <= old + 1e-6
                    )


def test_parents_are_limited():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (60, 4))
    rows[:, 3] = rows[:, :3].sum(axis=1) > 1
    for most in (0, 1, 2):
        graph = learn_b(rows, np.full(4, 2), Score("aic"), most)
        assert max(len(p) for p in graph.parents) <= most


def test_more_than_64_variables():
    rng = np.random.default_rng(1)
    half = rng.integers(0, 2, (100, 35))
    rows = np.concatenate([half, half], axis=1)
    graph = learn_b(rows, np.full(70, 2), max_parents=1)
    pairs = {frozenset(arc) for arc in graph.arcs}
    assert {frozenset((i, i + 35)) for i in range(35)} <= pairs
    assert len(graph.order) == 70


# Algorithm K2 as the thesis lists it.
@pytest.mark.parametrize("cards", SEVERAL_CARDS)
@pytest.mark.parametrize("name", ["k2", "bic"])
def test_k2_is_figure_3_5(cards, name):
    rows = tangled(cards)
    order = np.random.default_rng(1).permutation(len(cards)).tolist()

    def score(child, parents):
        return discrete_models.family_score(rows.tolist(), cards, child, parents, name)

    expected = structures.k2(rows.tolist(), cards, order, 2, score)
    expected = tuple(tuple(sorted(found)) for found in expected)
    assert learn_k2(rows, np.array(cards), order, 2, name).parents == expected
    backwards = learn_k2(rows, np.array(cards), order[::-1], 2, name, parents="later")
    assert backwards.parents == expected


def test_k2_refuses_a_wrong_order():
    with pytest.raises(InputError, match=r"`order` must name each of the 2 variables once"):
        learn_k2(np.zeros((3, 2)), np.array([2, 2]), order=[0, 0])


# Hill climbing over graphs.
@pytest.mark.parametrize("cards", SEVERAL_CARDS)
@pytest.mark.parametrize("seed", range(3))
def test_climbing_ends_where_no_single_change_helps(cards, seed):
    rows = tangled(cards, seed=seed)
    graph = learn_by_climbing(rows, np.array(cards))
    listed, parents = rows.tolist(), [set(p) for p in graph.parents]
    top = discrete_models.graph_score(listed, cards, graph.parents, "bic")
    for child in range(len(cards)):
        for p in range(len(cards)):
            if p == child:
                continue
            changes = [[*(set(q) for q in parents)] for _ in range(2)]
            if p in parents[child]:
                changes[0][child] = parents[child] - {p}
                changes[1][child] = parents[child] - {p}
                changes[1][p] = parents[p] | {child}
            else:
                changes[0][child] = parents[child] | {p}
            for changed in changes:
                if discrete_models.acyclic(changed):
                    score = discrete_models.graph_score(
                        listed, cards, [tuple(q) for q in changed], "bic"
                    )
                    assert score <= top + 1e-6


def test_climbing_takes_back_a_wrong_arc():
    rows = tangled([2] * 4, n=300)
    rows[:, 3] = np.random.default_rng(9).integers(0, 2, 300)
    start = Graph(((3,), (), (), ()))
    assert (3, 0) not in learn_by_climbing(rows, np.full(4, 2), start=start).arcs


# Tabu search against its slow twin, and what a climb promises.
def rows_with_copies(cards, n=80, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in cards], axis=1)
    for i in range(1, len(cards)):
        copied = rng.random(n) < 0.5
        rows[copied, i] = (rows[copied, i - 1] + rows[copied, rng.integers(0, i)]) % cards[i]
    return rows


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["k2", "bic"])
def test_tabu_is_the_slow_twin(seed, name):
    cards = np.array([2, 3, 2, 2, 3])
    families = FamilyScores(rows_with_copies(cards, seed=seed), cards, score=name)

    def score(parents):
        return families.of(Graph(tuple(tuple(sorted(p)) for p in parents)))

    top, best = tabu(5, 2, 3, 12, score)
    graph, value = climb_families(families, max_parents=2, tenure=3, patience=12)
    assert value == pytest.approx(top)
    assert [set(p) for p in graph.parents] == best


@pytest.mark.parametrize("name", ["asia", "alarm", "insurance"])
def test_tabu_is_never_worse_than_climbing(name):
    network = load_network(name)
    rows = network.sample(1000, np.random.default_rng(0))
    families = FamilyScores(rows, network.cardinalities)
    graph, value = climb_families(families, max_parents=4)
    assert value == pytest.approx(families.of(graph))
    assert max(len(p) for p in graph.parents) <= 4
    further, better = climb_families(families, max_parents=4, tenure=10, patience=50)
    assert better >= value - 1e-9
    assert better == pytest.approx(families.of(further))


@pytest.mark.parametrize("name", ["asia", "alarm", "insurance"])
def test_sideways_steps_never_lose(name):
    network = load_network(name)
    families = FamilyScores(network.sample(1000, np.random.default_rng(0)), network.cardinalities)
    _, plain = climb_families(families, max_parents=4)
    _, wide = climb_families(families, max_parents=4, **SIDEWAYS)
    assert wide >= plain - 1e-9


def test_a_walk_goes_on_where_it_stopped():
    cards = np.full(8, 2)
    rows = rows_with_copies(cards)
    whole = Walk(FamilyScores(rows, cards), tenure=3, patience=10)
    whole.climb()
    parts = Walk(FamilyScores(rows, cards), tenure=3, patience=10)
    while not parts.climb(3):
        pass
    assert (parts.best, parts.here) == (whole.best, whole.here)


def test_a_full_cache_changes_nothing(monkeypatch):
    cards = np.full(8, 2)
    rows = rows_with_copies(cards)
    roomy = climb_families(FamilyScores(rows, cards), tenure=3, patience=10)
    monkeypatch.setattr(family_scores, "FIRST_ROOM", 2)
    tight = climb_families(FamilyScores(rows, cards), tenure=3, patience=10)
    assert tight == roomy


def test_wrong_starts_and_parameters_are_refused():
    rows = rows_with_copies(np.full(3, 2))
    with pytest.raises(InputError, match="without directed cycles"):
        climb_families(FamilyScores(rows, np.full(3, 2)), start=Graph(((1,), (0,), ())))
    with pytest.raises(InputError, match="`patience` at least 1, but are 10 and 0"):
        learn_by_tabu(rows, np.full(3, 2), patience=0)


# The PC algorithm.
def edges(graph):
    return {frozenset(arc) for arc in graph.arcs}


def test_pc_keeps_an_edge_only_where_no_set_separates():
    cards = [2] * 6
    rows = tangled(cards, n=150, seed=4)
    graph = learn_pc(rows, np.array(cards), significance=0.05, max_given=4)
    kept = edges(graph)
    near = {i: {j for j in range(6) if frozenset((i, j)) in kept} for i in range(6)}
    for x, y in combinations(range(6), 2):
        rests = [r for a in (x, y) for k in range(5) for r in combinations(near[a] - {x, y}, k)]
        p_values = [
            chi2.sf(*structures.independence(rows.tolist(), cards, x, y, given, "g2"))
            for given in rests
        ]
        # The sets tested were subsets of earlier, larger neighbourhoods: an edge that is left
        # survived all of those of its final neighbours too.
        if frozenset((x, y)) in kept:
            assert max(p_values) < 0.05


def test_pc_finds_a_known_structure():
    """0 -> 2 <- 1, 2 -> 3: all directions are determined by the independences."""
    rng = np.random.default_rng(3)
    parents = ((), (), (0, 1), (2,))
    tables = [[0.5, 0.5], [0.5, 0.5], [0.9, 0.1, 0.3, 0.7, 0.25, 0.75, 0.05, 0.95],
              [0.9, 0.1, 0.15, 0.85]]  # fmt: skip
    truth = Network(np.full(4, 2), Graph(parents), np.concatenate(tables))
    rows = truth.sample(4000, rng)
    for test in ("g2", "chi2"):
        assert learn_pc(rows, np.full(4, 2), 0.01, test).parents == parents


@pytest.mark.parametrize("seed", range(8))
def test_pc_is_acyclic_on_few_rows(seed):
    rows = tangled([2] * 9, n=25, seed=seed)
    graph = learn_pc(rows, np.full(9, 2), significance=0.3)
    assert len(graph.order) == 9


# Proven networks against every graph, and against every other search.
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


# Proofs by cutting planes against dynamic programming, and the cuts against the graphs.
def some_sets(seed, score="bic"):
    cards = [2, 3, 2, 2, 3, 2, 2]
    return find_parent_sets(tangled(cards, 80, seed), np.array(cards), score=score)


@pytest.mark.parametrize("score", ["bic", "k2", "bdeu"])
@pytest.mark.parametrize("seed", range(6))
def test_the_best_network_is_found_from_a_poor_one_and_proven(seed, score):
    sets = some_sets(seed, score)
    best = by_subsets(sets)
    empty = Graph.empty(sets.d)
    found = prove_by_planes(sets, empty, score_of(sets, empty))
    assert found.optimal
    assert found.score == pytest.approx(best.score)
    assert score_of(sets, found.graph) == pytest.approx(found.score)
    assert found.graph.order
    again = prove_by_planes(sets, best.graph, best.score)
    assert again.optimal
    assert again.graph == best.graph


def test_without_time_the_bound_holds():
    sets = some_sets(0)
    empty = Graph.empty(sets.d)
    stopped = prove_by_planes(sets, empty, score_of(sets, empty), lambda: 0.0)
    assert not stopped.optimal
    assert stopped.graph == empty
    assert stopped.bound >= by_subsets(sets).score


def test_a_cluster_is_met_by_every_acyclic_graph_and_violated_by_a_cycle():
    sets = some_sets(1)
    relaxation = Relaxation(sets, -np.inf)
    single = {}
    for k, child in enumerate(relaxation.child.tolist()):
        single.setdefault(child, {})[int(sets.sets[k])] = k
    a, b = next(
        (a, b) for a in range(7) for b in range(a) if 1 << b in single[a] and 1 << a in single[b]
    )
    chosen = {x: single[x][0] for x in range(7)} | {a: single[a][1 << b]}
    row = relaxation.row({a, b})
    relaxation.weights[list(chosen.values())] = 1.0
    assert relaxation.weights[row].sum() == 1
    assert _violated(relaxation) == _most_violated(relaxation) == _cycles(relaxation) == []
    relaxation.weights[:] = 0.0
    chosen[b] = single[b][1 << a]
    relaxation.weights[list(chosen.values())] = 1.0
    assert relaxation.weights[row].sum() == 0
    pair = [frozenset((a, b))]
    assert _violated(relaxation) == _most_violated(relaxation) == _cycles(relaxation) == pair
