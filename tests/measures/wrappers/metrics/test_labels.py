"""Metrics over confusion counts against scikit-learn, with weights."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics

from fewest.measures._wrappers.metrics.find import accuracy, averaged, balanced_accuracy, matthews


def _case(seed, classes):
    rng = np.random.default_rng(seed)
    true, said, weight = rng.integers(0, classes, 30), rng.integers(0, 2, 30), rng.random(30)
    return true, said, weight, metrics.confusion_matrix(
        true, said, sample_weight=weight, labels=np.arange(classes + 1)
    )[None]  # fmt: skip


@pytest.mark.parametrize("classes", [2, 4])
def test_plain(classes):
    true, said, weight, counts = _case(classes, classes)
    pairs = (
        (accuracy, metrics.accuracy_score),
        (balanced_accuracy, metrics.balanced_accuracy_score),
        (matthews, metrics.matthews_corrcoef),
    )
    for ours, theirs in pairs:
        assert_allclose(ours(counts)[0], theirs(true, said, sample_weight=weight))


@pytest.mark.parametrize("kind", ["f1", "precision", "recall", "jaccard"])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "binary"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_averages(kind, average):
    true, said, weight, counts = _case(7, 2 if average == "binary" else 4)
    theirs = getattr(metrics, f"{kind}_score")
    expected = theirs(true, said, average=average, sample_weight=weight)
    assert_allclose(averaged(kind, average, 1, counts)[0], expected)


def test_nothing_divided_by_nothing_is_zero():
    nothing = np.array([[[4.0, 0.0], [0.0, 0.0]]])
    assert matthews(nothing)[0] == 0.0
    assert averaged("f1", "binary", 1, nothing)[0] == 0.0
    assert averaged("f1", "macro", 0, nothing)[0] == 1.0
