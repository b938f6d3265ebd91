"""Weights of rows: checked, and rows without weight left out."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.data import as_table
from fewest.data._weights import checked_weights, weighted_rows, whole_weights

X, Y = [["a"], ["b"], ["c"]], [0, 1, 1]


def table(weight):
    return as_table(X, Y, metadata={"sample_weight": weight})


def test_rows_without_weight_are_left_out():
    rows, weight = weighted_rows(table([0.5, 0, 2]))
    assert rows.target.tolist() == [0, 1]
    assert weight.tolist() == [0.5, 2.0]


def test_no_weights_and_ones_are_none():
    assert weighted_rows(as_table(X, Y))[1] is None
    assert weighted_rows(table([1, 1, 1]))[1] is None


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, 2], "must hold 3 numbers of at least 0"),
        ([1, -1, 1], "smallest entry -1"),
        ([0, 0, 0], "must be above 0 somewhere"),
        ([1, np.nan, 1], "NaN"),
    ],
)
def test_wrong_weights(weight, message):
    with pytest.raises(ValueError, match=message):
        checked_weights(weight, 3)


def test_whole_weights():
    assert whole_weights(np.array([2.0, 1.0]), "inconsistency").tolist() == [2, 1]
    with pytest.raises(InputError, match="whole numbers for the measure .*holds 0.5"):
        whole_weights(np.array([2.0, 0.5]), "inconsistency")


def test_weights_that_refuse_to_be_numbers_get_one_sentence():
    class Rude:
        def __float__(self):
            raise RuntimeError

    weights = np.array([Rude(), Rude()], dtype=object)
    with pytest.raises(InputError, match="`sample_weight` must hold one number per row"):
        checked_weights(weights, 2)
