"""Hill climbing over graphs."""

from __future__ import annotations

import pytest

from fewest._models.structure_search import learn_by_climbing
from fewest.search import ClimbGraph
from fewest.testing import drive


def test_it_ends_where_the_climb_of_the_models_ends(rows, scorer, space):
    done = drive(ClimbGraph(), space, scorer)
    expected = scorer.families.of(learn_by_climbing(*rows, max_parents=3))
    assert done.best_value == pytest.approx(expected)
    assert done.verdict.reason == "no single arc improves the network"


def test_no_step_of_a_climb_costs(scorer, space):
    plain = drive(ClimbGraph(sideways=0), space, scorer)
    values = plain.value
    assert (values[1:] > values[:-1]).all()
    wide = drive(ClimbGraph(sideways=10), space, scorer)
    assert (wide.value[1:] >= wide.value[:-1] - 1e-6).all()
    assert wide.best_value >= plain.best_value
    assert len(wide.batches) > len(plain.batches)
