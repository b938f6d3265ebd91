"""Logic sampling and likelihood weighting against pyAgrum's samplers."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.networks._bif import load_network
from fewest.networks._inference.junction_tree import to_pyagrum
from fewest.networks._inference.sampling import LikelihoodWeighting, LogicSampling

gum = pytest.importorskip("pyagrum")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(LikelihoodWeighting, "WeightedSampling"), (LogicSampling, "MonteCarloSampling")],
)
def test_samplers_agree_with_pyagrums(ours, theirs):
    asia = load_network("asia")
    evidence = asia.evidence({"smoke": "no", "xray": "yes"})
    found = ours(samples=100_000).posteriors(asia, evidence, np.random.default_rng(0))
    net = to_pyagrum(asia)
    gum.initRandom(1)
    engine = getattr(gum, theirs)(net)
    engine.setEvidence({"smoke": "no", "xray": "yes"})
    engine.setEpsilon(0.005)
    engine.setMaxTime(5)
    engine.makeInference()
    for name in ("lung", "dysp", "tub"):
        expected = engine.posterior(name).toarray()
        assert list(found[name].values()) == pytest.approx(expected.tolist(), abs=0.04)


def test_logic_sampling_keeps_what_agrees_with_the_evidence():
    asia = load_network("asia")
    evidence = asia.evidence({"smoke": "yes"})
    found = LogicSampling(samples=2000).posteriors(asia, evidence, np.random.default_rng(0))
    # Weights are 0 or 1: as many samples count as agree, and half of the people smoke.
    assert found.effective == pytest.approx(2000 * found.evidence_probability)
    assert found.evidence_probability == pytest.approx(0.5, abs=0.04)
    weighed = LikelihoodWeighting(samples=2000).posteriors(asia, evidence, np.random.default_rng(0))
    # The evidence is a root: every sample has the weight 1/2.
    assert weighed.evidence_probability == pytest.approx(0.5)
    assert weighed.effective == pytest.approx(2000)
