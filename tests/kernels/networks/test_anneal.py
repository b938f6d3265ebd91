"""Annealing on a cache against annealing that scores every graph anew."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.networks.family_cache import anneal_graph, new_climb, start_climb
from fewest._models.family_scores import graph_of_bits
from tests.kernels.networks.families import CARDS, some_families
from tests.naive import annealing, discrete_models


@pytest.mark.parametrize("temperature", [1e-3, 3.0])
@pytest.mark.parametrize("most", [1, 4])
def test_the_best_graph_is_the_naive_one(most, temperature):
    rows, families = some_families()
    uniform = np.random.default_rng(most).random((300, 4))
    temperatures = np.full(300, temperature)
    bits = np.zeros((5, 1), np.uint64)
    climb = new_climb(bits)
    assert start_climb(families.cache, climb, most, 0)
    best = bits.copy()
    done = anneal_graph(families.cache, climb, most, uniform, temperatures, 0, best)
    assert done == 300

    def score(graph):
        return discrete_models.graph_score(rows, CARDS, [tuple(sorted(p)) for p in graph], "bic")

    value, graph = annealing.anneal(5, most, uniform.tolist(), temperatures.tolist(), score)
    assert climb.scores[1] == pytest.approx(value)
    assert [set(p) for p in graph_of_bits(best).parents] == graph
