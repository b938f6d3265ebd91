import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest.data._engine.frame import stored_table
from fewest.data._engine.source import TableSource
from fewest.measures._wrappers.cross_validated import CrossValidated
from fewest.measures._wrappers.scanned import has_sums
from tests.data.engine.sample import arrow
from tests.measures.wrappers.scanned.witness import numbers, witnessed

EVERY = np.array([[bool(n >> j & 1) for j in range(4)] for n in range(16)])


def model(C=1.0):
    return LogisticRegression(C=C, tol=1e-10, max_iter=10_000)


MODELS = [model(), model(0.01), make_pipeline(StandardScaler(), model(0.02))]


@pytest.mark.parametrize("estimator", MODELS, ids=["default", "strong", "scaled"])
@pytest.mark.parametrize("classes", [2, 3])
def test_fold_scores_are_those_of_cross_val_score(estimator, classes):
    table = numbers().drop(columns="z")
    table["y"] = np.minimum(table["y"], classes - 1)
    scorer = CrossValidated(estimator, cv=5).bind(stored_table(arrow(table, 77), "y"))
    found = scorer.score(EVERY)
    for subset, folds in zip(EVERY[1:], found.folds[1:], strict=True):
        assert folds == pytest.approx(witnessed(estimator, table, "y", subset, 5), abs=1e-12)
    assert found.value[0] == pytest.approx(table["y"].value_counts(normalize=True).max(), abs=0.02)


def test_a_step_is_a_scan_for_all_candidates(monkeypatch):
    table, scans = numbers().drop(columns="z"), []
    reduce = TableSource.reduce
    monkeypatch.setattr(TableSource, "reduce", lambda s, q: scans.append(q) or reduce(s, q))
    X, y = arrow(table).dataset, "y"
    SubsetSelector(model(), search="sfs", max_features=2).fit(X, target=y)
    steps = [type(scan).__name__ for scan in scans]
    # Per batch of candidates: up to a dozen steps and one scan of the hits.
    assert 2 <= steps.count("HitScan") <= 4
    assert 4 <= steps.count("NewtonScan") / steps.count("HitScan") <= 12
    assert {"SampleScan"}.isdisjoint(steps)


def test_a_model_that_separates_the_classes_without_a_penalty_ends():
    table = numbers().drop(columns="z").assign(y=lambda t: (t["b"] > 0).astype(int))
    free = LogisticRegression(C=np.inf)
    scorer = CrossValidated(free, cv=3).bind(stored_table(arrow(table), "y"))
    assert scorer.score(EVERY[2:3]).value[0] > 0.98


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
