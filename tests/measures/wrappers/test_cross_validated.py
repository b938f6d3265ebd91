"""CrossValidated by the general path: any estimator, any splitter, any scorer."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import get_scorer, make_scorer, recall_score
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from fewest.classifiers.bayes.naive_bayes import NaiveBayes
from fewest.data.build import as_table
from fewest.errors import InputError
from fewest.measures.wrappers.cross_validated import CrossValidated
from fewest.testing import (
    mixed_table,
    number_table,
    parametrize_with_measure_checks,
    toy_table,
)

IRIS = load_iris(return_X_y=True)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
ALL_PAIRS = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 0, 1], [1, 1, 1, 1]], bool)


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
    scores = CrossValidated(TREE, cv=cv, scoring=scoring).bind(as_table(X, y)).score(ALL_PAIRS)
    for k, mask in enumerate(ALL_PAIRS):
        expected = cross_val_score(TREE, X[:, mask], y, cv=cv, scoring=scoring)
        assert_array_equal(scores.folds[k], expected)
    assert_allclose(scores.value, scores.folds.mean(axis=1))


def test_regression():
    X, y = load_diabetes(return_X_y=True)
    y = y + 0.5
    masks = np.random.default_rng(0).random((3, 10)) < 0.5
    table = as_table(X, y)
    scores = CrossValidated(Ridge(), cv=5).bind(table).score(masks)
    for k, mask in enumerate(masks):
        assert_array_equal(scores.folds[k], cross_val_score(Ridge(), X[:, mask], y, cv=5))
    empty = CrossValidated(Ridge(), cv=5).bind(table).score(np.zeros((1, 10), bool))
    assert (empty.folds <= 0.0).all()
    assert (empty.folds > -0.1).all()
    seeds = CrossValidated(LinearRegression(), scoring="r2").bind(table).score(masks)
    assert seeds.folds.shape == (3, 10)


def test_frames_keep_names_dtypes_and_missing_values():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    n = 60
    y = np.repeat(["no", "yes"], n // 2)
    frame = pandas.DataFrame(
        {
            "size": rng.normal(size=n) + (y == "yes"),
            "colour": pandas.Categorical(rng.choice(["r", "g", "b"], n)),
            "shape": rng.choice(["round", "square"], n),
            "age": np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
        }
    )
    model = make_pipeline(
        make_column_transformer(
            (
                OneHotEncoder(handle_unknown="ignore"),
                make_column_selector(dtype_include=["category", "string", object]),
            ),
            remainder="passthrough",
        ),
        TREE,
    )
    masks = np.array([[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]], bool)
    scores = CrossValidated(model, cv=3).bind(as_table(frame, y)).score(masks)
    for k, mask in enumerate(masks):
        assert_array_equal(scores.folds[k], cross_val_score(model, frame.loc[:, mask], y, cv=3))


def test_polars_frames():
    polars = pytest.importorskip("polars")
    X, y = IRIS
    frame = polars.DataFrame(X, schema=list("abcd"))
    model = make_pipeline(StandardScaler(), LogisticRegression())
    scores = CrossValidated(model, cv=3).bind(as_table(frame, y)).score(ALL_PAIRS[:2])
    for k, mask in enumerate(ALL_PAIRS[:2]):
        assert_array_equal(scores.folds[k], cross_val_score(model, X[:, mask], y, cv=3))


def test_the_empty_subset_scores_as_the_largest_class():
    X, y = load_breast_cancer(return_X_y=True)
    folds = list(StratifiedKFold(5).split(X, y))
    for fast in (True, False):
        measure = CrossValidated(GaussianNB(), cv=folds, fast=fast)
        scores = measure.bind(as_table(X, y)).score(np.zeros((2, 30), bool))
        expected = [np.mean(y[test] == 1) for _, test in folds]
        assert_array_equal(scores.folds, [expected, expected])


def test_seeds_adds_repetitions_while_the_standard_error_is_above_one_percent():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(200, 4))
    y = (X[:, 0] > 0).astype(int)
    masks = np.array([[1, 0, 0, 0], [0, 1, 0, 0]], bool)
    measure = CrossValidated(TREE, fast=False)
    scores = measure.bind(as_table(X, y), np.random.default_rng(1)).score(masks)
    seeds = np.random.default_rng(1).integers(2**31, size=5)
    for k, mask in enumerate(masks):
        done = []
        for seed in seeds:
            folds = StratifiedKFold(10, shuffle=True, random_state=int(seed))
            done.append(cross_val_score(TREE, X[:, mask], y, cv=folds))
            if np.std(done, ddof=1) / np.sqrt(np.size(done)) <= 0.01:
                break
        assert len(done) == (1, 5)[k]
        assert_allclose(scores.value[k], np.mean(done))
        assert_array_equal(scores.folds[k], done[0])


def test_groups_stay_together():
    X, y = IRIS
    groups = np.random.default_rng(0).integers(0, 30, len(y))
    table = as_table(X, y, metadata={"groups": groups})
    for cv in ("auto", GroupKFold(4)):
        for train, test in CrossValidated(TREE, cv=cv).bind(table).splits:
            assert not set(groups[train]) & set(groups[test])
    with pytest.warns(UserWarning, match="has 4 `groups`, fewer than the 10 folds"):
        CrossValidated(TREE).bind(as_table(X, y, metadata={"groups": groups % 4}))


def test_sample_weights_reach_fit():
    X, y = IRIS
    weight = np.random.default_rng(0).random(len(y))
    table = as_table(X, y, metadata={"sample_weight": weight})
    for estimator in (TREE, GaussianNB()):
        scores = CrossValidated(estimator, cv=3).bind(table).score(ALL_PAIRS[:1])
        expected = cross_validate(estimator, X[:, :2], y, cv=3, params={"sample_weight": weight})[
            "test_score"
        ]
        assert_array_equal(scores.folds[0], expected)


def test_routed_metadata_reaches_fit_and_scorer():
    X, y = IRIS
    weight = np.random.default_rng(0).random(len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = LogisticRegression(max_iter=200).set_fit_request(sample_weight=True)
        model = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), estimator)
        scorer = make_scorer(recall_score, average="macro").set_score_request(sample_weight=True)
        table = as_table(X, y, metadata={"sample_weight": weight})
        scores = CrossValidated(model, cv=3, scoring=scorer).bind(table).score(ALL_PAIRS[:1])
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
    scorer = CrossValidated(TREE, cv=3).bind(as_table(*IRIS))
    again = pickle.loads(pickle.dumps(scorer))
    assert_array_equal(again.score(ALL_PAIRS).folds, scorer.score(ALL_PAIRS).folds)
    assert (scorer.batch, scorer.prefer) == (1, "processes")


def test_a_splitter_without_seed_draws_from_the_generator():
    table = as_table(*IRIS)
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=1)
    one, two, other = (
        CrossValidated(TREE, cv=cv).bind(table, np.random.default_rng(seed)).splits
        for seed in (1, 1, 2)
    )
    assert_array_equal(one[0][1], two[0][1])
    assert not np.array_equal(one[0][1], other[0][1])
    assert cv.random_state is None


# Refusals


def _refusal(estimator, X, y, **options):
    table = as_table(X, y)
    every = np.ones((1, table.n_features), bool)
    with pytest.raises(InputError) as caught:
        CrossValidated(estimator, **{"cv": 3, **options}).bind(table).score(every)
    return str(caught.value)


def test_missing_values_are_refused_only_by_the_estimator():
    X, y = IRIS[0].copy(), IRIS[1]
    X[5, 1] = X[7, 3] = np.nan
    for estimator in (LogisticRegression(), GaussianNB()):
        said = _refusal(estimator, X, y)
        assert said == (
            f"{type(estimator).__name__} must be given known values, but 'x1', 'x3' have missing "
            "ones (NaN); fill them in a Pipeline (SimpleImputer), exclude them, or use an "
            'estimator that takes NaN, such as measure="naive-bayes".'
        )
        scorer = CrossValidated(estimator, cv=3).bind(as_table(X, y))
        assert scorer.score(np.array([[1, 0, 1, 0]], bool)).value[0] > 0.9
    taken = CrossValidated(TREE, cv=3).bind(as_table(X, y))
    assert taken.score(np.ones((1, 4), bool)).value[0] > 0.8


def test_missing_values_in_test_rows_only():
    X, y = IRIS[0].copy(), IRIS[1]
    X[5, 1] = np.nan
    folds = [(np.arange(10, 150), np.arange(10))]
    assert "'x1' has missing ones" in _refusal(LogisticRegression(), X, y, cv=folds)


@pytest.mark.parametrize("estimator", [LogisticRegression(), GaussianNB(), TREE, CategoricalNB()])
def test_labels_in_an_estimator_of_numbers(estimator):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": range(12), "colour": ["r", "g", "b"] * 4})
    said = _refusal(estimator, frame, [0, 1] * 6)
    assert said.startswith(
        f"{type(estimator).__name__} must be given numbers, but 'colour' holds labels; encode"
    )


def test_any_other_failure_is_told_with_the_estimators_own_words():
    said = _refusal(LogisticRegression(C=-1), *IRIS)
    assert said.startswith("LogisticRegression could not be trained on 'x0', 'x1', 'x2', 'x3'; it")
    assert "'C' parameter of LogisticRegression must be" in said


def test_small_classes():
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.array(["a"] * 33 + ["b"] * 7)
    table = as_table(X, y)
    with pytest.warns(UserWarning, match="Class 'b' has 7 rows, fewer than the 8 folds: some"):
        CrossValidated(TREE, cv=8).bind(table)
    with pytest.warns(UserWarning, match="Class 'b' has 7 rows, fewer than the 10 folds: some"):
        CrossValidated(TREE).bind(table)
    assert _refusal(TREE, X, y, cv=34) == (
        "Class 'b' has 7 rows, fewer than the 34 folds of `cv`; use fewer folds, for example "
        "cv=7, or join it with another class."
    )
    with pytest.warns(UserWarning, match="has 8 rows, fewer than the 10 folds"):
        CrossValidated(Ridge()).bind(as_table(X[:8], np.arange(8) + 0.5))


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
    assert "`estimator` of CrossValidated must be" in _refusal("tree", *IRIS)
    assert "`estimator` of CrossValidated must be" in _refusal(DecisionTreeClassifier, *IRIS)
    assert '`cv` must be "auto"' in _refusal(TREE, *IRIS, cv="loo")
    assert '`cv` must be "auto"' in _refusal(TREE, *IRIS, cv=2.5)
    assert "`cv` must fit the table" in _refusal(TREE, *IRIS, cv=KFold(1000))
    assert "`scoring` must be one scorer" in _refusal(TREE, *IRIS, scoring=["accuracy", "f1"])
    assert "`fast` of CrossValidated must be True or False" in _refusal(TREE, *IRIS, fast=3)
    assert "holds numbers" in _refusal(TREE, IRIS[0], IRIS[0][:, 0])
    outside = [(np.arange(10), np.array([400]))]
    assert "between 0 and 149" in _refusal(TREE, *IRIS, cv=outside)
