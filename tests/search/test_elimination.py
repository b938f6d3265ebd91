"""Searches by a model's own importances: RFE, Boruta, knockoffs, the L1 path."""

from __future__ import annotations

import joblib
import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn import feature_selection
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import fewest
from fewest._errors import InputError, MismatchError
from fewest.search import RFE, Boruta, Knockoffs, L1Path, Subsets
from fewest.search._elimination import Record, _passed
from fewest.testing import TableMeasure, drive, toy_table

# RFE: the features, the sizes and the scores of scikit-learn's RFE and RFECV.
X, Y = make_classification(
    150, 12, n_informative=4, n_redundant=2, n_classes=3, n_clusters_per_class=1, random_state=3
)


@pytest.mark.parametrize("step", [1, 3, 0.25])
@pytest.mark.parametrize(
    "estimator",
    [LogisticRegression(max_iter=500), RandomForestClassifier(10, random_state=0)],
    ids=["coefficients", "importances"],
)
def test_the_features_of_a_size_are_those_of_scikit_learn(estimator, step):
    theirs = feature_selection.RFE(estimator, n_features_to_select=4, step=step).fit(X, Y)
    ours = fewest.SubsetSelector(estimator, search=RFE(size=4, step=step), cv=2, random_state=0)
    np.testing.assert_array_equal(ours.fit(X, Y).support_, theirs.support_)


@pytest.mark.parametrize("step", [1, 4])
def test_the_size_by_folds_is_that_of_rfecv(step):
    cv = StratifiedKFold(4, shuffle=True, random_state=1)
    estimator = LogisticRegression(max_iter=500)
    theirs = feature_selection.RFECV(estimator, step=step, cv=cv).fit(X, Y)
    ours = fewest.SubsetSelector(estimator, search=RFE(step=step), cv=cv, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    best = theirs.cv_results_["mean_test_score"].max()
    assert f"({best:.4f})" in ours.result_.stopped


def test_numbers_and_a_path_on_all_rows():
    A, b = make_regression(80, 8, n_informative=3, noise=5.0, random_state=0)
    theirs = feature_selection.RFE(LinearRegression(), n_features_to_select=1).fit(A, b)
    ours = fewest.SubsetSelector(
        LinearRegression(), search=RFE(by="path"), cv=4, random_state=0, choose=3, min_features=1
    ).fit(A, b)
    np.testing.assert_array_equal(ours.support_, theirs.ranking_ <= 3)
    assert ours.result_.evaluations == 8


def test_models_without_importances_are_asked_by_permutation():
    selector = fewest.SubsetSelector(GaussianNB(), search=RFE(size=3), cv=3, random_state=0)
    assert selector.fit(X, Y).n_features_ == 3
    with pytest.raises(InputError, match='`importance` must be "permutation" for GaussianNB'):
        fewest.SubsetSelector(GaussianNB(), search=RFE(importance="model"), cv=3).fit(X, Y)


def test_a_filter_has_no_importances():
    with pytest.raises(MismatchError, match="`rfe` needs a measure that gives importances"):
        fewest.SubsetSelector("cfs", search="rfe").fit(X, Y)


def test_the_features_that_must_be_in_stay_and_groups_go_together():
    value = np.arange(6.0)
    scorer = TableMeasure(lambda mask: float(value @ mask)).bind(toy_table(n_features=6))
    space = Subsets(6, include=(0,), groups=((1, 5),))
    done = drive(RFE(size=3), space, scorer)
    np.testing.assert_array_equal(np.flatnonzero(space.expand(done.answer[None])[0]), [0, 1, 5])


def test_a_size_between_groups_is_refused():
    scorer = TableMeasure(lambda mask: float(mask.sum())).bind(toy_table(n_features=4))
    with pytest.raises(InputError, match="`size` cannot be 3: `groups` allow no step beyond 4"):
        drive(RFE(size=3), Subsets(4, groups=((0, 1), (2, 3))), scorer)


@pytest.mark.parametrize("step", [0, 1.5, True, "1"])
def test_a_step_is_a_number_or_a_share(step):
    with pytest.raises(InputError, match="`step` of RFE must be"):
        RFE(step=step).check_parameters()


def test_the_answer_does_not_depend_on_workers_and_survives_a_resume(tmp_path):
    forest = RandomForestClassifier(3)
    options = {"search": RFE(step=2), "cv": 3, "random_state": 4}
    journal = tmp_path / "run.jsonl"
    fewest.SubsetSelector(forest, journal=journal, **options).fit(X[:60, :7], Y[:60])
    whole = journal.read_text().splitlines(keepends=True)
    asked = [number for number, line in enumerate(whole) if '"asked"' in line]
    assert len(asked) > 3
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(whole[: asked[2]]))
    fewest.SubsetSelector(forest, journal=cut, **options).fit(X[:60, :7], Y[:60])
    assert _importances(cut) == _importances(journal)
    two = tmp_path / "two.jsonl"
    with joblib.parallel_config(backend="threading"):
        fewest.SubsetSelector(forest, journal=two, n_jobs=2, **options).fit(X[:60, :7], Y[:60])
    assert _importances(two) == _importances(journal)


def _importances(path):
    from fewest._run.journal import read_lines

    return [line for line in read_lines(path)[0] if line.pop("check", None) or "asked" in line]


# Boruta: its decisions by binomial tests, and the features of the boruta package.
def test_hits_are_decided_by_one_sided_binomial_tests():
    for rounds in (1, 8, 20):
        record = Record(21)
        record.limits = [0.0] * rounds
        record.hits = np.minimum(np.arange(21), rounds)
        record.decide(0.05)
        for hits, confirmed, rejected in zip(
            record.hits, record.confirmed, record.rejected, strict=True
        ):
            hits = int(hits)
            assert confirmed == (binomtest(hits, rounds, 0.5, "greater").pvalue < 0.05 / 21)
            assert rejected == (binomtest(hits, rounds, 0.5, "less").pvalue < 0.05 / 21)


def test_what_is_decided_stays_decided():
    record = Record(2)
    record.confirmed[0] = record.rejected[1] = True
    for _ in range(20):
        record.note(np.array([-1.0, 1.0]), 0.0)
    assert not record.decide(0.05)
    assert record.hits.tolist() == [0, 0]
    assert record.confirmed.tolist() == [True, False]


def relevant():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 8))
    X[:, 1] = X[:, 0] + 0.1 * rng.normal(size=150)
    y = (X[:, 0] + X[:, 2] > 0).astype(int)
    return X, y


def test_relevant_features_are_those_of_the_boruta_package():
    boruta = pytest.importorskip("boruta")
    X, y = relevant()
    forest = RandomForestClassifier(25, max_depth=5, random_state=0)
    theirs = boruta.BorutaPy(
        forest, n_estimators=25, two_step=False, alpha=0.01, max_iter=25, random_state=1
    ).fit(X, y)
    ours = fewest.SubsetSelector(
        forest, search=Boruta(rounds=25, tentative="drop"), cv=3, random_state=1
    ).fit(X, y)
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    assert np.flatnonzero(ours.support_).tolist() == [0, 1, 2]
    assert "3 confirmed" in ours.result_.stopped


def scorer_of(worth):
    worth = np.array(worth)
    return TableMeasure(lambda mask: float(worth @ mask)).bind(toy_table(n_features=len(worth)))


def test_all_relevant_features_are_confirmed_and_the_others_rejected():
    done = drive(Boruta(), Subsets(5), scorer_of([1.0, 0.0, 2.0, -1.0, 0.5]))
    assert np.flatnonzero(done.answer).tolist() == [0, 2, 4]
    assert done.verdict.reason.startswith("3 confirmed, 2 rejected, 0 undecided")


def test_of_too_many_relevant_features_the_most_important_stay():
    done = drive(Boruta(), Subsets(5, max_features=2), scorer_of([1.0, 0.0, 2.0, -1.0, 0.5]))
    assert np.flatnonzero(done.answer).tolist() == [0, 2]


def test_without_a_relevant_feature_the_least_bad_ones_fill_the_smallest_size():
    done = drive(Boruta(), Subsets(3, min_features=1), scorer_of([-1.0, -0.5, -2.0]))
    assert np.flatnonzero(done.answer).tolist() == [1]


@pytest.mark.parametrize(("tentative", "kept"), [("keep", 2), ("drop", 0), ("median", 1)])
def test_undecided_features(tentative, kept):
    search = Boruta(rounds=1, tentative=tentative)
    done = drive(search, Subsets(2), scorer_of([1.0, -1.0]))
    assert done.answer.sum() == kept


def test_a_filter_is_refused():
    X, y = relevant()
    with pytest.raises(MismatchError, match="`boruta` needs a measure that gives importances"):
        fewest.SubsetSelector("mrmr", search="boruta").fit(X, y)


# Knockoffs as a search: what passes, and the answer "none".
def test_the_limit_keeps_the_share_of_losers_small():
    lead = np.array([5.0, 4.0, 3.0, -2.0, 1.0, 1.0, 0.0])
    # At 3: (1 + 0) / 5 over 3 features; at 1: (1 + 1) / 5 over 5 features.
    assert _passed(lead, 0.07).tolist() == [True, True, True, False, False, False, False]
    assert _passed(lead, 0.08).tolist() == [True, True, True, False, True, True, False]
    assert not _passed(lead, 0.05).any()
    assert not _passed(np.zeros(3), 1.0).any()


def tables(real):
    rng = np.random.default_rng(4)
    X = rng.standard_normal((150, 10))
    return X, (X[:, :4] @ np.full(4, real) + rng.logistic(size=150) > 0).astype(int)


def test_a_signal_is_kept_and_noise_is_not():
    search = Knockoffs(fdr=0.1)
    found = [
        fewest.SubsetSelector("gaussian-nb", search=search, min_features=0, random_state=0).fit(
            *tables(real)
        )
        for real in (2.0, 0.0)
    ]
    assert {"x0", "x1", "x2", "x3"} <= set(found[0].result_.features)
    assert found[1].result_.features == []
    assert found[1].result_.stopped == "no feature beats its knockoffs at a rate of 0.1"


def test_a_smallest_size_holds():
    X, y = tables(0.0)
    selector = fewest.SubsetSelector(
        "gaussian-nb", search="knockoffs", min_features=2, random_state=0
    ).fit(X, y)
    assert selector.n_features_ == 2


def test_a_filter_gives_no_importances():
    X, y = tables(1.0)
    with pytest.raises(MismatchError, match="`knockoffs` needs a measure that gives importances"):
        fewest.SubsetSelector("cfs", search="knockoffs").fit(X, y)


# The L1 path as candidates: what is proposed, and which of it is the answer.
def test_every_subset_of_the_path_is_scored_once():
    value = np.array([3.0, 1.0, 2.0])
    scorer = TableMeasure(lambda mask: float(value @ mask)).bind(toy_table(n_features=3))
    done = drive(L1Path(), Subsets(3, min_features=1), scorer)
    assert [row.tolist() for row in done.candidates.astype(int)] == [
        [1, 0, 0],
        [1, 0, 1],
        [1, 1, 1],
    ]
    assert done.verdict.reason == "all 3 subsets of the path are scored"


def test_the_largest_size_holds():
    data = fewest.load("wine")
    selector = fewest.SubsetSelector(
        "gaussian-nb", search="l1-path", max_features=4, random_state=0
    ).fit(data.X, data.y)
    sizes = [entry["size"] for entry in selector.result_.archive]
    assert max(sizes) <= 4
    assert selector.score_ > 0.9


def test_the_model_must_suit_the_target():
    diabetes, wine = fewest.load("diabetes"), fewest.load("wine")
    with pytest.raises(InputError, match='must be "lasso" for a numeric target'):
        fewest.SubsetSelector("linear-regression", search=L1Path("logistic")).fit(
            diabetes.X, diabetes.y
        )
    with pytest.raises(InputError, match='must be "logistic" for more than two classes'):
        fewest.SubsetSelector("gaussian-nb", search=L1Path("lasso")).fit(wine.X, wine.y)


def test_a_measure_without_a_path_is_refused():
    wine = fewest.load("wine")
    with pytest.raises(MismatchError, match="`l1-path` needs a measure that gives an L1 path"):
        fewest.SubsetSelector("cfs", search="l1-path").fit(wine.X, wine.y)
