"""Recalls, thresholds and robust errors of predictions on held-out rows."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import median_absolute_error, recall_score, roc_curve
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fewest
from fewest._errors import InputError
from fewest._parameters import streams
from fewest._report.facts import held_out_in_words
from fewest._report.text import describe_result
from fewest._validation.held_out import (
    HeldOutRows,
    best_threshold,
    is_wanted,
    summarise,
    tail_share,
    weighted_median,
)
from fewest.data import as_table
from fewest.measures import CrossValidated

FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def imbalanced(n=600, seed=0, labels=("fine", "fraud")):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    risk = 2 * X[:, 0] + rng.logistic(size=n)
    return X, np.array(labels)[(risk > np.quantile(risk, 0.9)).astype(int)]


def heavy(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = X[:, 0] + 0.5 * rng.normal(size=n)
    y[:3] = [900.0, -700.0, 800.0]
    return X, y


def predictions(model, X, y):
    table = as_table(X, y)
    splits = list(FOLDS.split(X, y if table.classes is not None else np.arange(len(y)) % 2))
    return table, [HeldOutRows.of(model.fit(X[a], y[a]), X[b], table, (a, b)) for a, b in splits]


def test_recalls_are_those_of_scikit_learn():
    X, y = imbalanced()
    table, found = predictions(GaussianNB(), X, y)
    told = summarise(found, table)
    expected = recall_score(y, cross_val_predict(GaussianNB(), X, y, cv=FOLDS), average=None)
    assert [one["label"] for one in told["recalls"]] == ["fine", "fraud"]
    assert [one["rows"] for one in told["recalls"]] == [540, 60]
    assert np.allclose([one["recall"] for one in told["recalls"]], expected)


@pytest.mark.parametrize("labels", [("fine", "fraud"), ("z", "a")])
@pytest.mark.parametrize("model", [LogisticRegression(), RidgeClassifier()])
def test_the_threshold_is_that_of_the_roc_curve(model, labels):
    X, y = imbalanced(labels=labels)
    table, found = predictions(model, X, y)
    cut = summarise(found, table)["threshold"]
    assert (cut["label"], cut["other"]) == (labels[1], labels[0])
    assert cut["probability"] == hasattr(model, "predict_proba")
    sure, truth = np.empty(len(y)), y == labels[1]
    for one in found:
        flip = one.sure if labels[1] == "fraud" else (cut["probability"] - one.sure)
        sure[one.rows] = flip
    false, true, cuts = roc_curve(truth, sure, drop_intermediate=False)
    best = (true - false).max()
    own = (sure[truth] >= cut["value"]).mean() - (sure[~truth] >= cut["value"]).mean()
    assert own == pytest.approx(best)
    # Each fold is judged by the threshold of the other folds.
    flagged = np.zeros(len(y), dtype=bool)
    for one in found:
        rest = np.setdiff1d(np.arange(len(y)), one.rows)
        false, true, cuts = roc_curve(truth[rest], sure[rest], drop_intermediate=False)
        at = np.argmax(true - false)
        low = sure[rest][sure[rest] < cuts[at]].max()
        flagged[one.rows] = sure[one.rows] >= (cuts[at] + low) / 2
    assert cut["recall"] == pytest.approx(flagged[truth].mean())
    assert cut["recall_of_other"] == pytest.approx(1 - flagged[~truth].mean())
    assert cut["precision"] == pytest.approx(truth[flagged].mean())


def test_weights_count_as_that_many_rows():
    X, y = imbalanced(200)
    weight = np.random.default_rng(1).integers(1, 4, 200).astype(float)
    model = GaussianNB().fit(X, y)
    rows = np.arange(200)
    halves = [rows[::2], rows[1::2]]
    table = as_table(X, y, metadata={"sample_weight": weight})
    again = rows.repeat(weight.astype(int))
    whole = as_table(X[again], y[again])
    told = summarise([HeldOutRows.of(model, X[b], table, (rows, b)) for b in halves], table)
    parts = [np.flatnonzero(np.isin(again, b)) for b in halves]
    same = summarise([HeldOutRows.of(model, X[again][b], whole, (b, b)) for b in parts], whole)
    for one, other in zip(told["recalls"], same["recalls"], strict=True):
        assert one["recall"] == pytest.approx(other["recall"])
    for key in ("value", "recall", "recall_of_other", "precision"):
        assert told["threshold"][key] == pytest.approx(same["threshold"][key])
    values = np.random.default_rng(0).normal(size=200)
    assert weighted_median(values, weight) == np.median(values[again])


def test_robust_errors_are_those_of_scikit_learn_and_scipy():
    X, y = heavy()
    table, found = predictions(LinearRegression(), X, y)
    told = summarise(found, table)
    own = np.empty(len(y))
    for one in found:
        own[one.rows] = one.labels
    assert told["median_absolute_error"] == pytest.approx(median_absolute_error(y, own))
    assert told["rank_correlation"] == pytest.approx(spearmanr(own, y).statistic)
    assert told["tail_share"] == tail_share(y) > 0.9
    assert told["median_absolute_error_of_median"] == pytest.approx(np.median(np.abs(y)), abs=0.1)


def test_it_is_for_imbalance_and_heavy_tails_only():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    assert not is_wanted(as_table(X, rng.normal(size=400)))
    assert not is_wanted(as_table(X, rng.uniform(size=400)))
    assert not is_wanted(as_table(X[:30], heavy(30)[1]))
    assert is_wanted(as_table(X, rng.standard_t(1.5, size=400)))
    assert not is_wanted(as_table(X, np.arange(400) % 5))
    assert is_wanted(as_table(X, np.arange(400) % 6 == 0))


def test_fit_uses_the_folds_and_features_of_the_honest_score():
    X, y = imbalanced()
    selector = fewest.SubsetSelector(GaussianNB(), search="path", random_state=3).fit(X, y)
    told, curve = selector.result_.honest["held_out"], selector.result_.curve
    bound = CrossValidated(GaussianNB(), scoring="roc_auc").bind(as_table(X, y), streams(3)[0])
    own = np.empty(len(y), dtype=object)
    for features, (train, test) in zip(curve.supports, bound.splits, strict=True):
        if features:
            model = GaussianNB().fit(X[train][:, features], y[train])
            own[test] = model.predict(X[test][:, features])
        else:
            own[test] = "fine"
    expected = recall_score(y, own.astype(str), average=None)
    assert np.allclose([one["recall"] for one in told["recalls"]], expected)


@pytest.mark.parametrize("kind", ["selector", "pipeline"])
def test_validate_shows_them_too(kind):
    X, y = imbalanced()
    selector = fewest.SubsetSelector(GaussianNB(), search="sfs", cv=3)
    if kind == "pipeline":
        selector = make_pipeline(StandardScaler(), selector, GaussianNB())
    found = fewest.validate(selector, X, y, scheme=FOLDS, random_state=0)
    own = np.empty_like(y)
    for (train, test), kept in zip(FOLDS.split(X, y), found.supports, strict=True):
        model = make_pipeline(StandardScaler(), GaussianNB()).fit(X[train][:, kept], y[train])
        own[test] = model.predict(X[test][:, kept])
    recalls = [one["recall"] for one in found.held_out["recalls"]]
    assert np.allclose(recalls, recall_score(y, own, average=None))
    again = type(found).from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.held_out == found.held_out
    X, y = heavy()
    selector = fewest.SubsetSelector(LinearRegression(), search="sfs", cv=3)
    found = fewest.validate(selector, X, y, scheme="1x3cv", random_state=0)
    assert set(found.held_out) >= {"median_absolute_error", "rank_correlation"}


def test_text_page_and_file_show_them(tmp_path):
    pytest.importorskip("jinja2")
    X, y = imbalanced()
    result = fewest.SubsetSelector(GaussianNB(), search="path", random_state=0).fit(X, y).result_
    (fact,) = held_out_in_words(result.honest["held_out"])
    assert fact.text.startswith("Rows of each class that are recognised: fraud ")
    assert " in place of 0.5 for the probability of fraud: fraud " in fact.text
    assert "Recall  " in describe_result(result)
    assert "Recall  " not in describe_result(result, details=False)
    result.write_page(tmp_path / "page.html")
    assert "Rows of each class that are recognised" in (tmp_path / "page.html").read_text()
    result.save(tmp_path / "result.json")
    assert fewest.Result.load(tmp_path / "result.json").honest == result.honest
    X, y = heavy()
    result = fewest.SubsetSelector("ridge", search="path", random_state=0).fit(X, y).result_
    shown = " ".join(describe_result(result, details=False).split())
    assert "Robust errors Half of the predictions are off by less than" in shown
    assert "R² says less, because 1 % of the rows has" in shown


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"recalls": [{}], "threshold": None}, "has no field `label`"),
        ({"recalls": [{"label": "a", "rows": 3, "recall": None}], "threshold": None}, "null"),
        ({"median_absolute_error": 1.0}, "has no field `median_absolute_error_of_median`"),
        ([1], "must be an object"),
    ],
)
def test_damaged_files_are_refused(tmp_path, part, message):
    X, y = imbalanced(200)
    result = fewest.SubsetSelector(GaussianNB(), search="path", random_state=0).fit(X, y).result_
    result.honest["held_out"] = part
    result.save(tmp_path / "result.json")
    with pytest.raises(InputError, match=message):
        fewest.Result.load(tmp_path / "result.json")


def test_several_classes_have_recalls_and_no_threshold():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 2))
    y = np.where(np.arange(500) < 40, 0, np.arange(500) % 11 + 1)
    X[:, 0] += y
    table, found = predictions(GaussianNB(), X, y)
    told = summarise(found, table)
    assert told["threshold"] is None
    (fact,) = held_out_in_words(told)
    assert "and 4 more classes." in fact.text
    assert best_threshold(np.array([1.0, 1.0]), np.array([True, False]), np.ones(2)) == 1.0
