"""Metadata of rows that neither the folds nor the estimator read is refused."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import config_context
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import check_scoring, f1_score, get_scorer, make_scorer
from sklearn.model_selection import GroupKFold, KFold, TimeSeriesSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest.data import as_table
from fewest.errors import InputError
from fewest.measures.wrappers.cross_validated import CrossValidated
from fewest.measures.wrappers.metadata import check_read, reads_groups, route

PIPELINE = make_pipeline(StandardScaler(), LogisticRegression())


@pytest.mark.parametrize(
    ("names", "estimator", "cv"),
    [
        (["sample_weight", "groups"], GaussianNB(), "auto"),
        (["groups"], KNeighborsClassifier(), GroupKFold(3)),
        (["logisticregression__sample_weight"], PIPELINE, 5),
        (["sample_weight"], PIPELINE, 5),
        (["time"], GaussianNB(), 5),
        (["time"], GaussianNB(), TimeSeriesSplit(3, gap=2)),
        ([], KNeighborsClassifier(), 5),
    ],
)
def test_what_is_read(names, estimator, cv):
    check_read(names, estimator, cv)


@pytest.mark.parametrize(
    ("names", "estimator", "cv", "message"),
    [
        (["sampel_weight"], GaussianNB(), "auto", "`sampel_weight` is not used by GaussianNB"),
        (["sample_weight"], KNeighborsClassifier(), 5, "not used by KNeighborsClassifier"),
        (["groups"], GaussianNB(), 5, "`groups` is not used by cv=5: give a splitter"),
        (["groups"], GaussianNB(), KFold(3), "`groups` is not used by cv=KFold"),
        (["time", "groups"], GaussianNB(), "auto", "`time` and `groups` cannot be given together"),
        (["time"], GaussianNB(), KFold(3), "`time` is not used by cv=KFold"),
        (["standardscaler__wieght"], PIPELINE, 5, "`standardscaler__wieght` is not used by"),
    ],
)
def test_what_is_refused(names, estimator, cv, message):
    with pytest.raises(InputError, match=message):
        check_read(names, estimator, cv)


def test_splitters_of_others_may_read_groups():
    class Mine:
        def split(self, X, y=None, groups=None):
            yield np.arange(2), np.arange(2, 4)

    assert reads_groups(Mine())
    assert not reads_groups([([0], [1])])


def test_without_routing_weights_go_to_training_and_to_the_score():
    given = {"groups": [1], "time": [3], "sample_weight": [2]}
    for scoring in (None, "roc_auc", make_scorer(f1_score)):
        scorer = check_scoring(GaussianNB(), scoring=scoring)
        assert route(GaussianNB(), scorer, given) == ({"sample_weight": [2]},) * 2
    scorer = check_scoring(PIPELINE, scoring=None)
    name = "logisticregression__sample_weight"
    assert route(PIPELINE, scorer, given) == ({name: [2]}, {"sample_weight": [2]})
    assert route(PIPELINE, scorer, {name: [2]}) == ({name: [2]}, {"sample_weight": [2]})
    other = {"standardscaler__sample_weight": [2]}
    assert route(PIPELINE, scorer, other) == (other, {})
    unweighted = check_scoring(Ridge(), scoring="neg_max_error")
    assert route(Ridge(), unweighted, given) == ({"sample_weight": [2]}, {})


def test_a_weighted_score_by_hand():
    # One fold: the training rows make a class per value; of the test rows a, a, b, b with classes
    # 0, 1, 1, 1 and weights 1, 2, 3, 4 all but the second are right: 8 of 10, not 3 of 4.
    X = np.array([[0.0], [0.1], [1.0], [1.1], [0.0], [0.1], [1.0], [1.1]])
    y = np.array([0, 0, 1, 1, 0, 1, 1, 1])
    weight = np.array([1, 1, 1, 1, 1, 2, 3, 4])
    fold = [(np.arange(4), np.arange(4, 8))]
    for fast in (True, False):
        measure = CrossValidated(GaussianNB(), cv=fold, fast=fast)
        weighted = measure.bind(as_table(X, y, metadata={"sample_weight": weight}))
        both = np.array([[True], [False]])
        # Without features the larger class of the training rows: none is, so the first, 1 of 10.
        np.testing.assert_allclose(weighted.score(both).value, [0.8, 0.1])
        np.testing.assert_allclose(measure.bind(as_table(X, y)).score(both).value, [0.75, 0.25])


@pytest.mark.parametrize("scoring", [None, "roc_auc", "neg_log_loss", "balanced_accuracy"])
def test_weighted_scores_are_those_of_scikit_learn(scoring):
    X, y = load_breast_cancer(return_X_y=True)
    X, weight = X[:, :4], np.random.default_rng(0).integers(0, 4, len(y)) + 0.5
    table = as_table(X, y, metadata={"sample_weight": weight})
    found = CrossValidated(GaussianNB(), cv=5, scoring=scoring).bind(table)
    with config_context(enable_metadata_routing=True):
        scorer = get_scorer(scoring or "accuracy").set_score_request(sample_weight=True)
        model = GaussianNB().set_fit_request(sample_weight=True)
        given = {"sample_weight": weight}
        expected = cross_val_score(model, X, y, cv=5, scoring=scorer, params=given)
    np.testing.assert_allclose(found.score(np.ones((1, 4), dtype=bool)).folds[0], expected)


def test_a_score_without_weights_is_noted():
    X, y = np.random.default_rng(0).normal(size=(2, 40))
    table = as_table(X[:, None], y, metadata={"sample_weight": np.ones(40) * 2})
    notes = CrossValidated(Ridge(), scoring="neg_max_error").bind(table).notes
    assert "scoring=neg_max_error takes no weights: rows count once" in " ".join(notes)
