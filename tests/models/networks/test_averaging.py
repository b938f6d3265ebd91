"""Probabilities of arcs against a sum over every graph."""

import numpy as np
import pytest

from fewest.errors import InputError
from fewest.models.networks.averaging import averaged_arcs, exact_arcs
from fewest.models.networks.family_scores import FamilyScores
from fewest.models.networks.graph import Graph
from tests.naive.every_graph import every_graph


def some_rows(d, n, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 2, (n, d))
    for i in range(1, d):
        copied = rng.random(n) < 0.6
        rows[copied, i] = rows[copied, i - 1]
    return rows


@pytest.mark.parametrize(("d", "n"), [(2, 10), (3, 40), (4, 30), (4, 2000)])
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


def test_a_network_found_twice_counts_once():
    one, other = Graph(((), (0,))), Graph(((), ()))
    assert averaged_arcs([one, one, other], [0.0, 0.0, 0.0])[0, 1] == 0.5
    with pytest.raises(InputError, match="`graphs` must hold at least one graph"):
        averaged_arcs([], [])


def test_too_many_variables_are_refused():
    with pytest.raises(InputError, match="at most 8 variables to sum over all graphs, but have 9"):
        exact_arcs(some_rows(9, 20), np.full(9, 2))
