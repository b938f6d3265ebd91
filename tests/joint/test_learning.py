"""Networks over predictions: the proven one bounds what the other searches find."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.errors import InputError
from fewest.joint.learning import checked_search, learn_network
from fewest.joint.predictions import Predictions
from fewest.models.networks.scores import Score


def predictions(n=9, rows=150, seed=0):
    """Classifiers that copy one another with some noise."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (rows, n))
    for j in range(1, n):
        copied = rng.random(rows) < 0.8
        codes[copied, j] = codes[copied, rng.integers(0, j)]
    names = tuple(f"m{j}" for j in range(n))
    return Predictions(names, np.array([0, 1]), codes, codes[:, 0], {})


@pytest.mark.parametrize("score", ["k2", "bic"])
def test_the_genetic_search_comes_near_the_proven_network(score):
    rows = predictions()
    values = {}
    for search in ("exact", "genetic", "climbing"):
        graph, optimal, families = learn_network(rows, score, search, np.random.default_rng(0))
        assert optimal == (search == "exact")
        values[search] = Score(score).of(graph, rows.codes, np.full(9, 2))
        assert values[search] == pytest.approx(families.of(graph))
    assert values["exact"] >= values["genetic"] - 1e-9 >= values["climbing"] - 2e-9
    assert values["exact"] - values["genetic"] < 1.0


def test_refusals():
    with pytest.raises(InputError, match="`search` must be one of auto, exact, genetic"):
        checked_search("ebna", 5)
    with pytest.raises(InputError, match='for 21 classifiers, but is "exact"'):
        checked_search("exact", 21)
