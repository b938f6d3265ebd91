"""What all measures owe: weights of rows, metadata that is read, a title, a task."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from fewest._errors import InputError
from fewest.data import as_table
from fewest.measures import CrossValidated, Scores, Weighted, resolve_measure
from fewest.measures._measure_names import MEASURES, measure_class

WEIGHED = [name for name in MEASURES if "sample_weight" in measure_class(name).reads]
#: Every measure that weighs rows, those of networks with every classifier.
MEASURED = (
    [resolve_measure(name) for name in WEIGHED]
    + [
        measure_class(name)(classifier=classifier)
        for name in ("mdl", "mdl-fs", "call", "log-likelihood", "conditional-log-likelihood")
        for classifier in ("tan", "complete")
        if (name, classifier) != ("conditional-log-likelihood", "complete")
    ]
    + [measure_class("koller-sahami")(neighbours=2)]
)
UNWEIGHED = {
    "relieff", "weighted", "weighted-neighbors", "rss", "aic", "bic", "adjusted-r2", "mallows-cp",
    "pearson", "f-test", "cfs-regression", "mrmr-f", "mrmr-information", "rrelieff",
    "distance-correlation",
}  # fmt: skip


def mixed_rows(seed=0, n=60):
    rng = np.random.default_rng(seed)
    X = np.empty((n, 5), dtype=object)
    X[:, 0] = rng.choice(list("abc"), n)
    X[:, 1] = rng.choice(list("uv"), n)
    X[:, 2] = rng.normal(size=n).round(1)
    X[:, 3] = rng.choice(["p", "q", None], n)
    X[:, 4] = rng.integers(0, 5, n) + 0.5
    y = np.where((X[:, 0] == "a") | (X[:, 2].astype(float) > 0.5), "yes", "no")
    y[:6] = "maybe"
    return X, y, rng.integers(0, 4, n), rng.random((20, 5)) < 0.5


def test_every_measure_that_counts_weighs_rows():
    assert set(MEASURES) - set(WEIGHED) == UNWEIGHED


@pytest.mark.filterwarnings("ignore:.*contradict")
@pytest.mark.parametrize("measure", MEASURED, ids=repr)
def test_whole_weights_are_repeated_rows(measure):
    X, y, weight, subsets = mixed_rows()
    rows = np.repeat(np.arange(len(y)), weight)
    weighed = measure.bind(as_table(X, y, metadata={"sample_weight": weight}))
    value = weighed.score(subsets).value
    expected = measure.bind(as_table(X[rows], y[rows])).score(subsets).value
    assert_allclose(value, expected, rtol=1e-12, atol=1e-12)
    assert np.abs(value - measure.bind(as_table(X, y)).score(subsets).value).max() > 1e-3


@pytest.mark.parametrize("name", [n for n in WEIGHED if n != "inconsistency"])
def test_weights_of_one_change_nothing(name):
    X, y, _, subsets = mixed_rows()
    measure = resolve_measure(name)
    value = measure.bind(as_table(X, y, metadata={"sample_weight": np.ones(60)}))
    expected = measure.bind(as_table(X, y)).score(subsets).value
    np.testing.assert_array_equal(value.score(subsets).value, expected)


@pytest.mark.parametrize("name", ["cfs", "relieff", "inconsistency", "mdl-fs"])
def test_metadata_that_nobody_reads_is_refused(name):
    measure = resolve_measure(name)
    with pytest.raises(InputError, match=f"`sampel_weight` is not used by the measure `{name}`"):
        measure.check_metadata(["sampel_weight"])
    with pytest.raises(InputError, match="`groups` is not used by"):
        measure.check_metadata({"groups": [1, 2]})


def test_a_filter_without_weights_says_so():
    with pytest.raises(InputError, match="by the measure `relieff`: leave `sample_weight` out"):
        resolve_measure("relieff").check_metadata(["sample_weight"])


@pytest.mark.parametrize(
    ("measure", "title"),
    [
        ("cfs", "cfs"),
        ("linear-regression", "linear-regression"),
        (LinearRegression(), "linear-regression"),
        (Ridge(), "Ridge"),
        (GaussianNB(), "gaussian-nb"),
        ("nearest-neighbor", "nearest-neighbor"),
        (KNeighborsClassifier(5), "KNeighborsClassifier"),
        (make_pipeline(StandardScaler(), Ridge()), "ridge"),
        (make_pipeline(MinMaxScaler(), Ridge()), "Pipeline(MinMaxScaler, Ridge)"),
        (Weighted("c4.5"), "weighted"),
    ],
)
def test_titles(measure, title):
    assert resolve_measure(measure).title == title


def test_estimators_and_tasks():
    assert resolve_measure("cfs").estimator is None
    assert resolve_measure("cfs").task == "classification"
    assert isinstance(CrossValidated(Ridge()).estimator, Ridge)
    assert CrossValidated(Ridge()).task == "regression"
    assert CrossValidated(GaussianNB()).task is None
    assert type(Weighted("c4.5").estimator).__name__ == "C45"


def test_scores_join_and_take():
    one = Scores(np.array([1.0, 2.0]), np.ones((2, 3)), {"nodes": np.array([4.0, 5.0])})
    both = Scores.join([one, one]).take(np.array([3, 0]))
    assert both.value.tolist() == [2.0, 1.0]
    assert both.folds.shape == (2, 3)
    assert both.goals["nodes"].tolist() == [5.0, 4.0]
