"""Tabu search over graphs."""

from __future__ import annotations

import pytest

from fewest.models.networks.structure_search import climb
from fewest.search import TabuGraph
from fewest.testing import drive


def test_it_is_the_tabu_search_of_the_models(rows, scorer, space):
    done = drive(TabuGraph(tenure=4, patience=30), space, scorer)
    _, value = climb(*rows, max_parents=3, tenure=4, patience=30)
    assert done.best_value == pytest.approx(value)
    assert done.verdict.reason == "no improvement in 30 steps"
    # The last of the 30 steps ends the search; steps that cost are made.
    assert done.values[-30][0] == pytest.approx(value)
    assert (done.value[1:] < done.value[:-1] - 1e-6).any()
