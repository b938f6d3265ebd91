"""Hill climbing over graphs."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._models.graph import Graph
from fewest._models.structure_search import learn_by_climbing
from tests.discrete_rows import CARDS, tangled
from tests.naive import discrete_models


@pytest.mark.parametrize("cards", CARDS)
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
