"""Consensus: votes of searches on resamples."""

import numpy as np
import pytest

import fewest
from fewest._errors import InputError
from fewest._fitting.consensus import consensus_plan
from fewest._fitting.plan import make_problem
from fewest._run.stop_rules import StopKind

RNG = np.random.default_rng(5)
Y = np.arange(120) % 2
X = RNG.normal(size=(120, 12))
X[:, :3] += 1.2 * Y[:, None]
GIVEN = {"search": "sfs", "random_state": 0, "consensus": 6}


def selector(**changes):
    return fewest.SubsetSelector("gaussian-nb", **{**GIVEN, **changes})


def plan(**changes):
    return selector(**changes).plan(make_problem(X, Y, "gaussian-nb"))


def test_the_votes_are_those_of_single_searches_on_the_resamples():
    made = plan()
    told = made.told(made.run())["consensus"]
    expected = []
    for single in made.resampled():
        outcome = single.run()
        archive = outcome.archive
        folds = archive.scores.folds
        # The smallest within one standard error of the best, worked out again.
        best = archive.best_first(archive.up_to(None), 1)[0]
        error = folds[best].std(ddof=1) / np.sqrt(folds.shape[1])
        near = np.flatnonzero(archive.scores.value >= archive.scores.value[best] - error - 1e-12)
        near = near[archive.size[near] == archive.size[near].min()]
        small = archive.best_first(near, 1)
        expected.append((archive.masks(np.array([best]))[0] * 1.0 + archive.masks(small)[0]) / 2)
    assert np.allclose(told["frequency"], np.mean(expected, axis=0), atol=1e-6)
    assert told["resamples"] == 6


def test_the_relevant_features_get_the_votes_and_the_answer_is_a_prefix_of_the_ranking():
    result = selector().fit(X, Y).result_
    shares = np.array(result.extra["consensus"]["frequency"])
    assert set(np.argsort(-shares)[:3]) == {0, 1, 2}
    assert shares[result.support].min() >= shares[~result.support].max()
    assert result.evaluations == result.extra["consensus"]["evaluations"] + len(result.archive)


@pytest.mark.parametrize("consensus", [6, "replay"])
def test_the_answer_does_not_depend_on_the_workers(consensus):
    one = selector(consensus=consensus, search="ga-uniform").fit(X, Y)
    two = selector(consensus=consensus, search="ga-uniform", n_jobs=2).fit(X, Y)
    assert one.result_.extra["consensus"] == two.result_.extra["consensus"]
    assert np.array_equal(one.support_, two.support_)


def test_another_seed_draws_other_rows():
    other = plan(random_state=1).resampled()[0].table.fingerprint
    assert plan().resampled()[0].table.fingerprint != other


def test_constraints_hold():
    found = selector(include=[7], exclude=[0], groups=[[1, 2]], max_features=4).fit(X, Y)
    assert found.support_[7]
    assert not found.support_[0]
    assert found.support_[1] == found.support_[2]
    assert found.support_.sum() <= 4


def test_choose_works_on_the_sizes():
    assert selector(choose=5).fit(X, Y).support_.sum() == 5
    small = selector(choose="half-se").fit(X, Y).support_.sum()
    assert small <= selector().fit(X, Y).support_.sum()


def test_a_filter_and_a_monotone_measure_vote_too():
    codes = (X > 0).astype(int).astype(str)
    for measure, search in (("cfs", "sfs"), ("inconsistency", "exact")):
        found = fewest.SubsetSelector(measure, search=search, consensus=3, random_state=0).fit(
            codes, Y
        )
        assert found.result_.extra["consensus"]["resamples"] == 3


def test_a_journal_lets_every_resample_go_on(tmp_path):
    path = tmp_path / "run.jsonl"
    first = selector(journal=path).fit(X, Y)
    parts = sorted(p.name for p in tmp_path.iterdir())
    assert parts == ["run.jsonl", *(f"run.jsonl.{i:03d}" for i in range(1, 7))]
    sizes = [p.stat().st_size for p in sorted(tmp_path.iterdir())]
    (tmp_path / "run.jsonl.004").unlink()
    again = selector(journal=path).fit(X, Y)
    assert np.array_equal(first.support_, again.support_)
    assert [p.stat().st_size for p in sorted(tmp_path.iterdir())] == sizes


def test_a_journal_of_another_consensus_is_refused(tmp_path):
    selector(journal=tmp_path / "run.jsonl").fit(X, Y)
    with pytest.raises(InputError, match="its consensus is 6, here it is 5"):
        selector(journal=tmp_path / "run.jsonl", consensus=5).fit(X, Y)


def test_interrupted_it_answers_with_the_resamples_that_are_done(monkeypatch):
    made = plan()
    whole = made._ballots

    def three(plans, journal):
        for i, ballot in enumerate(whole(plans, journal)):
            if i == 3:
                raise KeyboardInterrupt
            yield ballot

    monkeypatch.setattr(type(made), "_ballots", lambda self, plans, journal: three(plans, journal))
    outcome = made.run()
    assert outcome.reason.kind is StopKind.INTERRUPT
    assert outcome.reason.text == "interrupted after 3 of 6 resamples"
    assert len(outcome.votes.winners) == 3


def test_the_time_budget_is_shared():
    made = plan(stop=["auto", fewest._run.stop_rules.Seconds(70.0)])
    assert [rule.most for single in made.resampled() for rule in single.rules] == [10.0] * 6


@pytest.mark.parametrize("junk", [1, 0, -3, 2.5, True, "often", [20], 10**6])
def test_junk_is_a_sentence(junk):
    with pytest.raises(InputError, match='`consensus` must be "auto"'):
        selector(consensus=junk).fit(X, Y)


def test_replays_need_a_fast_twin():
    filtered = fewest.SubsetSelector("cfs", search="sfs", consensus="replay", random_state=0)
    with pytest.raises(InputError, match="needs an estimator with a fast path, but `cfs` has none"):
        filtered.fit(X, Y)


def test_the_corrected_score_replays_the_whole_consensus():
    found = selector(consensus=3).fit(X, Y)
    corrected = fewest.corrected_score(found, X, Y, replays=3)
    assert corrected.replayed == "search"
    assert len(corrected.all_scores) == 3


def test_the_same_plan_becomes_a_consensus():
    single = plan(consensus=None)
    assert consensus_plan(single, 4).identity == {**single.identity, "consensus": 4}
