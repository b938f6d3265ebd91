"""What holds for every inference by sampling, against exact posteriors."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.networks._bif import load_network
from fewest.networks._inference import sampling
from fewest.networks._inference.junction_tree import ExactInference
from fewest.networks._inference.sampling import AISBN, INFERENCES, SampleTally, resolve_inference
from tests.models.inference.cases import squared_error

pytest.importorskip("pyagrum")
SAMPLERS = [name for name in INFERENCES if name not in ("auto", "exact")]


@pytest.mark.parametrize("name", SAMPLERS)
def test_standard_errors_are_those_of_repeated_answers(name):
    asia = load_network("asia")
    evidence = asia.evidence({"xray": "yes", "dysp": "no"})
    sampler = resolve_inference(name).set_params(samples=4000)
    found = [sampler.posteriors(asia, evidence, np.random.default_rng(s)) for s in range(60)]
    lung, exact = asia.position("lung"), ExactInference().posteriors(asia, evidence)
    values = np.array([f.values[lung][0] for f in found])
    stated = np.array([f.errors[lung][0] for f in found])
    assert np.sqrt((stated**2).mean()) == pytest.approx(values.std(), rel=0.35)
    assert (abs(values - exact.values[lung][0]) < 3 * stated).mean() > 0.9
    probability = np.array([f.evidence_probability for f in found])
    doubt = np.array([f.evidence_error for f in found])
    assert (abs(probability - exact.evidence_probability) < 3 * doubt).mean() > 0.9


@pytest.mark.parametrize("name", SAMPLERS)
def test_errors_fall_with_the_root_of_the_samples(name):
    asia = load_network("asia")
    evidence = asia.evidence({"xray": "yes", "dysp": "no"})
    exact = ExactInference().posteriors(asia, evidence)
    errors = []
    for samples in (1000, 16_000):
        sampler = resolve_inference(name).set_params(samples=samples)
        found = [
            sampler.posteriors(asia, evidence, np.random.default_rng(seed)) for seed in range(40)
        ]
        errors.append(np.sqrt(np.mean([squared_error(f, exact, evidence) for f in found])))
        probability = np.mean([f.evidence_probability for f in found])
        assert probability == pytest.approx(exact.evidence_probability, rel=0.1)
    # 16 times the samples, a quarter of the error; less where they also serve for learning.
    ratio = errors[0] / errors[1]
    assert ratio > 2.8
    assert ratio < 5.7 or name in ("ais-bn", "self-importance")
    assert errors[1] < 0.03


@pytest.mark.parametrize("name", SAMPLERS)
def test_without_evidence_and_with_everything_observed(name):
    cancer = load_network("cancer")
    sampler = resolve_inference(name)
    nothing = sampler.posteriors(cancer, cancer.evidence({}), np.random.default_rng(0))
    assert nothing["Smoker"]["True"] == pytest.approx(0.3, abs=0.03)
    assert nothing.evidence_probability == pytest.approx(1.0, rel=0.01)
    everything = np.array([0, 1, 1, 1, 1])
    sure = sampler.posteriors(cancer, everything, np.random.default_rng(0))
    joint = float(np.exp(cancer.network.log_probability(everything[None]))[0])
    assert sure.evidence_probability == pytest.approx(joint, rel=0.05)
    assert [v.argmax() for v in sure.values] == everything.tolist()


def test_a_level_that_no_sample_has_is_not_certain():
    asia, sampler = load_network("asia"), resolve_inference("logic-sampling")
    sampler.samples = 100
    found = [
        sampler.posteriors(asia, asia.evidence({}), np.random.default_rng(seed))["asia"]
        for seed in range(200)
    ]
    assert min(answer["yes"] for answer in found) == 0
    within = [abs(answer["yes"] - 0.01) <= 2 * answer.errors["yes"] for answer in found]
    assert np.mean(within) > 0.9


def test_nothing_depends_on_the_block(monkeypatch):
    asia = load_network("asia")
    evidence = asia.evidence({"xray": "yes"})
    whole = AISBN(samples=3000).posteriors(asia, evidence, np.random.default_rng(0))
    monkeypatch.setattr(sampling, "BLOCK_SAMPLES", 100)
    parts = AISBN(samples=3000).posteriors(asia, evidence, np.random.default_rng(0))
    for one, other in zip(whole.values, parts.values, strict=True):
        np.testing.assert_allclose(one, other)


@pytest.mark.parametrize("name", SAMPLERS)
def test_impossible_evidence_and_wrong_parameters_are_refused(name):
    asia = load_network("asia")
    evidence = asia.evidence({"lung": "yes", "either": "no"})
    with pytest.raises(InputError, match="must be likely enough for sampling, but none of"):
        resolve_inference(name).posteriors(asia, evidence, np.random.default_rng(0))
    with pytest.raises(InputError, match="`samples` of .* must be a whole number of at least 1"):
        resolve_inference(name).set_params(samples=0).posteriors(
            asia, asia.evidence({}), np.random.default_rng(0)
        )


def test_a_tally_by_hand():
    cancer = load_network("cancer")
    evidence = cancer.evidence({"Xray": "positive"})
    tally = SampleTally(cancer, evidence)
    # Four samples of weights 1, 1, 2 and 0; in the last but one a single variable differs.
    tally.drawn = 4
    tally.totals[:] = 4.0, 6.0, 0.0
    # The weights 1 and 2 met the first level of variable 1, the other weight 1 its second.
    tally.marginals[:, tally.places[1]] = 3.0, 5.0
    tally.marginals[:, tally.places[1] + 1] = 1.0, 1.0
    found = tally.posteriors()
    assert found.values[1].tolist() == [0.75, 0.25]
    assert found.evidence_probability == 1.0
    assert found.effective == pytest.approx(16 / 6)
    # Squares of weight times distance from 3/4, (1/16 + 4/16 + 9/16) / 4^2, and one over the
    # effective sample size.
    assert found.errors[1] == pytest.approx([np.sqrt(14 / 16 / 16 + (6 / 16) ** 2)] * 2)
    assert found.evidence_error == pytest.approx(np.sqrt((6 / 4 - 1) / 4))
    tally.add(tally)
    assert tally.drawn == 8
    assert tally.posteriors().effective == pytest.approx(64 / 12)
