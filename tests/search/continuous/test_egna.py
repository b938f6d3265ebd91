"""EGNA: dependences between weights are learned and used."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search._continuous import EGNA
from tests.search.continuous.functions import D, best_of


@pytest.mark.parametrize("learning", ["bge", "bic", "edge-exclusion"])
def test_every_way_to_learn_a_gaussian_network_solves_the_sphere(learning):
    assert best_of("egna", "sphere", population=300, learning=learning) > -1e-5


@pytest.mark.parametrize(("function", "least"), [("griewangk", -0.2), ("rosenbrock", -2 * D)])
def test_standard_functions(function, least):
    assert best_of("egna", function, population=300) > least


def test_models_of_dependences_get_further_where_variables_depend_on_each_other():
    single = best_of("umda-c", "cancellation", population=300, scaling="none")
    joint = best_of("egna", "cancellation", population=300, scaling="none")
    # The optimum is 100,000; independent densities get stuck well below.
    assert single < 90_000
    assert joint > 99_000


@pytest.mark.parametrize("learning", ["bge", "bic", "edge-exclusion"])
def test_the_arc_between_two_dependent_weights_is_found(learning):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 3))
    rows[:, 2] += 3 * rows[:, 0]
    graph = EGNA(learning=learning).learn(rows).graph
    assert [set(arc) for arc in graph.arcs] == [{0, 2}]


def test_independent_weights_get_few_arcs_however_narrow_the_population_is():
    rows = 0.3 + 1e-4 * np.random.default_rng(0).normal(size=(500, 10))
    assert len(EGNA().learn(rows).graph.arcs) <= 3
