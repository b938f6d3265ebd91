"""Rows and weights of discrete models: what is taken and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.discrete import as_rows, as_weights


def test_rows_and_weights_as_the_kernels_take_them():
    rows, cards = as_rows([[0, 2], [1, 0]], [2, 3])
    assert rows.dtype == np.uint8
    assert rows.flags.c_contiguous
    assert cards.tolist() == [2, 3]
    assert as_weights(None, 3).tolist() == [1.0, 1.0, 1.0]
    assert as_weights([1, 0], 2).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("rows", "cards", "sentence"),
    [
        (np.zeros((3, 3)), [2, 2], "`rows` must have two dimensions and 2 columns"),
        (np.zeros((0, 2)), [2, 2], "`rows` must hold at least one row"),
        ([[0, 2]], [2, 2], "but some are outside"),
        ([[0, -1]], [2, 2], "but some are outside"),
        ([[0, 0]], [2, 256], "`cardinalities` must be between 1 and 255"),
    ],
)
def test_wrong_rows_are_refused(rows, cards, sentence):
    with pytest.raises(InputError, match=sentence):
        as_rows(rows, cards)


@pytest.mark.parametrize("weights", [[-1.0], [np.nan], [np.inf], [1.0, 1.0]])
def test_wrong_weights_are_refused(weights):
    with pytest.raises(InputError, match="`weights` must be 1 finite numbers"):
        as_weights(weights, 1)
