"""Every inference by sampling against exact posteriors, and against pyAgrum's samplers."""

import numpy as np
import pytest

from fewest.errors import InputError
from fewest.models.inference.ais_bn import AISBN
from fewest.models.inference.exact import ExactInference
from fewest.models.inference.forward import LikelihoodWeighting, LogicSampling
from fewest.models.inference.importance import HeuristicImportance, heuristic_tables
from fewest.models.inference.registry import INFERENCES, resolve_inference
from fewest.models.inference.sampling import Sampler, Tally
from fewest.models.networks.library import load_network

pytest.importorskip("pyagrum")
SAMPLERS = [name for name in INFERENCES if name != "exact"]


def squared_error(one, other, evidence):
    free = np.flatnonzero(evidence < 0)
    gaps = np.concatenate([one.values[i] - other.values[i] for i in free])
    return float((gaps**2).mean())


def unlikely(network, seed, findings):
    """Values of random leaves whose joint probability is below a millionth."""
    rng, engine = np.random.default_rng(seed), ExactInference()
    inner = {p for parents in network.graph.parents for p in parents}
    leaves = [i for i in range(len(network.names)) if i not in inner]
    while True:
        evidence = np.full(len(network.names), -1)
        for i in rng.choice(leaves, findings, replace=False):
            evidence[i] = rng.integers(network.cardinalities[i])
        try:
            exact = engine.posteriors(network, evidence)
        except InputError:
            continue
        if 1e-12 < exact.evidence_probability < 1e-6:
            return evidence, exact


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


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(LikelihoodWeighting, "WeightedSampling"), (LogicSampling, "MonteCarloSampling")],
)
def test_samplers_agree_with_pyagrums(ours, theirs):
    import pyagrum as gum

    from fewest.models.networks.convert import to_pyagrum

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


def test_heuristic_tables_are_exact_in_a_tree():
    # A chain: Pollution and Smoker made irrelevant by looking at Cancer -> Xray alone.
    cancer = load_network("cancer")
    evidence = cancer.evidence({"Xray": "positive"})
    exact = ExactInference().posteriors(cancer, evidence)
    found = HeuristicImportance(samples=2000).posteriors(cancer, evidence, np.random.default_rng(0))
    assert found.evidence_probability == pytest.approx(exact.evidence_probability, rel=0.05)
    assert found.effective > 1500
    tables = heuristic_tables(Tally(cancer, evidence))
    assert tables == pytest.approx(tables.clip(0, 1))


def test_nothing_depends_on_the_block(monkeypatch):
    from fewest.models.inference import sampling

    asia = load_network("asia")
    evidence = asia.evidence({"xray": "yes"})
    whole = AISBN(samples=3000).posteriors(asia, evidence, np.random.default_rng(0))
    monkeypatch.setattr(sampling, "BLOCK", 100)
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


def test_names_are_resolved():
    assert isinstance(resolve_inference("exact"), ExactInference)
    assert isinstance(resolve_inference(AISBN()), Sampler)
    with pytest.raises(InputError, match=r"but is 'ais'. Did you mean ais-bn\?"):
        resolve_inference("ais")
