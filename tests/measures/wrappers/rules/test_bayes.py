"""Rules of naive Bayes give the fold scores of cross_val_score, whatever the table."""

from __future__ import annotations

import pickle
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    KBinsDiscretizer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
)

import fewest
from fewest.classifiers import MLCNaiveBayes, NaiveBayes
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.measures._steps import Steps
from fewest.measures._wrappers.line import LineScorer
from fewest.measures._wrappers.paths import find_path
from fewest.measures._wrappers.rules import bayes, evidence
from fewest.testing import nominal_table, parametrize_with_measure_checks, toy_table
from tests.measures.wrappers.cases import check_twin, levels, numbers, some_masks
from tests.naive.naive_bayes import fold_accuracies

SCORINGS = ("accuracy", "f1_macro", "balanced_accuracy", "neg_log_loss", "roc_auc")
MODELS = (
    GaussianNB(),
    GaussianNB(var_smoothing=0.01),
    GaussianNB(var_smoothing=0.0),
    GaussianNB(priors=[0.3, 0.7]),
    NaiveBayes(),
    NaiveBayes(alpha=0.0, variance_floor=0.01),
    MLCNaiveBayes(),
    BernoulliNB(binarize=0.5),
    BernoulliNB(alpha=0.01, fit_prior=False),
    BernoulliNB(class_prior=[0.2, 0.8]),
    CategoricalNB(min_categories=12),
    CategoricalNB(alpha=0.1, fit_prior=False, min_categories=12),
)


def check(estimator, X, y, masks, cv=4, scoring=None, **metadata):
    """Compare with cross_val_score; return the scorer."""
    scorer = CrossValidated(estimator, cv=cv, scoring=scoring).bind(as_table(X, y, **metadata))
    line = scorer.scorers[0]
    assert isinstance(line, LineScorer)
    found = scorer.score(masks).folds
    for mask, folds in zip(masks, found, strict=True):
        part = X.loc[:, mask] if hasattr(X, "loc") else X[:, mask]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = cross_val_score(estimator, part, y, cv=cv, scoring=scoring)
        assert_allclose(folds, expected, atol=1e-9, rtol=1e-9)
    return line


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("estimator", MODELS, ids=str)
def test_models_by_scorings(estimator, scoring):
    X, y = numbers(1, classes=2, n=80)
    if isinstance(estimator, CategoricalNB):
        X, y = levels(1, classes=2, n=80)
    check(estimator, X, y, some_masks(6, m=6), scoring=scoring)


@pytest.mark.parametrize("classes", [3, 6])
@pytest.mark.parametrize("estimator", [*MODELS[:3], NaiveBayes(), BernoulliNB()], ids=str)
def test_many_classes(estimator, classes):
    X, y = numbers(classes, classes=classes)
    for scoring in ("accuracy", "f1_macro"):
        check(estimator, X, y, some_masks(6, m=6, seed=classes), 3, scoring)


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss", "f1", "accuracy"])
@pytest.mark.parametrize("search", ["sfs", "exhaustive", "ebna"])
def test_a_constant_column_does_not_end_a_search(search, scoring):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = np.column_stack([np.full(60, 3.0), rng.normal(y), rng.normal(size=60), np.zeros(60)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        selector = fewest.SubsetSelector(
            GaussianNB(), search=search, scoring=scoring, cv=3, random_state=0
        ).fit(X, y)
    assert "x1" in selector.result_.features
    check(GaussianNB(), X, y, some_masks(4, m=8), 3, scoring)


@pytest.mark.parametrize("estimator", [GaussianNB(), NaiveBayes(), BernoulliNB()], ids=str)
def test_float32_is_fast_and_right(estimator):
    X, y = numbers(4, n=200, classes=2)
    X = (X / X.std(axis=0)).astype(np.float32)
    masks = some_masks(6, m=20)
    for scoring in ("accuracy", "f1"):
        assert check(estimator, X, y, masks, scoring=scoring).doubted(masks) < 0.01
    if isinstance(estimator, NaiveBayes):
        check(estimator, X, y, masks[:6], scoring="roc_auc")


def test_errors_in_float32_are_measured():
    """Bounds for any numbers would leave one fold in twenty to the referee."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 14)).astype(np.float32)
    y = (X[:, :4].sum(axis=1) + rng.normal(size=400) > 0.0).astype(int)
    masks = some_masks(14, m=40)
    masks[:14] = np.eye(14, dtype=bool)
    for order in ("C", "F"):
        line = check(GaussianNB(), np.asarray(X, order=order), y, masks[::4], 5)
        assert line.doubted(masks) <= 0.01


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss"])
def test_probabilities_that_rounding_decides_are_trained(scoring):
    """In float32, and beside dummies that a class never shows."""
    frame = pd.DataFrame({"a": list("xyz") * 20, "b": np.arange(60) % 7.0})
    y = np.arange(60) % 2
    encoded = make_pipeline(
        ColumnTransformer([("a", OneHotEncoder(), ["a"])], remainder="passthrough"), GaussianNB()
    )
    dummies = find_path(encoded, as_table(frame, y), scoring)
    single = find_path(GaussianNB(), as_table(frame[["b"]].to_numpy(np.float32), y), scoring)
    assert "beside dummies" in dummies.why
    assert "in float32" in single.why
    assert not dummies.fast
    assert not single.fast
    assert find_path(encoded, as_table(frame, y), "accuracy").fast


def test_the_type_decides_which_side_of_a_threshold():
    """0.1 in float32 is more than 0.1, but not than 0.1 in float32."""
    rng = np.random.default_rng(0)
    X = rng.choice([0.0, 0.1, 1.0], (60, 3)).astype(np.float32)
    y = (X[:, 0] > 0.05).astype(int) ^ (rng.random(60) < 0.2)
    check(BernoulliNB(binarize=0.1), X, y, some_masks(3, m=6))


@pytest.mark.parametrize("estimator", [GaussianNB(), BernoulliNB(), CategoricalNB()], ids=str)
def test_a_column_that_is_not_chosen_never_matters(estimator):
    pandas = pytest.importorskip("pandas")
    X, y = levels(2, classes=2)
    frame = pandas.DataFrame(X.astype(float), columns=list("abcdef"))
    frame["name"] = [f"row {i}" for i in range(len(y))]
    frame["hole"] = np.where(np.arange(len(y)) % 9, 1.0, np.nan)
    masks = some_masks(6, m=5)
    with_others = np.column_stack([masks, np.zeros((len(masks), 2), dtype=bool)])
    line = check(estimator, frame, y, with_others)
    assert line.doubted(with_others) < 0.5
    refused = np.zeros((1, 8), dtype=bool)
    refused[0, [0, 6]] = True
    assert line.doubted(refused) == 1.0


def test_negative_and_unseen_categories_are_left_to_the_estimator():
    X, y = levels(3, classes=2)
    X = X.astype(float)
    X[0, 1], X[5, 2] = -1.0, 30.0
    masks = np.eye(6, dtype=bool)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # A category that training does not show has no score; nor has a negative one.
        found = CrossValidated(CategoricalNB(), cv=4).bind(as_table(X, y)).score(masks[2:]).folds
        for mask, folds in zip(masks[2:], found, strict=True):
            assert_array_equal(folds, cross_val_score(CategoricalNB(), X[:, mask], y, cv=4))
    assert np.isnan(found[0]).any()
    assert not np.isnan(found[1]).any()


PIPELINES = (
    make_pipeline(StandardScaler(), GaussianNB()),
    make_pipeline(MinMaxScaler(), NaiveBayes()),
    make_pipeline(SimpleImputer(), StandardScaler(), GaussianNB()),
    make_pipeline(MinMaxScaler(), BernoulliNB(binarize=0.5)),
)


@pytest.mark.parametrize("estimator", PIPELINES, ids=str)
def test_pipelines(estimator):
    X, y = numbers(5, classes=2)
    X = X.copy()
    X[:, 4] = 2.0
    if isinstance(estimator[0], SimpleImputer):
        X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    masks = some_masks(6, m=8)
    for scoring in ("accuracy", "f1", "neg_log_loss"):
        line = check(estimator, X, y, masks, 4, scoring)
        assert line.doubted(masks) < 0.5


def test_blocks_of_columns():
    pandas = pytest.importorskip("pandas")
    X, y = levels(6, classes=2)
    frame = pandas.DataFrame({f"l{j}": np.array(list("pqrstuvw"))[X[:, j]] for j in range(3)})
    frame["n"], frame["m"] = np.random.default_rng(0).normal(size=(2, len(y))) + y
    words, rest = ["l0", "l1", "l2"], ["n", "m"]
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    models = (
        make_pipeline(
            make_column_transformer((one_hot, words), (StandardScaler(), rest)), GaussianNB()
        ),
        make_pipeline(make_column_transformer((one_hot, words)), BernoulliNB()),
        make_pipeline(make_column_transformer((OrdinalEncoder(), words)), CategoricalNB()),
    )
    for model in models:
        masks = some_masks(5, m=8)
        masks[:, 0] = True
        scorer = CrossValidated(model, cv=4).bind(as_table(frame, y))
        assert isinstance(scorer.scorers[0], LineScorer)
        slow = CrossValidated(model, cv=4, fast=False).bind(as_table(frame, y))
        assert_array_equal(scorer.score(masks).folds, slow.score(masks).folds)
        base = masks[0]
        steps = Steps(base, np.arange(1, 5), (~base[1:]).astype(np.int64))
        found = scorer.score_steps(steps).folds
        assert_array_equal(found, scorer.score(np.asarray(steps)).folds)
    other = make_pipeline(KBinsDiscretizer(), GaussianNB())
    assert "KBinsDiscretizer" in find_path(other, as_table(X.astype(float), y)).why


@pytest.mark.parametrize("scoring", ["accuracy", "f1", "roc_auc"])
@pytest.mark.parametrize(
    "estimator",
    [GaussianNB(), NaiveBayes(), BernoulliNB(), CategoricalNB(min_categories=9)],
    ids=str,
)
def test_weights_of_rows(estimator, scoring):
    X, y = levels(7, classes=2)
    X = X.astype(float)
    weight = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    masks = some_masks(6, m=6)
    table = as_table(X, y, metadata={"sample_weight": weight})
    fast = CrossValidated(estimator, cv=4, scoring=scoring).bind(table)
    assert isinstance(fast.scorers[0], LineScorer)
    slow = CrossValidated(estimator, cv=4, scoring=scoring, fast=False).bind(table)
    assert_allclose(fast.score(masks).folds, slow.score(masks).folds, atol=1e-12)


@pytest.mark.filterwarnings("ignore:Class 1 has 1 row", "ignore:The least populated")
@pytest.mark.parametrize(
    "estimator",
    [GaussianNB(), CategoricalNB(min_categories=9), BernoulliNB(), NaiveBayes()],
    ids=str,
)
def test_classes_that_a_training_part_never_shows(estimator):
    """They are never predicted, and their test rows are always wrong."""
    X, y = levels(5, classes=4)
    y = np.where(y == 1, np.where(np.arange(len(y)) == 7, 1, 5), y)
    masks = some_masks(6, m=6)
    check(estimator, X, y, masks, 5)
    check(estimator, X[np.argsort(y)], np.sort(y), masks, KFold(4))
    check(estimator, X, np.array(["z", "", "b", "a", "q", "1"])[y], masks, 5, "f1_macro")


def test_splitters():
    X, y = numbers(2, classes=2)
    masks = some_masks(6, m=4)
    rng = np.random.default_rng(0)
    repeated = [(rng.integers(0, 100, 90), rng.integers(100, 120, 25)) for _ in range(3)]
    for cv in (KFold(4), ShuffleSplit(3, random_state=0), repeated):
        for estimator in (GaussianNB(), NaiveBayes()):
            check(estimator, X, y, masks, cv)
    check(GaussianNB(), X[:40], y[:40], masks[:1], LeaveOneOut())
    # A training part with one class only: the referee trains.
    order = np.argsort(y)
    check(GaussianNB(), X[order], y[order], masks, KFold(2))


def test_extreme_scales():
    X, y = numbers(3, classes=2)
    X = X * np.array([1e-200, 1e150, 1e-150, 1.0, 1e8, 1e-8]) + np.array([0, 0, 0, 1e9, 1e5, 0])
    for estimator in (GaussianNB(), GaussianNB(var_smoothing=0.0), NaiveBayes()):
        check(estimator, X, y, some_masks(6, m=12))


def test_ties_are_decided_as_the_estimator_does():
    """Symmetric classes: every margin at zero is exactly zero, up to rounding."""
    rng = np.random.default_rng(0)
    half = rng.normal(size=(40, 4)).round(1)
    X = np.vstack([half, -half, np.zeros((20, 4))])
    y = np.array([0] * 40 + [1] * 40 + [0, 1] * 10)
    for estimator in (GaussianNB(), NaiveBayes(), BernoulliNB()):
        check(estimator, X, y, some_masks(4, m=8))
    words = rng.choice(["a", "b"], (60, 3)).astype(object)
    scorer = CrossValidated(NaiveBayes(), cv=4).bind(as_table(words, np.arange(60) % 2))
    assert scorer.scorers[0].doubted(some_masks(3)) == 0.0


def _mixed(seed, n=90):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    frame = pandas.DataFrame(
        {
            "a": rng.normal(y),
            "b": pandas.Categorical(rng.choice(list("uvw"), n), categories=list("tuvw")),
            "c": np.where(rng.random(n) < 0.6, np.array(["x", "y", "z"])[y], "other"),
            "d": rng.random(n) < 0.3 + 0.2 * y,
            "e": rng.normal(size=n).round(1),
            "f": np.full(n, 0.1),
        }
    )
    frame.loc[rng.random(n) < 0.2, ["a", "c"]] = None
    frame.loc[3, "c"] = "seldom"
    frame.loc[y == 1, "e"] = 0.3
    return frame, y


@pytest.mark.parametrize(
    "estimator",
    [
        NaiveBayes(),
        NaiveBayes(alpha=0.5, variance_floor=0.01),
        NaiveBayes(alpha=0.0),
        MLCNaiveBayes(),
    ],
    ids=str,
)
def test_mixed_tables(estimator):
    frame, y = _mixed(0)
    masks = some_masks(6)
    check_twin(estimator, frame, y, masks)
    line = check(estimator, frame, y, masks, 5, "f1_macro")
    assert line.doubted(masks) == 0.0


@pytest.mark.parametrize("estimator", [NaiveBayes(alpha=0.0), MLCNaiveBayes()], ids=str)
@pytest.mark.parametrize("declared", [False, True])
def test_rows_that_no_class_could_have_produced(estimator, declared):
    """Classes are ruled out by margins; rows for which all of them may be, by their sums."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 150)
    codes = np.minimum(rng.geometric(0.35, (150, 6)) - 1 + (y[:, None] == np.arange(6) % 3), 7)
    frame = pandas.DataFrame(np.array(list("abcdefgh"), dtype=object)[codes]).rename(columns=str)
    frame = frame.astype("category") if declared else frame
    masks = np.array([np.arange(64) >> j & 1 for j in range(6)], dtype=bool).T[1:]
    line = check(estimator, frame, y, masks)
    assert any(len(model.odd) for model in line.rule.folds)
    assert line.doubted(masks) == 0.0
    base = masks[20]
    steps = Steps(base, np.arange(6), (~base).astype(np.int64))
    assert_array_equal(line.score_steps(steps).folds, line.score(np.asarray(steps)).folds)


def test_variances_of_zero_by_the_rules_of_mlc():
    """0.01 where all values are equal to the last bit, whatever their sums are."""
    X, y = numbers(3, classes=2)
    X = X.copy()
    X[y == 0, 0], X[y == 1, 1], X[:, 2] = 0.1, 3.0, 0.7
    check(MLCNaiveBayes(), X, y, some_masks(6, m=20))
    check(make_pipeline(StandardScaler(), MLCNaiveBayes()), X, y, some_masks(6, m=6))


@pytest.mark.parametrize("alpha", [1.0, 0.0])
def test_mixed_tables_against_the_slow_twin(alpha):
    frame, y = _mixed(9, n=40)
    rows = frame.astype(object).where(frame.notna(), None)
    for name in ("b", "d"):
        rows[name] = [str(v) for v in rows[name]]
    rows = rows.values.tolist()
    folds = list(StratifiedKFold(3).split(rows, y))
    scorer = CrossValidated(NaiveBayes(alpha=alpha), cv=folds).bind(as_table(frame, y))
    masks = some_masks(6, m=6)
    for mask, got in zip(masks, scorer.score(masks).folds, strict=True):
        columns = np.flatnonzero(mask)
        assert_allclose(got, fold_accuracies(rows, y, folds, columns, floor=0.1, alpha=alpha))


@pytest.mark.parametrize(
    "name", ["ionosphere", "image-segmentation", "chess-kr-vs-kp", "horse-colic"]
)
def test_real_tables(dataset, name):
    data = dataset(name)
    masks = some_masks(data.X.shape[1], m=2, seed=5)
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    check_twin(NaiveBayes(), data.X, data.y, masks, cv=folds)
    table = as_table(data.X, data.y)
    if not table.missing.any():
        X = np.ascontiguousarray(table.values)
        estimator = CategoricalNB() if table.nominal.all() else GaussianNB()
        check_twin(estimator, X, data.y, masks, cv=folds)
        check_twin(BernoulliNB(), X, data.y, masks, cv=folds)


@pytest.mark.parametrize("estimator", [NaiveBayes(), GaussianNB()], ids=str)
@pytest.mark.parametrize("order", ["C", "F"])
def test_margins_are_kept_or_made_in_blocks(estimator, order, monkeypatch):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 20_000)
    X = np.round(rng.normal(size=(20_000, 5)) + 0.5 * y[:, None] * np.arange(5), 2)
    X, masks = np.asarray(X, order=order), some_masks(5, m=20)
    base = np.array([True, True, False, False, True])
    steps = Steps(base, np.arange(5), (~base).astype(np.int64))
    found = []
    for kept in (0, 2**30):
        monkeypatch.setattr(evidence, "KEPT", kept)
        monkeypatch.setattr(evidence, "AT_ONCE", 1 << 14)
        scorer = CrossValidated(estimator, cv=2).bind(as_table(X, y)).scorers[0]
        assert (scorer.rule._kept is not None) == (kept > 0)
        found.append((scorer.score(masks).folds, scorer.score_steps(steps).folds))
    for made, keeping in zip(*found, strict=True):
        assert_array_equal(made, keeping)
    check(estimator, X, y, masks[:3], StratifiedKFold(2, shuffle=True, random_state=0))


@pytest.mark.parametrize("centre", [0.0, 1e6, 1e13])
def test_columns_far_from_zero(centre):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 300)
    X = np.round(rng.normal(size=(300, 5)) + 0.5 * y[:, None] * np.arange(5), 2) + centre
    X[:, 4] = centre
    for estimator in (NaiveBayes(), GaussianNB()):
        check(estimator, X, y, some_masks(5, m=6), 3)


@pytest.mark.parametrize("scale", [1.0, 1e5])
def test_steps_of_a_wide_table(scale):
    """Also where what GaussianNB adds to the variances depends on the step."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 300)) * np.linspace(1.0, scale, 300) + y[:, None] * (
        np.arange(300) < 5
    )
    base = np.arange(300) % 100 == 3
    steps = Steps(base, np.arange(300), (~base).astype(np.int64))
    for own in (X, X.astype(np.float32)):
        scorer = CrossValidated(GaussianNB(), cv=3).bind(as_table(own, y))
        assert_array_equal(scorer.score_steps(steps).folds, scorer.score(np.asarray(steps)).folds)
        assert scorer.scorers[0].doubted(np.asarray(steps)) < 0.02
    check(GaussianNB(), X, y, np.asarray(steps)[::60])


def test_doubts_about_other_columns_need_no_referee():
    """A column that is nearly constant makes large errors, but only where it is in."""
    X, y = numbers(0, classes=2)
    X = np.column_stack([X, 1e9 + np.arange(len(y)) % 2 * 1e-5])
    masks = some_masks(7, m=8)
    masks[:, 0], masks[:, 6] = True, False
    for estimator in (GaussianNB(), NaiveBayes()):
        assert check(estimator, X, y, masks).doubted(masks) == 0.0
        masks[:4, 6] = True
        check(estimator, X, y, masks)
        masks[:, 6] = False


@pytest.mark.parametrize("estimator", [GaussianNB(), CategoricalNB(), BernoulliNB()], ids=str)
def test_scores_do_not_depend_on_the_batch(estimator):
    X, y = levels(0) if isinstance(estimator, CategoricalNB) else numbers(0)
    masks = some_masks(6, m=64)
    scorer = CrossValidated(estimator, cv=4).bind(as_table(X, y))
    together = scorer.score(masks).folds
    for size in (1, 5, 63):
        parts = [scorer.score(masks[i : i + size]).folds for i in range(0, len(masks), size)]
        assert_array_equal(np.concatenate(parts), together)
    assert_array_equal(pickle.loads(pickle.dumps(scorer)).score(masks).folds, together)


@parametrize_with_measure_checks(
    [
        (CrossValidated(GaussianNB(), cv=4), toy_table(n_classes=3)),
        (CrossValidated(NaiveBayes(), cv=4), nominal_table()),
    ]
)
def test_conformance(measure, table, check):
    check(measure, table)


def test_memory_does_not_grow_with_the_candidates():
    X, y = numbers(0, n=400, d=20)
    scorer = CrossValidated(GaussianNB(), cv=5).bind(as_table(X, y))
    masks = some_masks(20, m=40_000)
    peaks = []
    for m in (1_000, 20_000):
        scorer.score(masks[:m])
        tracemalloc.start()
        scorer.score(masks[:m])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # What grows is the answer and the list of selected columns, not rows times candidates.
    assert peaks[1] - peaks[0] < 20_000 * (20 * 16 + 10 * 8 + 64)


@pytest.mark.parametrize(
    ("estimator", "words"),
    [
        (GaussianNB(var_smoothing="much"), "var_smoothing"),
        (GaussianNB(priors=[0.5, 0.6]), "priors"),
        (BernoulliNB(alpha=np.ones(3)), "alpha"),
        (BernoulliNB(binarize="half"), "binarize"),
        (CategoricalNB(min_categories=[3, 3]), "min_categories"),
        (CategoricalNB(class_prior=[1.0]), "class_prior"),
        (NaiveBayes(variance_floor=0.0), "variance_floor"),
    ],
    ids=str,
)
def test_refusals_name_the_parameter(estimator, words):
    X, y = numbers(0, classes=2)
    path = find_path(estimator, as_table(X, y))
    assert not path.fast
    assert words in path.why


def test_a_large_sparse_table_is_counted_from_what_it_stores(monkeypatch):
    from scipy import sparse

    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 120)
    X = rng.poisson(1 + 2 * (np.arange(12) % 3 == y[:, None])) * (rng.random((120, 12)) < 0.3)
    X = X.astype(float)
    X[4, 11] = np.nan
    masks = some_masks(12, m=20)
    monkeypatch.setattr(bayes, "DENSE", 10)
    scorer = CrossValidated(NaiveBayes(), cv=4).bind(as_table(sparse.csr_matrix(X), y))
    assert scorer.scorers[0].rule.large
    expected = [cross_val_score(NaiveBayes(), X[:, mask], y, cv=4) for mask in masks]
    assert_array_equal(scorer.score(masks).folds, expected)
    steps = Steps(masks[0], np.arange(12), 1 - masks[0].astype(np.int64))
    some = steps[steps.sizes() > 0]
    assert_array_equal(scorer.score_steps(some).folds, scorer.score(np.asarray(some)).folds)
    other = CrossValidated(NaiveBayes(), cv=4, scoring="f1_macro")
    folds = other.bind(as_table(sparse.csr_matrix(X), y)).score(masks[:2]).folds
    assert_allclose(
        folds,
        [cross_val_score(NaiveBayes(), X[:, m], y, cv=4, scoring="f1_macro") for m in masks[:2]],
    )


@pytest.mark.parametrize("model", [GaussianNB(), NaiveBayes(), BernoulliNB()], ids=str)
def test_steps_where_a_pipeline_changes_the_order_of_the_columns(model):
    X, y = numbers(8, classes=2)
    scalers = make_column_transformer((StandardScaler(), [3, 1, 5]), (MinMaxScaler(), [4, 0, 2]))
    base = np.array([True, False, False, True, False, False])
    steps = Steps(base, np.arange(6), (~base).astype(np.int64))
    table = as_table(X, y)
    scorer, slow = (
        CrossValidated(make_pipeline(scalers, model), cv=4, fast=fast).bind(table)
        for fast in (True, False)
    )
    assert isinstance(scorer.scorers[0], LineScorer)
    assert_array_equal(scorer.score_steps(steps).folds, slow.score(np.asarray(steps)).folds)
