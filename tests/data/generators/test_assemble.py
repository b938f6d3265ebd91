"""Columns and labels made by a rule become a data set."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data._generators.classic import assemble, bits, continuous, nominal


def test_all_kinds_of_columns():
    codes = np.array([[0, 1], [1, 0], [1, 1]])
    columns = [
        *continuous(np.array([[0.5], [1.5], [2.5]])),
        *bits(codes[:, :1]),
        *nominal(codes[:, 1:], [("low", "high")]),
    ]
    data = assemble(
        "made", ["size", "on", "level"], columns, np.array([1, 0, 1]), ("a", "b"), ["on"]
    )
    assert data.relevant == ("on",)
    assert data.target == "class"
    assert data.y.tolist() == ["b", "a", "b"]
    assert data.table().values.tolist() == [[0.5, 0, 1], [1.5, 1, 0], [2.5, 1, 1]]
    assert data.schema.levels == (None, ("0", "1"), ("low", "high"))


def test_every_column_needs_its_levels():
    with pytest.raises(ValueError):
        nominal(np.zeros((2, 2), dtype=int), [("a", "b")])
