"""Inference in discrete networks, exact and by sampling."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._kernels.networks.draws import BACKWARD, FORWARD, WEIGHT
from fewest._models.graph import Graph
from fewest.networks._bif import load_network
from fewest.networks._inference import junction_tree as enumeration
from fewest.networks._inference import sampling
from fewest.networks._inference import sampling as registry
from fewest.networks._inference.junction_tree import (
    ExactInference,
    Posteriors,
    certain,
    impossible,
    posterior_table,
    summed_up,
    to_pyagrum,
)
from fewest.networks._inference.sampling import (
    AISBN,
    INFERENCES,
    BackwardSampling,
    HeuristicImportance,
    LikelihoodWeighting,
    LogicSampling,
    Sampler,
    SampleTally,
    SelfImportance,
    _raise_small,
    heuristic_tables,
    parts_of,
    plan_steps,
    resolve_inference,
    row_shares,
)

gum = pytest.importorskip("pyagrum")


# What the tests of inferences share.
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


# Inferences by name.
def test_names_are_resolved():
    assert isinstance(resolve_inference("exact"), ExactInference)
    assert isinstance(resolve_inference(AISBN()), Sampler)
    with pytest.raises(InputError, match=r"but is 'ais'. Did you mean ais-bn\?"):
        resolve_inference("ais")


def test_auto_is_exact_where_the_junction_tree_is_small(monkeypatch):
    asia = load_network("asia")
    codes, rng = asia.evidence({"xray": "yes"}), np.random.default_rng(0)
    exact = resolve_inference("auto").posteriors(asia, codes, rng)
    assert exact.effective is None
    monkeypatch.setattr(registry, "MOST_CELLS", 10)
    sampled = resolve_inference("auto").posteriors(asia, codes, rng)
    assert sampled.effective > 1000
    assert sampled["lung"]["yes"] == pytest.approx(exact["lung"]["yes"], abs=0.05)
    assert exact["lung"].errors == {"yes": 0.0, "no": 0.0}


# Posteriors by name, and the evidence itself.
def test_posteriors_are_found_by_name_and_level():
    cancer = load_network("cancer")
    values = tuple(np.array([0.25, 0.75]) for _ in cancer.names)
    found = Posteriors(cancer, values, 1.0)
    assert list(found["Smoker"].values()) == [0.25, 0.75]
    assert set(found["Smoker"]) == {"True", "False"}
    with pytest.raises(InputError, match="'smoker'"):
        found["smoker"]


def test_what_is_observed_is_certain():
    assert certain(3, 1).tolist() == [0.0, 1.0, 0.0]
    assert "has probability zero; leave out or change a value." in str(impossible())


# Summing up the joint distribution against exact inference.
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


# Exact inference against summing up the joint distribution.
@pytest.mark.parametrize("evidence", [{}, {"xray": "yes"}, {"dysp": "no", "asia": "yes"}])
def test_posteriors_are_sums_of_the_joint(evidence):
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
    engine, asia, cancer = ExactInference(), load_network("asia"), load_network("cancer")
    first = engine.posteriors(asia, asia.evidence({"xray": "yes"}))["lung"]
    engine.posteriors(cancer, cancer.evidence({"Xray": "positive"}))
    again = engine.posteriors(asia, asia.evidence({"xray": "yes"}))["lung"]
    assert again == pytest.approx(first)
    assert engine.posteriors(asia, asia.evidence({}))["lung"] != again


def test_impossible_evidence_is_refused():
    asia = load_network("asia")
    with pytest.raises(InputError, match="must be possible in the network, but has probability ze"):
        ExactInference().posteriors(asia, asia.evidence({"lung": "yes", "either": "no"}))


# What holds for every inference by sampling, against exact posteriors.
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


# Logic sampling and likelihood weighting against pyAgrum's samplers.
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


# Backward sampling: the plan by hand, posteriors against exact ones.
def test_the_plan_goes_up_from_the_evidence_first():
    # 0 -> 1 -> 2, 0 -> 3; the value of 2 is known.
    graph = Graph(((), (0,), (1,), (0,)))
    steps = plan_steps(graph, np.array([False, False, True, False])).tolist()
    assert steps == [[BACKWARD, 2], [BACKWARD, 1], [WEIGHT, 0], [FORWARD, 3]]
    nothing = plan_steps(graph, np.zeros(4, dtype=bool))
    assert {what for what, _ in nothing.tolist()} == {FORWARD}


def test_posteriors_given_what_is_below():
    asia = load_network("asia")
    evidence = asia.evidence({"xray": "yes", "dysp": "yes"})
    exact = ExactInference().posteriors(asia, evidence)
    found = BackwardSampling(samples=50_000).posteriors(asia, evidence, np.random.default_rng(0))
    assert found.evidence_probability == pytest.approx(exact.evidence_probability, rel=0.05)
    for one, other in zip(found.values, exact.values, strict=True):
        assert one == pytest.approx(other, abs=0.03)


# Importance tables: messages, shares and parts.
def test_heuristic_tables_are_exact_in_a_tree():
    # A chain: Pollution and Smoker made irrelevant by looking at Cancer -> Xray alone.
    cancer = load_network("cancer")
    evidence = cancer.evidence({"Xray": "positive"})
    exact = ExactInference().posteriors(cancer, evidence)
    found = HeuristicImportance(samples=2000).posteriors(cancer, evidence, np.random.default_rng(0))
    assert found.evidence_probability == pytest.approx(exact.evidence_probability, rel=0.05)
    assert found.effective > 1500
    tables = heuristic_tables(SampleTally(cancer, evidence))
    assert tables == pytest.approx(tables.clip(0, 1))


def test_parts_and_shares():
    assert parts_of(10, 3) == [4, 3, 3]
    assert parts_of(2, 5) == [1, 1]
    cancer = load_network("cancer")
    tally = SampleTally(cancer, cancer.evidence({}))
    cells = np.zeros_like(tally.true)
    first = tally.layout[3][0]
    cells[first : first + 2] = 3.0, 1.0
    shares = row_shares(cells, tally, tally.true)
    assert shares[first : first + 2].tolist() == [0.75, 0.25]
    # Rows without weight stay as they were.
    np.testing.assert_array_equal(shares[first + 2 :], tally.true[first + 2 :])


def test_tables_that_follow_the_samples_make_more_of_them_count():
    cancer = load_network("cancer")
    evidence = cancer.evidence({"Xray": "positive", "Dyspnoea": "True"})
    rng = np.random.default_rng
    few = SelfImportance(samples=20_000, updates=1).posteriors(cancer, evidence, rng(0))
    many = SelfImportance(samples=20_000, updates=20).posteriors(cancer, evidence, rng(0))
    assert many.effective > few.effective


# Adaptive importance sampling where the evidence is unlikely.
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
