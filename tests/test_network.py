"""NetworkLearner: what it learns, tells and refuses, by every search."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewest import NetworkLearner, Result, load
from fewest._errors import InputError
from fewest._run.stop_rules import Generations
from fewest.data._discretise import Discretiser
from fewest.networks._bif import load_network, read_bif, sample_dataset
from fewest.networks._inference.sampling import LikelihoodWeighting
from fewest.networks._inferential_loss import InferentialLoss
from fewest.networks._runs import ORDER_SEARCHES, STRUCTURE_SEARCHES
from fewest.search import AnnealGraph, ClimbGraph, ExactGraph, GAGraph, GAOrder, TabuGraph


@pytest.fixture(scope="module")
def asia():
    return sample_dataset("asia", n_rows=5000).frame()


@parametrize_with_checks([NetworkLearner("hill-climbing")])
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("search", [*STRUCTURE_SEARCHES, *ORDER_SEARCHES])
def test_every_search_learns_a_network(asia, search):
    proven = NetworkLearner("exact").fit(asia)
    learner = NetworkLearner(search, random_state=0).fit(asia)
    assert learner.score_ <= proven.score_ + 1e-6
    assert learner.score_ > proven.score_ - 40
    assert learner.score_ == pytest.approx(learner.result_.score)
    place = learner.ordering_.index
    assert all(place(a) < place(b) for a, b in learner.network_.arcs)
    assert learner.result_.optimal == (search == "exact")
    again = clone(learner).fit(asia)
    assert again.network_.arcs == learner.network_.arcs


def test_probabilities_of_arcs_do_not_depend_on_the_search(asia):
    few = asia.iloc[:, :5]
    found = [NetworkLearner(s).fit(few).arc_posteriors() for s in ("exact", "hill-climbing")]
    assert found[0].method == "graphs"
    np.testing.assert_array_equal(found[0], found[1])
    assert (np.asarray(found[0]) + np.asarray(found[0]).T).max() <= 1 + 1e-9
    assert 0 < found[0]["smoke", "lung"] < 1


def test_the_genetic_search_over_orderings_reaches_the_proven_optimum(asia):
    best = NetworkLearner("exact").fit(asia).score_
    reached = sum(
        NetworkLearner("ga-order", random_state=seed).fit(asia).score_ >= best - 1e-6
        for seed in range(10)
    )
    assert reached >= 9


def test_a_journal_resumes_exactly(asia, tmp_path):
    journal = tmp_path / "run.jsonl"
    search = GAOrder(population=20)
    whole = NetworkLearner(search, stop=Generations(12), random_state=3).fit(asia)
    NetworkLearner(search, stop=Generations(12), random_state=3, journal=journal).fit(asia)
    lines = journal.read_text().splitlines()
    journal.write_text("\n".join(lines[:6]) + "\n" + lines[6][:20])
    again = NetworkLearner(search, stop=Generations(12), random_state=3, journal=journal).fit(asia)
    assert again.network_.arcs == whole.network_.arcs
    assert again.result_.archive == whole.result_.archive
    assert len(journal.read_text().splitlines()) == len(lines)


QUICK = {
    "hill-climbing": ClimbGraph(),
    "tabu": TabuGraph(patience=15),
    "annealing": AnnealGraph(steps=3000, batch=200),
    "genetic": GAGraph(population=8, generations=8),
    "exact": ExactGraph(),
}


@pytest.mark.parametrize("search", QUICK)
def test_a_search_over_graphs_killed_and_resumed_is_the_whole_run(asia, search, tmp_path):
    journal = tmp_path / "run.jsonl"
    whole = NetworkLearner(QUICK[search], random_state=3).fit(asia)
    NetworkLearner(QUICK[search], random_state=3, journal=journal).fit(asia)
    lines = journal.read_text().splitlines()
    for kept in {1, len(lines) // 2, len(lines) - 1, len(lines)}:
        torn = lines[kept][:20] if kept < len(lines) else ""
        journal.write_text("".join(line + "\n" for line in lines[:kept]) + torn)
        # The seed comes from the journal.
        again = NetworkLearner(QUICK[search], journal=journal).fit(asia)
        assert again.network_.arcs == whole.network_.arcs
        assert told(again) == told(whole)
        assert journal.read_text().splitlines() == lines


@pytest.mark.parametrize("search", [*QUICK, "ga-order"])
def test_the_answer_does_not_depend_on_the_workers(asia, search):
    alone = NetworkLearner(QUICK.get(search, search), random_state=1, stop=Generations(9)).fit(asia)
    four = clone(alone).set_params(n_jobs=4).fit(asia)
    assert told(four) == told(alone)


def told(learner):
    """What two equal runs have in common: everything but the clock."""
    plain = learner.result_.to_dict()
    history = [{k: v for k, v in entry.items() if "seconds" not in k} for entry in plain["history"]]
    return {**plain, "seconds": None, "settings": None, "history": history}


@pytest.mark.parametrize("search", ["tabu", "ga-order"])
def test_callbacks_hear_of_every_step_and_can_stop(asia, search):
    pytest.importorskip("sklearn.callback")
    counting = Counting()
    learner = NetworkLearner(search, random_state=0)
    learner.set_callbacks(counting)
    learner.fit(asia)
    assert counting.batches == learner.result_.generations == 4
    assert learner.result_.stopped == "a callback asked to stop"
    assert learner.network_.arcs


class Counting:
    """Counts batches, and asks to stop after four."""

    batches = 0

    def setup(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context, **more):
        pass

    def on_fit_task_end(self, estimator, context, **more):
        if context.task_name == "generation":
            self.batches += 1
            return self.batches >= 4
        return None

    def teardown(self, estimator, context):
        pass


def test_results_of_searches_over_graphs_tell_arcs(asia, tmp_path):
    learner = NetworkLearner("genetic", random_state=0).fit(asia)
    result = learner.result_
    assert {tuple(arc.split(" -> ")) for arc in result.features} == set(learner.network_.arcs)
    assert result.history[-1]["best_so_far"] == result.score == result.archive[0]["value"]
    assert [entry["generation"] for entry in result.history] == list(range(20))
    result.save(tmp_path / "result.json")
    assert Result.load(tmp_path / "result.json").features == result.features


def test_mixed_columns_and_unknown_values():
    data = load("horse-colic").X.iloc[:, :8]
    assert data.isna().any().any()
    learner = NetworkLearner(discretiser=Discretiser(method="width", bins=3)).fit(data)
    with_gaps = data.columns[data.isna().any()]
    for name, levels in zip(learner.network_.names, learner.network_.levels, strict=True):
        assert ("?" in levels) == (name in with_gaps)
    assert np.isfinite(learner.score(data))
    proba = learner.predict_proba(data, target=data.columns[0])
    assert proba.sum(axis=1) == pytest.approx(np.ones(len(data)))


def test_posteriors_of_rows_are_those_of_queries(asia):
    learner = NetworkLearner().fit(asia)
    rows = asia.iloc[:5]
    proba = learner.predict_proba(rows, target="lung")
    for k in range(5):
        evidence = rows.iloc[k].drop("lung").to_dict()
        expected = learner.query("lung", evidence)
        assert proba[k] == pytest.approx(list(expected.values()))
    unknown = rows.copy()
    unknown["xray"] = None
    partly = learner.predict_proba(unknown, target="lung")
    evidence = rows.iloc[0].drop(["lung", "xray"]).to_dict()
    assert partly[0] == pytest.approx(list(learner.query("lung", evidence).values()))


def test_score_is_the_mean_log_likelihood_and_samples_follow_the_network(asia):
    learner = NetworkLearner().fit(asia)
    gold = load_network("asia")
    codes = [
        [levels.index(v) for v in asia[n]]
        for n, levels in zip(gold.names, gold.levels, strict=True)
    ]
    truth = gold.network.log_probability(np.array(codes).T).mean()
    assert learner.score(asia) == pytest.approx(truth, abs=0.02)
    drawn = pd.DataFrame(learner.sample(4000, random_state=0), columns=learner.network_.names)
    assert (drawn["smoke"] == "yes").mean() == pytest.approx(0.5, abs=0.03)
    assert (learner.sample(3, random_state=1) == learner.sample(3, random_state=1)).all()


def test_queries_by_sampling_come_near_the_exact_ones(asia):
    learner = NetworkLearner().fit(asia)
    evidence = {"xray": "yes", "smoke": "no"}
    exact = learner.query("lung", evidence)
    for inference in ("likelihood-weighting", "ais-bn"):
        found = learner.query("lung", evidence, inference=inference, random_state=0)
        assert found == pytest.approx(exact, abs=0.05)
    with pytest.raises(InputError, match="`inference` must be an Inference or one of auto, exact"):
        learner.query("lung", inference="guess")


def test_files_and_results_are_written(asia, tmp_path):
    learner = NetworkLearner().fit(asia)
    learner.save_bif(tmp_path / "asia.bif")
    assert read_bif(tmp_path / "asia.bif").arcs == learner.network_.arcs
    learner.result_.save(tmp_path / "result.json")
    loaded = Result.load(tmp_path / "result.json")
    assert loaded.extra["network"]["names"] == list(asia.columns)
    assert loaded.optimal
    searched = NetworkLearner("ga-order", stop=Generations(3), random_state=0).fit(asia)
    searched.result_.save(tmp_path / "order.json")
    best = Result.load(tmp_path / "order.json").archive[0]["features"]
    assert [asia.columns[j] for j in best] == searched.result_.extra["best_ordering"]


def test_scores_can_have_parameters_and_clone():
    from fewest._models.family_scores import Score

    learner = NetworkLearner(score=Score("bdeu", 5.0))
    assert clone(learner).get_params()["score"] == Score("bdeu", 5.0)
    assert learner.set_params(score="k2").get_params()["score"] == "k2"
    table = pd.DataFrame({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20})
    assert len(learner.fit(table).network_.arcs) == 1


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"search": "exacct"}, "`search` must be .* but is 'exacct'. Did you mean exact"),
        ({"search": "sfs"}, "`search` must be"),
        ({"score": "bis"}, "`score` must be one of"),
        ({"score": 3}, "`score` must be a name, a Score or an InferentialLoss, but is 3"),
        ({"max_parents": -1}, "`max_parents` must be a whole number of at least 0"),
    ],
)
def test_wrong_parameters_are_told_in_a_sentence(asia, parameters, sentence):
    with pytest.raises(InputError, match=sentence):
        NetworkLearner(**parameters).fit(asia)


def test_wrong_queries_are_told_in_a_sentence(asia):
    learner = NetworkLearner(prior=0.0).fit(asia)
    with pytest.raises(InputError, match=r"`target` must name a variable .* 'lungs' is none"):
        learner.query("lungs")
    with pytest.raises(InputError, match=r"`evidence` must name a variable .* 'lungs' is none"):
        learner.query("lung", {"lungs": "yes"})
    with pytest.raises(InputError, match="`evidence` must be possible .* has probability zero"):
        learner.query("dysp", {"lung": "yes", "either": "no"})
    with pytest.raises(InputError, match=r"`evidence` must be a dictionary .* is \['lung'\]"):
        learner.query("dysp", ["lung"])
    with pytest.raises(InputError, match="An arc must be a pair .* 'lungs' is none. Did you mean"):
        learner.arc_posteriors()["smoke", "lungs"]
    new = asia.head(3).copy()
    new["xray"] = "blurred"
    with pytest.raises(InputError, match="'xray' has unknown or new ones"):
        learner.score(new)
    many = pd.DataFrame({"id": [f"v{i}" for i in range(300)], "b": ["x", "y"] * 150})
    with pytest.raises(InputError, match="at most 255 values .* 'id' has 300"):
        NetworkLearner().fit(many)


def test_answers_say_how_good_they_are(asia):
    learner = NetworkLearner("hill-climbing").fit(asia)
    exact = learner.query("lung", {"xray": "yes"})
    assert exact.effective is None
    assert set(exact.errors.values()) == {0.0}
    sampled = learner.query("lung", {"xray": "yes"}, inference="ais-bn", random_state=0)
    assert abs(sampled["yes"] - exact["yes"]) < 5 * sampled.errors["yes"] < 0.1
    assert sampled.evidence_probability == pytest.approx(exact.evidence_probability, rel=0.1)
    poor = LikelihoodWeighting(samples=20)
    with pytest.warns(UserWarning, match=r"effective sample size of .*, below 100"):
        learner.query("lung", {"xray": "yes"}, inference=poor, random_state=0)


def test_evidence_can_be_a_number():
    rng = np.random.default_rng(0)
    stars = rng.integers(1, 6, 400)
    frame = pd.DataFrame({"stars": stars, "price": stars + rng.random(400)})
    learner = NetworkLearner().fit(frame)
    assert learner.network_.levels[0] == (1, 2, 3, 4, 5)
    assert learner.query("price", {"stars": 5})[learner.network_.levels[1][-1]] > 0.9
    assert learner.query("stars", {"price": 5.9}) == learner.query("stars", {"price": (5.5, 6)})
    assert list(learner.result_.extra["cuts"]) == ["price"]
    assert any("price at" in note for note in learner.result_.notes)
    for nothing in (float("nan"), None):
        with pytest.raises(InputError, match="`evidence` gives price an unknown value .* leave it"):
            learner.query("stars", {"price": nothing})
    with pytest.raises(InputError, match=r"`evidence` gives price the value \('a', 6\)"):
        learner.query("stars", {"price": ("a", 6)})


def test_unknown_values_are_evidence_where_they_are_a_level(asia):
    gaps = asia.assign(xray=asia["xray"].where(asia.index % 3 > 0))
    learner = NetworkLearner("hill-climbing").fit(gaps)
    # pyAgrum adds up in another order each time.
    unknown = learner.query("lung", {"xray": "?"})
    assert learner.query("lung", {"xray": None}) == pytest.approx(unknown, rel=1e-12)


def test_the_inferential_loss_is_a_score():
    frame = sample_dataset("cancer", n_rows=400).frame()
    loss = InferentialLoss(evidence=["Smoker", "Xray"], n_queries=40)
    learner = NetworkLearner("ga-order", score=loss, stop=Generations(3), random_state=0).fit(frame)
    assert learner.result_.measure == "inferential loss"
    assert learner.score_ == learner.result_.score
    assert 0.5 < learner.score_ < 1
    best = learner.result_.extra["best_ordering"]
    # Hsu takes later variables of an ordering as parents.
    assert all(best.index(a) > best.index(b) for a, b in learner.network_.arcs)
    goals = learner.result_.extra["goals"]
    assert goals[0]["f_a"] == pytest.approx(learner.score_)
    assert all(
        one is other or one["f_a"] > other["f_a"] or one["f_b"] > other["f_b"]
        for one in goals
        for other in goals
    )
    curve = learner.result_.extra["learning_curve"]
    assert curve[-1]["f_a"] == pytest.approx(learner.score_)
    assert NetworkLearner(score=loss, stop=Generations(1)).fit(frame).result_.search == "ga-order"
    with pytest.raises(InputError, match="must be one over orderings .* but is 'tabu'"):
        NetworkLearner("tabu", score=loss).fit(frame)
