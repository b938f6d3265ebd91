"""Models of discrete rows."""

from __future__ import annotations

import itertools
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import chi2_contingency
from sklearn.metrics import mutual_info_score

from fewest._errors import InputError
from fewest._models.discrete import Groups, Marginals, as_rows, as_weights, learn_groups
from fewest._models.structure_search import learn_chain, learn_forest, learn_tree
from fewest.search._orderings import PlackettLuce
from tests.discrete_rows import CARDS, tangled
from tests.naive import structures


# Rows and weights of discrete models: what is taken and what is refused.
def test_rows_and_weights_as_the_kernels_take_them():
    rows, cards = as_rows([[0, 2], [1, 0]], [2, 3])
    assert rows.dtype == np.uint8
    assert rows.flags.c_contiguous
    assert cards.tolist() == [2, 3]
    assert as_weights(None, 3).tolist() == [1.0, 1.0, 1.0]
    assert as_weights([1, 0], 2).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("rows", "cards", "sentence"),
    [
        (np.zeros((3, 3)), [2, 2], "`rows` must have two dimensions and 2 columns"),
        (np.zeros((0, 2)), [2, 2], "`rows` must hold at least one row"),
        ([[0, 2]], [2, 2], "but some are outside"),
        ([[0, -1]], [2, 2], "but some are outside"),
        ([[0, 0]], [2, 256], "`cardinalities` must be between 1 and 255"),
    ],
)
def test_wrong_rows_are_refused(rows, cards, sentence):
    with pytest.raises(InputError, match=sentence):
        as_rows(rows, cards)


@pytest.mark.parametrize("weights", [[-1.0], [np.nan], [np.inf], [1.0, 1.0]])
def test_wrong_weights_are_refused(weights):
    with pytest.raises(InputError, match="`weights` must be 1 finite numbers"):
        as_weights(weights, 1)


# Independent variables: tables by hand, samples, logarithms.
def test_marginals_by_hand():
    rows = np.array([[0, 2], [1, 2], [1, 0]])
    model = Marginals.learn(rows, np.array([2, 3]))
    assert model.probabilities == pytest.approx(
        np.array([[2 / 5, 3 / 5, 0], [2 / 6, 1 / 6, 3 / 6]])
    )
    weighted = Marginals.learn(rows, np.array([2, 3]), np.array([1.0, 2.0, 5.0]), prior=0.0)
    assert weighted.probabilities == pytest.approx(np.array([[1 / 8, 7 / 8, 0], [5 / 8, 0, 3 / 8]]))
    moved = Marginals.uniform(np.array([2, 3])).moved(weighted, 0.5)
    assert moved.probabilities[0] == pytest.approx([5 / 16, 11 / 16, 0])
    expected = [(1 / 3 + 5 / 8) / 2, 1 / 6, (1 / 3 + 3 / 8) / 2]
    assert moved.probabilities[1] == pytest.approx(expected)


def test_samples_follow_the_probabilities():
    rng = np.random.default_rng(2)
    cards = np.array([2, 3, 2])
    model = Marginals.learn(np.stack([rng.integers(0, r, 50) for r in cards], axis=1), cards)
    every = np.array(list(itertools.product(*(range(r) for r in cards))))
    expected = 20_000 * model.probabilities[np.arange(3), every].prod(axis=1)
    drawn = model.sample(20_000, np.random.default_rng(5))
    observed = [(drawn == row).all(axis=1).sum() for row in every]
    # Chi-squared with 11 degrees of freedom: above 31.3 once in a thousand seeds.
    assert ((observed - expected) ** 2 / expected).sum() < 31.3


def test_even_and_random_starts():
    cards = np.array([2, 3, 1])
    even = Marginals.uniform(cards, above=0.2).probabilities
    assert even == pytest.approx(np.array([[0.8, 0.2, 0.0], [0.8, 0.1, 0.1], [1.0, 0.0, 0.0]]))
    drawn = [Marginals.random(cards, np.random.default_rng(i)).probabilities for i in range(400)]
    assert np.sum(drawn, axis=2) == pytest.approx(1.0)
    # Every distribution equally likely: P(first level) is uniform, with mean 1/2 and variance 1/12.
    first = np.array(drawn)[:, 0, 0]
    assert (first.mean(), first.var()) == pytest.approx((0.5, 1 / 12), abs=0.03)


def test_what_never_occurred_is_impossible_without_a_prior():
    model = Marginals.learn(np.array([[0], [0]]), np.array([2]), prior=0.0)
    assert model.probabilities.tolist() == [[1.0, 0.0]]


# Trees, forests and chains against their slow twins.
def edges(graph):
    return {frozenset(arc) for arc in graph.arcs}


@pytest.mark.parametrize("cards", CARDS)
@pytest.mark.parametrize("seed", range(3))
def test_tree_is_the_heaviest(cards, seed):
    rows = tangled(cards, seed=seed)
    graph = learn_tree(rows, np.array(cards))
    d = len(cards)
    weights = {
        (u, v): mutual_info_score(rows[:, u], rows[:, v]) for u, v in combinations(range(d), 2)
    }
    assert len(graph.arcs) == d - 1
    assert len(graph.order) == d
    total = sum(weights[min(arc), max(arc)] for arc in graph.arcs)
    assert total == pytest.approx(structures.heaviest_forest(weights, d)[0])


@pytest.mark.parametrize("cards", CARDS)
def test_forest_is_the_heaviest_of_the_significant_edges(cards):
    rows = tangled(cards, n=60, seed=5)
    rows[:, 3] = np.random.default_rng(1).integers(0, cards[3], 60)
    d = len(cards)
    weights = {}
    for u, v in combinations(range(d), 2):
        table = np.zeros((cards[u], cards[v]))
        np.add.at(table, (rows[:, u], rows[:, v]), 1)
        found = chi2_contingency(table, correction=False)
        if found.pvalue < 0.01:
            weights[u, v] = found.statistic
    expected = structures.heaviest_forest(weights, d)
    graph = learn_forest(rows, np.array(cards), significance=0.01)
    assert edges(graph) == {frozenset(e) for e in expected[1]}
    assert 0 < len(graph.arcs) < d - 1
    assert len(graph.order) == d


@pytest.mark.parametrize("cards", CARDS)
@pytest.mark.parametrize("seed", range(3))
def test_chain_is_the_slow_twin(cards, seed):
    rows = tangled(cards, seed=seed)
    graph = learn_chain(rows, np.array(cards))
    order = structures.chain(rows.tolist(), len(cards))
    assert list(graph.order) == order
    assert graph.arcs == sorted(zip(order, order[1:], strict=False), key=lambda arc: arc[1])


# Groups against their slow twin.
@pytest.mark.parametrize("cards", CARDS)
def test_groups_are_the_slow_twin(cards):
    rows = tangled(cards, n=200)
    found = learn_groups(rows, np.array(cards))
    assert sorted(found) == structures.groups(rows.tolist(), cards)
    assert max(len(g) for g in found) > 1


def test_groups_sample_their_joint_frequencies():
    rows = np.array([[0, 0, 1], [0, 0, 0], [1, 1, 0], [1, 0, 1]])
    cards = np.array([2, 2, 2])
    model = Groups.learn(((0, 1), (2,)), rows, cards)
    drawn = model.sample(8000, np.random.default_rng(0))
    assert not (drawn[:, :2] == [0, 1]).all(axis=1).any()
    assert (drawn[:, :2] == 0).all(axis=1).mean() == pytest.approx(0.5, abs=0.02)
    smooth = Groups.learn(((0, 1), (2,)), rows, cards, prior=1.0)
    # (count + 1) / (rows + combinations): (0 + 1) / (4 + 4)
    share = (smooth.sample(8000, np.random.default_rng(1))[:, :2] == [0, 1]).all(axis=1).mean()
    assert share == pytest.approx(1 / 8, abs=0.015)


# Plackett-Luce: probabilities by hand, the likelihood by scipy, and draws.
def test_probabilities_of_all_orderings():
    worth = np.array([3.0, 2.0, 1.0])
    model = PlackettLuce(worth)
    every = np.array(list(permutations(range(3))))
    by_hand = [
        worth[a] / worth.sum() * worth[b] / (worth[b] + worth[c]) for a, b, c in every.tolist()
    ]
    drawn = model.sample(60_000, np.random.default_rng(0))
    shares = [(drawn == order).all(axis=1).mean() for order in every]
    assert shares == pytest.approx(by_hand, abs=0.01)


def test_worths_are_the_most_likely_ones():
    orders = PlackettLuce(np.array([4.0, 2.0, 1.0, 1.0])).sample(80, np.random.default_rng(1))

    def loss(logs):
        # One imaginary win and one loss of each item against an item of worth 1.
        worth = np.exp(logs)
        prior = np.sum(np.log(worth) - 2 * np.log(worth + 1))
        left = np.cumsum(worth[orders][:, ::-1], axis=1)[:, ::-1]
        return -np.log(worth[orders] / left).sum() - prior

    best = np.exp(minimize(loss, np.zeros(4), tol=1e-12).x)
    found = PlackettLuce.learn(orders, steps=2000).worth
    assert found / found.sum() == pytest.approx(best / best.sum(), rel=0.02)


def test_an_item_that_is_always_first_has_a_finite_worth():
    model = PlackettLuce.learn(np.array([[2, 0, 1], [2, 1, 0]]))
    assert np.isfinite(model.worth).all()
    assert model.worth.argmax() == 2
    assert PlackettLuce.learn(np.array([[0]])).sample(2, np.random.default_rng(0)).tolist() == [
        [0],
        [0],
    ]


def test_rows_that_are_no_orderings_are_refused():
    with pytest.raises(InputError, match="`orders` must hold one ordering per row"):
        PlackettLuce.learn(np.array([[0, 0, 1]]))
