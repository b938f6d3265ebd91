"""Confusion counts against the slow obvious way."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fewest._kernels.scoring.ranks import confusions
from tests.naive.scoring import naive_confusion


@pytest.mark.parametrize("outputs", [1, 2, 4])
def test_confusions(outputs):
    rng = np.random.default_rng(outputs)
    values = rng.normal(size=(3, outputs, 25)).round(1)
    labels = np.array([0, 2, 3, 4])[: max(outputs, 2)]
    target, weight = rng.integers(0, 5, 25), rng.random(25)
    counts, doubtful = confusions(values, np.full((3, 25), 0.05), labels, target, weight, 5)
    for i in range(3):
        assert_allclose(counts[i], naive_confusion(values[i], labels, target, weight, 5))
        lead = np.abs(values[i, 0])
        if outputs > 1:
            lead = np.diff(np.sort(values[i], axis=0)[-2:], axis=0)[0]
        assert doubtful[i] == (lead <= 0.05).sum()


def test_values_that_are_no_numbers_are_in_doubt():
    values = np.array([[[np.nan, 1.0], [0.0, 0.0]]])
    two = np.array([0, 1])
    _, doubtful = confusions(values, np.zeros((1, 2)), two, two, np.ones(2), 2)
    assert_array_equal(doubtful, [1])
