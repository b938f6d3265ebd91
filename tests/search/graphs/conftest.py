"""Rows of a small network, with what the proven best graph scores."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._models.family_scores import FamilyScores
from fewest.networks._bif import load_network
from fewest.networks._network_measures import GraphScorer
from fewest.networks._optimum import learn_exact
from fewest.search import Graphs


@pytest.fixture(scope="session")
def rows():
    network = load_network("asia")
    return network.sample(2000, np.random.default_rng(0)), network.cardinalities


@pytest.fixture
def scorer(rows):
    return GraphScorer(FamilyScores(*rows))


@pytest.fixture(scope="session")
def space():
    return Graphs(8, 3)


@pytest.fixture(scope="session")
def best(rows):
    return learn_exact(*rows, max_parents=3).score
