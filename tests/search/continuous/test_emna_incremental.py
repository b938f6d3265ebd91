"""EMNA_i: every new candidate is added."""

from __future__ import annotations

import numpy as np

from fewest.measures.base import Scores
from fewest.search import Better, Box, EMNAIncremental
from fewest.search.population import Population


def test_every_candidate_is_added():
    members = Population(np.array([[0.9], [0.5]]), Scores(np.array([3.0, 2.0])))
    new = Population(np.array([[0.0]]), Scores(np.array([-1.0])))
    after = EMNAIncremental().take_in(members, new, Better(Box(1)))
    assert after.value.tolist() == [3.0, 2.0, -1.0]
