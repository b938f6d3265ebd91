"""The line as a whole: paths, referee, audit and costs."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import fewest
from fewest._errors import InputError
from fewest.classifiers import ID3, TAN, OneR
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.measures._abilities import Audit
from fewest.measures._measure_names import resolve_measure
from fewest.measures._speed import speed_of
from fewest.measures._steps import Steps
from fewest.measures._wrappers import line
from fewest.measures._wrappers.line import fast_scorer
from fewest.measures._wrappers.paths import RULES, find_path, rule_of
from fewest.measures._wrappers.rules.rule import Counts
from fewest.measures._wrappers.splits import mean_over_repetitions
from fewest.measures._wrappers.wrapped import WrappedScorer
from fewest.testing import toy_table
from tests.docs.speed import CLASSES, NUMBERS, PAGE, models, page, tables

X, Y = load_iris(return_X_y=True)
SPLITS = tuple(StratifiedKFold(3).split(X, Y))


def test_every_rule_is_found_by_its_class_and_not_by_a_subclass():
    import importlib

    for place in RULES:
        module, name = place.split(":")
        cls = getattr(importlib.import_module(module), name)
        assert rule_of(cls()) is not None, place
        derived = type(name, (cls,), {})
        assert rule_of(derived()) is None, place


@pytest.mark.parametrize(
    ("estimator", "scoring", "why"),
    [
        (SVC(), None, "SVC has no fast path, so it is trained for every subset"),
        (RandomForestClassifier(), None, "RandomForestClassifier has no fast path"),
        (ID3(), "roc_auc_ovr", "the rule of ID3 knows accuracies only"),
        (TAN(), "top_k_accuracy", "scoring='top_k_accuracy' is computed by scikit-learn only"),
        (TAN(features=[0]), None, "uses some of the features only"),
        (make_pipeline(StandardScaler(), ID3()), None, "comes after other steps in a pipeline"),
    ],
)
def test_what_is_trained_has_a_reason_in_words(estimator, scoring, why):
    path = find_path(estimator, as_table(X, Y), scoring)
    assert not path.fast
    assert why in path.why


def test_folds_in_doubt_are_trained_and_no_others(monkeypatch):
    scorer = fast_scorer(TAN(), as_table(X, Y), SPLITS)
    masks = np.ones((2, 4), dtype=bool)
    masks[1, 0] = False
    expected = scorer.score(masks).folds
    counted = scorer.rule.count(masks)
    doubtful = np.zeros_like(counted.doubtful)
    doubtful[1, 0] = 3
    wrong = np.where(doubtful > 0, 0, counted.right)
    monkeypatch.setattr(scorer.rule, "count", lambda batch: Counts(wrong, doubtful))
    trained = []
    real = WrappedScorer.folds_of
    monkeypatch.setattr(
        WrappedScorer,
        "folds_of",
        lambda self, c, folds: trained.append((c.tolist(), list(folds))) or real(self, c, folds),
    )
    assert scorer.score(masks).folds.tolist() == expected.tolist()
    assert trained == [([True] * 4, [1])]


@pytest.mark.parametrize("model", [OneR(), GaussianNB()])
def test_some_folds_of_a_subset_are_those_of_all(model):
    scorer = fast_scorer(model, as_table(X, Y), SPLITS)
    subset = np.array([True, False, True, False])
    folds = scorer.score(subset[None]).folds[0]
    assert scorer.folds_of(subset, [2, 0]) == [folds[2], folds[0]]


def test_a_subset_that_cannot_be_trained_has_no_score_and_the_search_goes_on():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    table = np.column_stack([np.ones(60), rng.normal(size=60) + y, rng.normal(size=60)])
    lda = LinearDiscriminantAnalysis(solver="eigen")
    selector = fewest.SubsetSelector(lda, search="exhaustive", cv=3, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        selector.fit(table, y)
    assert 1 in np.flatnonzero(selector.support_)
    assert np.isfinite(selector.score_)
    assert any("have no score" in note for note in selector.result_.notes)


def test_an_estimator_that_can_never_be_trained_is_an_error():
    selector = fewest.SubsetSelector(SVC(C=-1.0), search="sfs", cv=3)
    with pytest.raises(InputError, match="could not be trained on"):
        selector.fit(X, Y)


def test_the_audit_holds_both_numbers():
    selector = fewest.SubsetSelector(ID3(), search="sfs", cv=3, random_state=0).fit(X, Y)
    audit = selector.result_.audit
    assert audit["agrees"]
    assert audit["score"] == audit["trained"]
    off = fewest.SubsetSelector(ID3(), search="sfs", cv=3, random_state=0, audit=False)
    assert off.fit(X, Y).result_.audit is None


def test_a_wrong_rule_is_found_and_the_run_repeated_with_training(monkeypatch):
    from fewest.measures._wrappers.rules.decision_trees import TreeRule

    right = fewest.SubsetSelector(ID3(), search="sfs", cv=3, random_state=0).fit(X, Y)
    real = TreeRule.count

    def wrong(self, batch):
        counted = real(self, batch)
        return Counts(counted.right - 1, counted.doubtful, counted.goals)

    monkeypatch.setattr(TreeRule, "count", wrong)
    selector = fewest.SubsetSelector(ID3(), search="sfs", cv=3, random_state=0)
    with pytest.warns(UserWarning, match="differ from those of the trained model"):
        selector.fit(X, Y)
    assert not selector.result_.audit["agrees"]
    assert selector.score_ == right.score_
    assert any("repeated with training" in note for note in selector.result_.notes)


def test_an_estimator_that_stops_early_is_named_and_not_repeated(monkeypatch):
    near = np.array([[0.9, 0.8]])
    assert Audit(near, near - 0.05, 1e-7, stopped_early=True).agrees
    assert not Audit(near, near - 0.05, 1e-7).agrees
    assert Audit(near, np.array([[np.nan, 0.8]]), 1e-7).largest_difference == np.inf


def test_costs_decide_the_search_and_no_clock(monkeypatch):
    import time

    def clock():
        raise AssertionError("a clock was read")

    table = toy_table(n_features=30)
    scorer = CrossValidated(OneR()).bind(table)
    slow = CrossValidated(SVC()).bind(table)
    assert 0.0 < scorer.operations < 1e6 < slow.operations
    monkeypatch.setattr(time, "perf_counter", clock)
    monkeypatch.setattr(time, "process_time", clock)
    selector = fewest.SubsetSelector(OneR(), choose="best", random_state=0)
    names = {
        selector._recommend(CrossValidated(OneR()), table, s, scorer)[0].name
        for s in [selector._space(table)[0]]
    }
    assert names == {"umda"}


def test_the_speed_of_a_model_is_explained():
    speed = fewest.SubsetSelector(SVC()).explain_speed(X, Y)
    assert not speed.fast
    assert str(speed).startswith("SVC: trained, because SVC has no fast path")
    assert speed_of(resolve_measure("cfs"), as_table(X, Y)).fast


def _repeated(first, unit):
    """How many candidates each further repetition scores."""
    counts = []

    def again(repetition, rows):
        counts.append(len(rows))
        return first[rows]

    mean_over_repetitions(first, 3, again, unit)
    return counts


def test_the_unit_of_a_loss_does_not_change_the_repetitions():
    first = np.array([[1.0, 1.3, 0.8], [1.0, 1.01, 0.99]])
    assert _repeated(first, 1.0) == _repeated(1000.0 * first, 1000.0) == [1, 1]
    assert _repeated(1000.0 * first, 1.0) == [2, 2]
    y = np.random.default_rng(1).normal(size=60)
    units = [
        CrossValidated(DummyRegressor(), scoring="neg_mean_squared_error", fast=False)
        .bind(as_table(np.ones((60, 2)), factor * y))
        .unit
        for factor in (1.0, 1000.0)
    ]
    assert units[1] == pytest.approx(1e6 * units[0])


def test_line_is_the_only_scorer_of_fast_paths():
    assert isinstance(CrossValidated(TAN()).bind(as_table(X, Y)).scorer(0), line.LineScorer)
    assert isinstance(
        CrossValidated(LogisticRegression(), fast=False).bind(as_table(X, Y)).scorer(0),
        WrappedScorer,
    )


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc"])
@pytest.mark.parametrize("model", [GaussianNB(), LogisticRegression(), KNeighborsClassifier()])
def test_truth_values_alone_are_refused_by_an_imputer(model, scoring):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    table = pd.DataFrame({"a": rng.normal(size=40) + y, "b": rng.random(40) < 0.5, "c": y > 0})
    scorer = fast_scorer(
        make_pipeline(SimpleImputer(strategy="most_frequent"), model),
        as_table(table, y),
        tuple(StratifiedKFold(4).split(table, y)),
        scoring,
    )
    masks = np.array([[0, 1, 0], [0, 1, 1], [1, 1, 0]], dtype=bool)
    folds = scorer.score(masks).folds
    assert np.isnan(folds[:2]).all()
    assert np.isfinite(folds[2]).all()
    steps = Steps(np.zeros(3, dtype=bool), np.arange(3), np.ones(3, dtype=np.int64))
    assert np.isnan(scorer.score_steps(steps).folds).all(axis=1).tolist() == [False, True, True]
    assert np.isnan(scorer.folds_of(masks[0], [1])[0])
    assert scorer.doubted(masks[:2]) == 1.0


@pytest.mark.parametrize("scoring", ["roc_auc_ovr_weighted", "roc_auc_ovr", "neg_log_loss"])
def test_a_class_whose_test_rows_weigh_nothing_is_left_to_the_metric(scoring):
    weight = np.ones(len(Y))
    weight[SPLITS[0][1][Y[SPLITS[0][1]] == 2]] = 0.0
    table = as_table(X, Y, metadata={"sample_weight": weight})
    scorer = fast_scorer(GaussianNB(), table, SPLITS, scoring)
    masks = np.eye(4, dtype=bool)
    assert scorer.lacking.tolist() == [True, False, False]
    np.testing.assert_allclose(scorer.score(masks).folds, scorer.referee.score(masks).folds)


def test_the_page_shows_what_the_registry_says_and_the_benchmark_measured():
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, "run python -m tests.docs.speed and review the difference"


def test_every_model_and_every_cell_is_there():
    found = tables()
    listed = (*found["classes"].splitlines()[2:], *found["numbers"].splitlines()[2:])
    rows = [line.split(" | ") for line in listed]
    assert sorted(row[0].removeprefix("| ") for row in rows) == sorted(models())
    assert len(rows) == len(RULES)
    assert {len(row) for row in rows} <= {len(CLASSES) + 2, len(NUMBERS) + 2}
    words = ("fast", "trained", "no")
    assert all(cell.startswith(words) for row in rows for cell in row[1:-1])
