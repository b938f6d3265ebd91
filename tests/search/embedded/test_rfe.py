"""RFE: the features, the sizes and the scores of scikit-learn's RFE and RFECV."""

from __future__ import annotations

import joblib
import numpy as np
import pytest
from sklearn import feature_selection
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import fewest
from fewest.errors import InputError, MismatchError
from fewest.search import RFE, Subsets
from fewest.testing import TableMeasure, drive, toy_table

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
    from fewest.run.journal import read_lines

    return [line for line in read_lines(path)[0] if line.pop("check", None) or "asked" in line]
