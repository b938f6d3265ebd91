"""The same folds for scikit-learn: what ``cross_val_score`` gives on them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, PredefinedSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest.classifiers._naive_bayes import NaiveBayes
from fewest.data._as_table import as_table
from fewest.data._engine.fold_sums import FoldedRows
from fewest.data._engine.frame import stored_table
from fewest.data._engine.source import TableSource
from fewest.measures._wrappers.cross_validated import CrossValidated
from fewest.measures._wrappers.scanned import has_sums
from tests.data.engine.sample import arrow, frame, mixed, numbers, parts_of


def witnessed(estimator, table, target, subset, folds, scoring=None):
    """Fold scores of the estimator itself on the folds that the scan makes."""
    stored = stored_table(arrow(table, 10_000), target)
    (part,) = parts_of(FoldedRows(stored, folds))
    X = table.drop(columns=target)
    names = [name for name, inside in zip(X.columns, subset, strict=True) if inside]
    return cross_val_score(
        estimator, X[names], table[target], cv=PredefinedSplit(part.fold), scoring=scoring
    )


def memory(table, target):
    """The table in memory."""
    return as_table(table.drop(columns=target), table[target])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"measure": GaussianNB(), "cv": KFold(3)}, '`cv` must be "auto" or a number of folds'),
        ({"measure": GaussianNB(), "scoring": "f1_macro"}, "`scoring` must be accuracy for a"),
        (
            {"measure": LinearRegression(), "scoring": "neg_max_error"},
            "`scoring` must be r2, neg_mean",
        ),
    ],
)
def test_what_needs_rows_is_refused_in_a_sentence(options, words):
    table = numbers().drop(columns="z")
    with pytest.raises(InputError, match=words):
        SubsetSelector(search="sfs", **options).fit(arrow(table).dataset, target="y")


def test_the_default_measure_scans_classes_and_numbers():
    table = numbers()
    classes = SubsetSelector(search="sfs", cv=3).fit(
        arrow(table.drop(columns="z").astype({"y": str})).dataset, target="y"
    )
    assert classes.measure_.title == "naive-bayes"
    assert classes.fold_scores_.shape == (3,)
    by_number = SubsetSelector(search="sfs", cv=3).fit(
        arrow(table.drop(columns="y")).dataset, target="z"
    )
    assert by_number.measure_.title == "linear-regression"


EVERY = np.array([[bool(n >> j & 1) for j in range(4)] for n in range(1, 16)])


@pytest.mark.parametrize("batch", [64, 10_000])
def test_naive_bayes_has_the_fold_scores_of_cross_val_score(batch):
    table = mixed()
    scorer = CrossValidated(NaiveBayes(), cv=4).bind(stored_table(arrow(table, batch), "y"))
    folds = scorer.score(EVERY).folds
    for subset, found in zip(EVERY, folds, strict=True):
        assert found == pytest.approx(witnessed(NaiveBayes(), table, "y", subset, 4))


def test_nominal_tables_and_the_empty_subset_are_scored():
    table = frame().drop(columns="w")
    scorer = CrossValidated(NaiveBayes(), cv=3).bind(stored_table(arrow(table), "y"))
    subsets = np.array([[True] * 6, [True, False] * 3, [False] * 6])
    found = scorer.score(subsets)
    for subset, folds in zip(subsets[:2], found.folds, strict=False):
        assert folds == pytest.approx(witnessed(NaiveBayes(), table, "y", subset, 3))
    assert found.value[2] == pytest.approx(0.34, abs=0.05)


def test_gaussian_nb_has_the_fold_scores_of_cross_val_score():
    table = numbers().drop(columns="z")
    estimator = GaussianNB(var_smoothing=0.01)
    scorer = CrossValidated(estimator, cv=5).bind(stored_table(arrow(table), "y"))
    for subset, found in zip(EVERY, scorer.score(EVERY).folds, strict=True):
        assert found == pytest.approx(witnessed(estimator, table, "y", subset, 5))


def test_folds_without_rows_or_classes_are_refused():
    table = mixed().assign(part=lambda t: t["y"])
    stored = stored_table(arrow(table), "y", metadata={"folds": "part"})
    with pytest.raises(InputError, match="'low' has none outside fold 0; use other folds"):
        CrossValidated(NaiveBayes()).bind(stored)
    with pytest.raises(InputError, match="Every one of the 40 folds must have rows"):
        CrossValidated(NaiveBayes(), cv=40).bind(stored_table(arrow(mixed(30)), "y"))
    stored = stored_table(arrow(numbers().drop(columns="z")), "y")
    with pytest.raises(InputError, match="`priors` of GaussianNB must be None"):
        CrossValidated(GaussianNB(priors=[0.2, 0.3, 0.5])).bind(stored)


def test_weights_count_as_repeated_rows_and_folds_can_be_named():
    table = frame()
    table["part"] = np.arange(len(table)) % 3
    repeated = table.loc[table.index.repeat(table["w"])].drop(columns="w")
    given = {"sample_weight": "w", "folds": "part"}
    weighted = stored_table(arrow(table), "y", metadata=given)
    plain = stored_table(arrow(repeated), "y", metadata={"folds": "part"})
    subsets = np.array([[bool(n >> j & 1) for j in range(6)] for n in range(0, 64, 7)])
    one = CrossValidated(NaiveBayes()).bind(weighted).score(subsets)
    two = CrossValidated(NaiveBayes()).bind(plain).score(subsets)
    np.testing.assert_allclose(one.folds, two.folds, rtol=1e-12)


@pytest.mark.parametrize("solver", ["svd", "lsqr"])
def test_lda_has_the_fold_scores_of_cross_val_score(solver):
    table = numbers().drop(columns="z")
    estimator = LinearDiscriminantAnalysis(solver=solver)
    scorer = CrossValidated(estimator, cv=5).bind(stored_table(arrow(table, 77), "y"))
    for subset, found in zip(EVERY, scorer.score(EVERY).folds, strict=True):
        assert found == pytest.approx(witnessed(estimator, table, "y", subset, 5))
    shrunk, stored = LinearDiscriminantAnalysis(shrinkage=0.5), stored_table(arrow(table), "y")
    with pytest.raises(InputError, match="`solver` of LinearDiscriminantAnalysis must be svd"):
        CrossValidated(shrunk).bind(stored)


def model(C=1.0):
    return LogisticRegression(C=C, tol=1e-10, max_iter=10_000)


MODELS = [model(), model(0.01), make_pipeline(StandardScaler(), model(0.02))]


@pytest.mark.parametrize("estimator", MODELS, ids=["default", "strong", "scaled"])
@pytest.mark.parametrize("classes", [2, 3])
def test_fold_scores_are_those_of_cross_val_score(estimator, classes):
    table = numbers().drop(columns="z")
    table["y"] = np.minimum(table["y"], classes - 1)
    scorer = CrossValidated(estimator, cv=5).bind(stored_table(arrow(table, 77), "y"))
    found = scorer.score(np.vstack([np.zeros_like(EVERY[:1]), EVERY]))
    for subset, folds in zip(EVERY, found.folds[1:], strict=True):
        assert folds == pytest.approx(witnessed(estimator, table, "y", subset, 5), abs=1e-12)
    assert found.value[0] == pytest.approx(table["y"].value_counts(normalize=True).max(), abs=0.02)


def test_a_step_is_a_scan_for_all_candidates(monkeypatch):
    table, scans = numbers().drop(columns="z"), []
    reduce = TableSource.reduce
    monkeypatch.setattr(TableSource, "reduce", lambda s, q: scans.append(q) or reduce(s, q))
    X, y = arrow(table).dataset, "y"
    SubsetSelector(model(), search="sfs", max_features=2, refit=False).fit(X, target=y)
    steps = [type(scan).__name__ for scan in scans]
    # Per batch of candidates: up to a dozen steps and one scan of the hits.
    assert 2 <= steps.count("HitScan") <= 4
    assert 4 <= steps.count("NewtonScan") / steps.count("HitScan") <= 12
    assert {"SampleScan"}.isdisjoint(steps)


def test_a_model_that_separates_the_classes_without_a_penalty_ends():
    table = numbers().drop(columns="z").assign(y=lambda t: (t["b"] > 0).astype(int))
    free = LogisticRegression(C=np.inf)
    scorer = CrossValidated(free, cv=3).bind(stored_table(arrow(table), "y"))
    assert scorer.score(EVERY[1:2]).value[0] > 0.98


def test_folds_without_a_class_and_labels_are_refused_and_other_penalties_take_a_sample():
    table = numbers().drop(columns="z")
    with pytest.raises(InputError, match="Every one of the 60 folds must have rows"):
        CrossValidated(model(), cv=60).bind(stored_table(arrow(table[:60]), "y"))
    labels = stored_table(arrow(table.assign(a=table["a"].round().astype(str))), "y")
    with pytest.raises(InputError, match="column 'a' holds labels"):
        CrossValidated(model()).bind(labels)
    assert has_sums(model())
    assert not has_sums(LogisticRegression(solver="liblinear"))
    assert not has_sums(LogisticRegression(class_weight="balanced"))
    assert not has_sums(LogisticRegression(l1_ratio=1.0, solver="saga"))


MODELS_REGRESSION = [LinearRegression(), Ridge(3.0), make_pipeline(StandardScaler(), Ridge(50.0))]


@pytest.mark.parametrize("estimator", MODELS_REGRESSION, ids=["ols", "ridge", "scaled"])
@pytest.mark.parametrize("scoring", [None, "neg_root_mean_squared_error"])
def test_fold_scores_are_those_of_cross_val_score_without_reading_again(estimator, scoring):
    table = numbers().drop(columns="y")
    stored = stored_table(arrow(table, 90), "z", task="regression")
    scorer = CrossValidated(estimator, cv=4, scoring=scoring).bind(stored)
    for subset, found in zip(EVERY, scorer.score(EVERY).folds, strict=True):
        exact = witnessed(estimator, table, "z", subset, 4, scoring)
        assert found == pytest.approx(exact, rel=1e-9)


def test_the_selector_takes_it_and_the_empty_subset_is_the_mean():
    table = numbers().drop(columns="y")
    selector = SubsetSelector("linear-regression", search="sfs").fit(
        arrow(table).dataset, target="z"
    )
    assert set(selector.result_.features) >= {"a", "b", "c"}
    assert selector.score(arrow(table).dataset, "z") > 0.8
    scorer = CrossValidated(LinearRegression()).bind(stored_table(arrow(table), "z"))
    assert scorer.score(np.zeros((1, 4), dtype=bool)).value[0] == pytest.approx(0.0, abs=0.05)


def test_what_sums_cannot_do_is_refused():
    stored = stored_table(arrow(numbers().drop(columns="y")), "z")
    with pytest.raises(InputError, match="must have an intercept and no sign constraint"):
        CrossValidated(LinearRegression(positive=True)).bind(stored)
