"""Summing up the joint distribution against exact inference."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.networks._bif import load_network
from fewest.networks._inference import junction_tree as enumeration
from fewest.networks._inference.junction_tree import ExactInference, posterior_table, summed_up
from fewest.networks._inference.sampling import LikelihoodWeighting

pytest.importorskip("pyagrum")


def findings(network, n, seed=0):
    """Rows of the network with half of the values unknown."""
    rng = np.random.default_rng(seed)
    rows = network.sample(n, rng).astype(np.int64)
    rows[rng.random(rows.shape) < 0.5] = -1
    return rows


def test_sums_are_the_posteriors_of_pyagrum(monkeypatch):
    asia = load_network("asia")
    evidence = findings(asia, 20)
    rng = np.random.default_rng(0)
    summed = posterior_table(asia, evidence, ExactInference(), rng)
    monkeypatch.setattr(enumeration, "MOST_CASES", 0)
    one_by_one = posterior_table(asia, evidence, ExactInference(), rng)
    assert summed == pytest.approx(one_by_one)
    assert summed.shape == (20, 16)


def test_impossible_evidence_is_nan():
    asia = load_network("asia")
    rows = np.stack([asia.evidence({"lung": "yes", "either": "no"}), asia.evidence({})])
    for inference in (ExactInference(), LikelihoodWeighting(samples=500)):
        found = posterior_table(asia, rows, inference, np.random.default_rng(0))
        assert np.isnan(found[0]).all()
        assert not np.isnan(found[1]).any()
    with np.errstate(all="raise"):
        assert np.isnan(summed_up(asia, rows)[0]).all()
