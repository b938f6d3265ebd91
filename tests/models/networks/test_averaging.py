"""Probabilities of arcs against a sum over every graph."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.family_scores import FamilyScores
from fewest._models.graph import Graph
from fewest._models.structure_search import climb_families
from fewest.networks import _averaging as averaging
from fewest.networks._averaging import arc_posteriors, arcs_of_orders, exact_arcs, sampled_arcs
from fewest.networks._parent_sets import all_family_scores
from tests.discrete_rows import tangled
from tests.naive.every_graph import every_graph
from tests.naive.orders import arcs_by_orders


def averaged_arcs(graphs, scores):
    """The sum over graphs, each in proportion to the exponential of its score."""
    weights = np.exp(np.array(scores) - max(scores))
    found = np.zeros((len(graphs[0].parents),) * 2)
    for graph, weight in zip(graphs, weights / weights.sum(), strict=True):
        for p, i in graph.arcs:
            found[p, i] += weight
    return found


def some_rows(d, n, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 2, (n, d))
    for i in range(1, d):
        copied = rng.random(n) < 0.6
        rows[copied, i] = rows[copied, i - 1]
    return rows


@pytest.mark.parametrize(("d", "n"), [(2, 10), (3, 40), (4, 30), (4, 2000), (5, 60)])
@pytest.mark.parametrize("score", ["bdeu", "k2"])
def test_exact_probabilities_are_the_sum_over_every_graph(d, n, score):
    rows = some_rows(d, n)
    families = FamilyScores(rows, np.full(d, 2), score=score)
    graphs = [Graph(parents) for parents in every_graph(d)]
    everything = averaged_arcs(graphs, [families.of(g) for g in graphs])
    found = exact_arcs(rows, np.full(d, 2), score=score)
    assert found == pytest.approx(everything, abs=1e-9)


def test_a_limit_on_parents_leaves_graphs_out():
    rows = some_rows(4, 25)
    families = FamilyScores(rows, np.full(4, 2), score="k2")
    graphs = [Graph(p) for p in every_graph(4) if max(len(q) for q in p) <= 1]
    everything = averaged_arcs(graphs, [families.of(g) for g in graphs])
    found = exact_arcs(rows, np.full(4, 2), score="k2", max_parents=1)
    assert found == pytest.approx(everything)


@pytest.mark.parametrize("score", ["bdeu", "k2", "bic"])
@pytest.mark.parametrize("most", [None, 2])
def test_probabilities_over_orderings_are_the_sum_over_every_ordering(score, most):
    cards = [2, 3, 2, 2]
    rows = tangled(cards, 60, 1)
    logs = all_family_scores(rows, np.array(cards), score=score, max_parents=most)
    families = FamilyScores(rows, np.array(cards), score=score)
    assert logs[1, 0b101] == pytest.approx(families.score(1, [0, 2]))
    shifted = logs - logs.max(axis=1, keepdims=True)
    found = arcs_of_orders(rows, np.array(cards), score=score, max_parents=most)
    assert found == pytest.approx(np.array(arcs_by_orders(shifted.tolist())), abs=1e-9)


def test_a_sample_of_orderings_is_right_within_its_errors():
    cards = np.full(9, 2)
    rows = tangled(cards, 150, 2)
    families = FamilyScores(rows, cards, score="bdeu")
    start, _ = climb_families(families, max_parents=3)
    exact = arcs_of_orders(rows, cards, score="bdeu", max_parents=3)
    found, error, effective = sampled_arcs(
        families, start, max_parents=3, samples=4000, rng=np.random.default_rng(0)
    )
    assert (abs(found - exact) <= 5 * error + 0.01).all()
    assert abs(found - exact).max() < 0.08
    assert 50 < effective <= 4000


def test_the_number_of_variables_chooses_the_sum(monkeypatch):
    cards = np.full(5, 2)
    rows = tangled(cards, 60, 0)
    families = FamilyScores(rows, cards, score="bdeu")
    start, _ = climb_families(families)
    names, rng = tuple("abcde"), np.random.default_rng(0)
    whole = arc_posteriors(families, start, names, rng=rng)
    assert whole.method == "graphs"
    assert np.asarray(whole) == pytest.approx(exact_arcs(rows, cards))
    assert whole["a", "b"] == whole.probability[0, 1]
    monkeypatch.setattr(averaging, "MOST_GRAPHS", 4)
    orders = arc_posteriors(families, start, names, rng=rng)
    assert (orders.method, orders.effective) == ("orderings", None)
    assert not orders.error.any()
    monkeypatch.setattr(averaging, "MOST_ORDERS", 4)
    sampled = arc_posteriors(families, start, names, samples=2000, rng=rng)
    assert sampled.method == "sampled orderings"
    assert sampled.probability == pytest.approx(orders.probability, abs=0.1)
    assert sampled.error.max() > 0


def test_too_many_variables_are_refused():
    with pytest.raises(InputError, match="at most 8 variables to sum over all graphs, but have 9"):
        exact_arcs(some_rows(9, 20), np.full(9, 2))
