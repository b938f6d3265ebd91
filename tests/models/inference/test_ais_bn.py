"""Adaptive importance sampling where the evidence is unlikely."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.networks._bif import load_network
from fewest.networks._inference.sampling import (
    AISBN,
    LikelihoodWeighting,
    SampleTally,
    _raise_small,
)
from tests.models.inference.cases import squared_error, unlikely

pytest.importorskip("pyagrum")


@pytest.mark.parametrize("seed", range(3))
def test_adaptive_sampling_beats_likelihood_weighting_on_unlikely_evidence(seed):
    alarm = load_network("alarm")
    evidence, exact = unlikely(alarm, seed, 6)
    errors = [
        squared_error(
            sampler(samples=100_000).posteriors(alarm, evidence, np.random.default_rng(seed)),
            exact, evidence,
        )
        for sampler in (LikelihoodWeighting, AISBN)
    ]  # fmt: skip
    assert errors[1] < errors[0] / 10


def test_adaptive_sampling_beats_likelihood_weighting_in_pathfinder():
    network = load_network("pathfinder")
    evidence, exact = unlikely(network, 0, 6)
    errors = [
        squared_error(
            sampler(samples=20_000).posteriors(network, evidence, np.random.default_rng(0)),
            exact, evidence,
        )
        for sampler in (LikelihoodWeighting, AISBN)
    ]  # fmt: skip
    assert errors[1] < errors[0]


def test_small_probabilities_are_raised_at_the_expense_of_the_largest():
    rows = np.array([[0.97, 0.03, 0.0], [0.5, 0.25, 0.25]])
    _raise_small(rows, 0.04)
    assert rows == pytest.approx(np.array([[0.92, 0.04, 0.04], [0.5, 0.25, 0.25]]))


def test_parents_of_unlikely_findings_start_with_uniform_tables():
    asia = load_network("asia")
    rng = np.random.default_rng(0)
    at = asia.names.index("asia")
    found = {}
    for value in ("yes", "no"):
        # One person in a hundred has tuberculosis.
        tally = SampleTally(asia, asia.evidence({"tub": value}))
        start = AISBN(smallest=0).initial(tally, np.ones(8, dtype=bool), rng)
        found[value] = start[tally.layout[3][at] : tally.layout[3][at + 1]].tolist()
    assert found["yes"] == [0.5, 0.5]
    assert sorted(found["no"]) == pytest.approx([0.01, 0.99])
