"""Votes of the best subsets of all sizes that one search scored."""

import numpy as np
import pytest

import fewest
from fewest.fitting.archive_votes import Voted, best_of_each_size, keeps_up
from fewest.fitting.problem import make_problem
from fewest.measures.base import Scores
from fewest.report.votes import TOGETHER, votes
from fewest.run.archive import Archive
from fewest.run.stop import Generations
from fewest.search import Subsets

RNG = np.random.default_rng(5)
Y = np.arange(120) % 2
X = RNG.normal(size=(120, 18))
X[:, :3] += 1.2 * Y[:, None]
GIVEN = {"search": "umda", "random_state": 0, "consensus": "archive", "stop": Generations(8)}


def selector(**changes):
    return fewest.SubsetSelector("gaussian-nb", **{**GIVEN, **changes})


def plan(**changes):
    return selector(**changes).plan(make_problem(X, Y, "gaussian-nb"))


def test_the_votes_are_those_of_the_best_subset_of_each_size():
    made = plan()
    outcome = made.run()
    alone = plan(consensus=None).run().archive
    best = {}
    for row in range(len(alone)):
        mask, value = alone.masks(np.array([row]))[0], round(float(alone.value[row]), 12)
        if mask.sum() not in best or value > best[mask.sum()][0]:
            best[mask.sum()] = (value, mask)
    frequency = np.mean([mask for _, mask in best.values()], axis=0)
    told = made.told(outcome)["consensus"]
    assert np.allclose(told["frequency"], frequency, atol=1e-6)
    assert told["kind"] == "archive"
    assert told["resamples"] == len(best)


def test_the_answer_is_the_best_prefix_of_the_ranking():
    result = selector().fit(X, Y).result_
    shares = np.array(result.extra["consensus"]["frequency"])
    assert set(np.argsort(-shares)[:3]) == {0, 1, 2}
    assert shares[result.support].min() >= shares[~result.support].max()
    made = plan()
    outcome = made.run()
    assert isinstance(outcome, Voted)
    prefixes = outcome.archive.masks(outcome.answers)
    scores = made.scorer.score(prefixes).value
    assert np.allclose(scores, outcome.archive.value[outcome.answers])
    assert result.score == pytest.approx(scores.max())
    assert result.evaluations == len(outcome.archive)


def test_the_search_itself_is_the_same():
    alone, voted = plan(consensus=None).run(), plan().run()
    assert np.array_equal(alone.archive.candidates, voted.archive.candidates[: len(alone.archive)])
    assert alone.history.best == voted.history.best


def test_the_answer_does_not_depend_on_the_workers():
    one, two = selector().fit(X, Y), selector(n_jobs=2).fit(X, Y)
    assert np.array_equal(one.support_, two.support_)
    assert one.result_.archive == two.result_.archive


def test_constraints_hold():
    found = selector(include=[7], exclude=[0], groups=[[1, 2]], max_features=4).fit(X, Y)
    assert found.support_[7]
    assert not found.support_[0]
    assert found.support_[1] == found.support_[2]
    assert found.support_.sum() <= 4


def test_a_constant_feature_has_no_votes():
    told = np.column_stack([X, np.ones(len(X))])
    result = selector().fit(told, Y).result_
    assert result.extra["consensus"]["frequency"][-1] == 0
    assert not result.support[-1]


def test_choose_works_on_the_prefixes():
    assert selector(choose=5).fit(X, Y).support_.sum() == 5
    small = selector(choose="half-se").fit(X, Y).support_.sum()
    assert small <= selector().fit(X, Y).support_.sum()
    assert selector(choose="safe").fit(X, Y).support_.any()


def test_where_features_are_of_use_only_together_the_best_subset_is_the_answer():
    archive = Archive(Subsets(3))
    folds = np.array([[0.9, 0.92, 0.94], [0.6, 0.6, 0.6], [0.90, 0.91, 0.93]])
    units = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1]], dtype=bool)
    archive.add(units, Scores(folds.mean(axis=1), folds), 0)
    rows = np.arange(3)
    assert not keeps_up(archive, np.array([1]), rows)
    assert keeps_up(archive, np.array([1, 2]), rows)  # within 0.02 / sqrt(3)
    assert not keeps_up(archive, np.zeros(0, dtype=np.intp), rows)


def test_a_set_aside_ranking_is_told(monkeypatch):
    monkeypatch.setattr("fewest.fitting.archive_votes.keeps_up", lambda *_: False)
    found, alone = selector().fit(X, Y), selector(consensus=None).fit(X, Y)
    assert found.result_.extra["votes_set_aside"] is True
    assert votes(found.result_)[0].text == TOGETHER
    assert found.score_ >= alone.score_


def test_of_equal_subsets_the_first_one_votes():
    archive = Archive(Subsets(3))
    units = np.array([[0, 1, 0], [1, 0, 0], [1, 1, 0]], dtype=bool)
    archive.add(units, Scores(np.array([0.5, 0.5, 0.4])), 0)
    voters = best_of_each_size(archive, np.arange(3))
    assert voters.astype(int).tolist() == [[0, 1, 0], [1, 1, 0]]


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"search": "auto", "choose": "best"}, "archive"),
        ({"search": "auto"}, None),
        ({"search": "umda"}, None),
        ({"search": "auto", "choose": "best", "consensus": None}, None),
    ],
)
def test_auto_votes_where_it_picks_a_population(changes, kind):
    made = plan(**{"consensus": "auto", **changes})
    assert made.identity.get("consensus") == kind


def test_auto_votes_where_all_subsets_are_scored():
    picked = fewest.SubsetSelector("gaussian-nb", choose="best")
    few = picked.plan(make_problem(X[:, :5], Y, "gaussian-nb"))
    assert few.search.name == "exhaustive"
    assert few.identity["consensus"] == "archive"


@pytest.mark.parametrize(
    ("measure", "X", "y"),
    [
        ("cfs", X, Y),
        ("linear-regression", X[:, :5], X[:, 7]),
    ],
)
def test_auto_leaves_filters_and_regression_alone(measure, X, y):
    made = fewest.SubsetSelector(measure).plan(make_problem(X, y, measure))
    assert "consensus" not in made.identity


def test_a_journal_goes_on(tmp_path):
    whole = selector(stop=Generations(6), journal=tmp_path / "a").fit(X, Y)
    selector(stop=Generations(3), journal=tmp_path / "b").fit(X, Y)
    again = selector(stop=Generations(6), journal=tmp_path / "b").fit(X, Y)
    assert np.array_equal(whole.support_, again.support_)
    assert whole.result_.archive == again.result_.archive


def test_on_wide_tables_the_ranking_ends_where_the_largest_voter_does():
    rng = np.random.default_rng(3)
    wide = rng.normal(size=(120, 400))
    wide[:, :3] += 1.5 * Y[:, None]
    picked = fewest.SubsetSelector(
        "gaussian-nb", choose="best", min_features=1, stop=Generations(4), random_state=0
    )
    made = picked.plan(make_problem(wide, Y, "gaussian-nb"))
    assert made.identity["consensus"] == "archive"
    outcome = made.run()
    sizes = outcome.archive.size[outcome.answers]
    most = max(100, outcome.winners.sum(axis=1).max())
    assert sorted(sizes) == [*range(1, most + 1), 400]
