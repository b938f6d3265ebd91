"""Distance correlation and RReliefF against loops."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.measures import DistanceCorrelation, RReliefF
from fewest.measures._regression.distances import distance_correlation
from fewest.testing import parametrize_with_measure_checks
from tests.measures.regression.cases import rows, table
from tests.naive import numeric_filters as naive

MEASURES = [RReliefF(neighbours=3), DistanceCorrelation(), DistanceCorrelation(samples=20)]


@parametrize_with_measure_checks([(measure, table()) for measure in MEASURES])
def test_conformance(measure, table, check):
    check(measure, table)


def test_against_loops():
    X, y = rows(n=15, trouble=False)
    own = DistanceCorrelation().bind(table(n=15, trouble=False)).score(np.eye(6, dtype=bool)).value
    expected = [naive.distance_correlation(X[:, j].tolist(), y.tolist()) for j in range(6)]
    assert_allclose(own, expected, rtol=1e-9)
    scaled = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    weights = naive.rrelieff(scaled.tolist(), ((y - y.min()) / np.ptp(y)).tolist(), 3)
    bound = RReliefF(neighbours=3).bind(table(n=15, trouble=False))
    assert_allclose(bound.score(np.eye(6, dtype=bool)).value, weights, rtol=1e-9)


def test_labels_unknown_and_constant_values():
    x, y = np.array([0.0, 0, 1, 1, 2, 2]), np.arange(6.0)
    codes = np.array([0.0, 0, 2, 2, 1, 1])
    # Distances of labels do not depend on their codes.
    assert_allclose(distance_correlation(x, y, True), distance_correlation(codes, y, True))
    assert distance_correlation(np.ones(6), y) == 0
    X = np.column_stack([y, y, np.full(6, np.nan)])
    X[0, 1] = np.nan
    worth = DistanceCorrelation().bind(as_table(X, y, task="regression"))
    assert_allclose(worth.score(np.eye(3, dtype=bool)).value, [1, 1, 0], atol=1e-12)


def test_classes_are_refused():
    X, y = rows()
    for measure in (RReliefF(), DistanceCorrelation()):
        with pytest.raises(InputError, match=f"`{measure.name}` needs a target that is a number"):
            measure.bind(as_table(X, np.where(y > 0, "a", "b")))
