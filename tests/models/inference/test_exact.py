"""Exact inference against summing up the joint distribution."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.networks._bif import load_network
from fewest.networks._inference.junction_tree import ExactInference


@pytest.mark.parametrize("evidence", [{}, {"xray": "yes"}, {"dysp": "no", "asia": "yes"}])
def test_posteriors_are_sums_of_the_joint(evidence):
    pytest.importorskip("pyagrum")
    asia = load_network("asia")
    codes = asia.evidence(evidence)
    every = np.indices((2,) * 8).reshape(8, -1).T
    joint = np.exp(asia.network.log_probability(every))
    fits = ((codes < 0) | (every == codes)).all(axis=1)
    found = ExactInference().posteriors(asia, codes)
    assert found.evidence_probability == pytest.approx(joint[fits].sum())
    for i, name in enumerate(asia.names):
        expected = [joint[fits & (every[:, i] == v)].sum() / joint[fits].sum() for v in (0, 1)]
        assert found.values[i] == pytest.approx(expected)
        assert list(found[name].values()) == pytest.approx(expected)


def test_one_engine_serves_many_networks_and_evidences():
    pytest.importorskip("pyagrum")
    engine, asia, cancer = ExactInference(), load_network("asia"), load_network("cancer")
    first = engine.posteriors(asia, asia.evidence({"xray": "yes"}))["lung"]
    engine.posteriors(cancer, cancer.evidence({"Xray": "positive"}))
    again = engine.posteriors(asia, asia.evidence({"xray": "yes"}))["lung"]
    assert again == pytest.approx(first)
    assert engine.posteriors(asia, asia.evidence({}))["lung"] != again


def test_impossible_evidence_is_refused():
    pytest.importorskip("pyagrum")
    asia = load_network("asia")
    with pytest.raises(InputError, match="must be possible in the network, but has probability ze"):
        ExactInference().posteriors(asia, asia.evidence({"lung": "yes", "either": "no"}))
