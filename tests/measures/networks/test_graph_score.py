"""Scores of graphs are sums of naive family scores."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from fewest._models.family_scores import FamilyScores
from fewest._models.graph import Graph, matrix_of
from fewest.networks._network_measures import GraphScorer
from tests.naive import discrete_models

GRAPHS = [Graph(((), (), ())), Graph(((), (0,), (0, 1))), Graph(((2,), (2,), ()))]


@pytest.mark.parametrize("score", ["bic", "k2"])
def test_a_graph_is_worth_its_families(score):
    rows = np.random.default_rng(0).integers(0, 3, (50, 3))
    scorer = GraphScorer(FamilyScores(rows, np.full(3, 3), score=score))
    batch = np.stack([matrix_of(graph).ravel() for graph in GRAPHS])
    expected = [
        discrete_models.graph_score(rows.tolist(), [3] * 3, list(graph.parents), score)
        for graph in GRAPHS
    ]
    assert scorer.score(batch).value == pytest.approx(expected)
    copied = pickle.loads(pickle.dumps(scorer))
    np.testing.assert_array_equal(copied.score(batch).value, scorer.score(batch).value)
    assert scorer.score(batch[:0]).value.shape == (0,)
