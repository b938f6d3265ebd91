"""Rows of real numbers: what is taken and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.gaussian import as_numbers


def test_whole_numbers_become_floats():
    assert as_numbers([[1, 2]]).dtype == np.float64


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([1.0, 2.0], r"two dimensions and at least one row, but has shape \(2,\)"),
        (np.zeros((0, 3)), r"at least one row, but has shape \(0, 3\)"),
        ([[1.0, np.nan]], "must hold finite numbers"),
        ([[1.0, np.inf]], "must hold finite numbers"),
    ],
)
def test_other_rows_are_refused(rows, sentence):
    with pytest.raises(InputError, match=sentence):
        as_numbers(rows)
