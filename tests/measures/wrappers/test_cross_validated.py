"""CrossValidated by the general path: any estimator, any splitter, any scorer."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import get_scorer, make_scorer, recall_score
from sklearn.model_selection import (
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from fewest import SubsetSelector
from fewest.classifiers.bayes.naive_bayes import NaiveBayes
from fewest.data.build import as_table
from fewest.measures import Weighted
from fewest.measures.wrappers.cross_validated import CrossValidated
from fewest.testing import (
    mixed_table,
    number_table,
    parametrize_with_measure_checks,
    toy_table,
)
from tests.measures.wrappers.estimator_cases import ALL_PAIRS, IRIS, TREE, refusal


@parametrize_with_measure_checks(
    [
        (CrossValidated(TREE, cv=3), toy_table()),
        (CrossValidated(Ridge(), cv=3), number_table()),
        (CrossValidated(NaiveBayes(), cv=3, fast=False), mixed_table()),
        (CrossValidated(NaiveBayes()), mixed_table()),
    ]
)
def test_conformance(measure, table, check):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Class .* fewer than the 10 folds")
        check(measure, table)


@pytest.mark.parametrize(
    "cv",
    [
        4,
        StratifiedKFold(5),
        KFold(3),
        ShuffleSplit(3, random_state=1),
        list(KFold(4).split(IRIS[0])),
    ],
)
@pytest.mark.parametrize("scoring", [None, "f1_macro", "neg_log_loss", get_scorer("accuracy")])
def test_equals_cross_val_score(cv, scoring):
    X, y = IRIS
    if isinstance(cv, KFold):
        order = np.random.default_rng(0).permutation(len(y))
        X, y = X[order], y[order]
    measure = CrossValidated(TREE, cv=cv, scoring=scoring, fast=False)
    scores = measure.bind(as_table(X, y)).score(ALL_PAIRS)
    for k, mask in enumerate(ALL_PAIRS):
        expected = cross_val_score(TREE, X[:, mask], y, cv=cv, scoring=scoring)
        assert_array_equal(scores.folds[k], expected)
    assert_allclose(scores.value, scores.folds.mean(axis=1))


def test_regression():
    X, y = load_diabetes(return_X_y=True)
    y = y + 0.5
    masks = np.random.default_rng(0).random((3, 10)) < 0.5
    table = as_table(X, y)
    slow, fast = (
        CrossValidated(Ridge(), cv=5, fast=f).bind(table).score(masks) for f in (False, True)
    )
    for k, mask in enumerate(masks):
        assert_array_equal(slow.folds[k], cross_val_score(Ridge(), X[:, mask], y, cv=5))
    # The twin solves by cross products, so that sums differ in the last places.
    assert_allclose(fast.folds, slow.folds, rtol=1e-12)
    empty = CrossValidated(Ridge(), cv=5).bind(table).score(np.zeros((1, 10), bool))
    assert (empty.folds <= 0.0).all()
    assert (empty.folds > -0.1).all()
    seeds = CrossValidated(LinearRegression(), scoring="r2").bind(table).score(masks)
    assert seeds.folds.shape == (3, 10)


def test_the_empty_subset_scores_as_the_largest_class():
    X, y = load_breast_cancer(return_X_y=True)
    folds = list(StratifiedKFold(5).split(X, y))
    for fast in (True, False):
        measure = CrossValidated(GaussianNB(), cv=folds, fast=fast)
        scores = measure.bind(as_table(X, y)).score(np.zeros((2, 30), bool))
        expected = [np.mean(y[test] == 1) for _, test in folds]
        assert_array_equal(scores.folds, [expected, expected])


def test_auto_adds_repetitions_while_the_standard_error_is_above_one_percent():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(200, 4))
    y = (X[:, 0] > 0).astype(int)
    X[:, 0] += 6.0 * y
    masks = np.array([[1, 0, 0, 0], [0, 1, 0, 0]], bool)
    model = GaussianNB()
    scores = CrossValidated(model).bind(as_table(X, y), np.random.default_rng(1)).score(masks)
    seeds = np.random.default_rng(1).integers(2**31, size=5)
    for k, mask in enumerate(masks):
        done = []
        for seed in seeds:
            folds = StratifiedKFold(10, shuffle=True, random_state=int(seed))
            done.append(cross_val_score(model, X[:, mask], y, cv=folds))
            if np.std(done, ddof=1) / np.sqrt(np.size(done)) <= 0.01:
                break
        assert (len(done) == 1) == (k == 0)
        assert_allclose(scores.value[k], np.mean(done))
        assert_array_equal(scores.folds[k], done[0])


def test_auto_is_five_folds_where_every_fold_is_a_training():
    X = np.random.default_rng(5).normal(size=(60, 2))
    y = (X[:, 0] > 0).astype(int)
    scorer = CrossValidated(TREE).bind(as_table(X, y), np.random.default_rng(1))
    seed = int(np.random.default_rng(1).integers(2**31, size=1)[0])
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    found = scorer.score(np.ones((1, 2), dtype=bool))
    assert_array_equal(found.folds[0], cross_val_score(TREE, X, y, cv=folds))


def test_routed_metadata_reaches_fit_and_scorer():
    X, y = IRIS
    weight = np.random.default_rng(0).random(len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = LogisticRegression(max_iter=200).set_fit_request(sample_weight=True)
        model = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), estimator)
        scorer = make_scorer(recall_score, average="macro").set_score_request(sample_weight=True)
        table = as_table(X, y, metadata={"sample_weight": weight})
        measure = CrossValidated(model, cv=3, scoring=scorer, fast=False)
        scores = measure.bind(table).score(ALL_PAIRS[:1])
        expected = cross_validate(
            model, X[:, :2], y, cv=3, scoring=scorer, params={"sample_weight": weight}
        )["test_score"]
        assert_array_equal(scores.folds[0], expected)


def test_nominal_columns_of_a_numeric_array_are_nominal_for_house_estimators():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    X = np.column_stack(
        [rng.normal(size=80), np.where(y, rng.choice([1, 3], 80), rng.choice([0, 2, 4], 80))]
    )
    both, second = np.array([[True, True]]), np.array([[False, True]])
    for fast in (True, False):
        scorer = CrossValidated(NaiveBayes(), cv=5, fast=fast).bind(as_table(X, y, nominal=[1]))
        assert scorer.score(second).value[0] == 1.0
        assert scorer.score(both).value[0] > 0.95
        assert (
            CrossValidated(NaiveBayes(), cv=5, fast=fast)
            .bind(as_table(X, y))
            .score(second)
            .value[0]
            < 1.0
        )


def test_scorers_pickle():
    scorer = CrossValidated(TREE, cv=3, fast=False).bind(as_table(*IRIS))
    again = pickle.loads(pickle.dumps(scorer))
    assert_array_equal(again.score(ALL_PAIRS).folds, scorer.score(ALL_PAIRS).folds)
    assert (scorer.batch, scorer.prefer) == (1, "processes")


def test_a_class_unknown_to_the_training_rows_is_scored_as_scikit_learn_does():
    X = np.array([[0], [1], [2], [0], [1], [3]])
    y = [0, 1, 0, 1, 0, 1]
    folds = [(np.arange(3), np.arange(3, 6)), (np.arange(3, 6), np.arange(3))]
    for fast in (True, False):
        measure = CrossValidated(CategoricalNB(), cv=folds, fast=fast)
        scores = measure.bind(as_table(X, y)).score(np.ones((1, 1), bool))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert_array_equal(scores.folds[0], cross_val_score(CategoricalNB(), X, y, cv=folds))
        assert np.isnan(scores.value[0])


def test_wrong_parameters():
    assert "`estimator` of CrossValidated must be" in refusal("tree", *IRIS)
    assert "`estimator` of CrossValidated must be" in refusal(DecisionTreeClassifier, *IRIS)
    assert '`cv` of CrossValidated must be "auto"' in refusal(TREE, *IRIS, cv="loo")
    assert '`cv` of CrossValidated must be "auto"' in refusal(TREE, *IRIS, cv=2.5)
    assert "`cv` must fit the table" in refusal(TREE, *IRIS, cv=KFold(1000))
    assert "`scoring` of CrossValidated must be one scorer" in refusal(
        TREE, *IRIS, scoring=["accuracy", "f1"]
    )
    assert "`fast` of CrossValidated must be True or False" in refusal(TREE, *IRIS, fast=3)
    assert "holds numbers" in refusal(TREE, IRIS[0], IRIS[0][:, 0])
    outside = [(np.arange(10), np.array([400]))]
    assert "between 0 and 149" in refusal(TREE, *IRIS, cv=outside)


@pytest.mark.parametrize("measure", ["id3", Weighted("id3")])
def test_searches_may_start_from_the_empty_subset_where_there_are_goals(measure):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50, 6)), np.arange(50) % 2
    result = SubsetSelector(measure, search="sfs", random_state=0).fit(X, y).result_
    assert {"leaves", "nodes"} <= set(result.archive[0]["goals"])


def test_a_number_of_folds_is_said_to_be_unshuffled():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(30, 2)), np.arange(30) % 2
    for cv, said in ((3, True), ("auto", False)):
        result = (
            SubsetSelector("gaussian-nb", search="sfs", cv=cv, random_state=0).fit(X, y).result_
        )
        assert any("takes the rows in their order" in note for note in result.notes) == said
