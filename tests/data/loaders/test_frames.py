"""Frames of the library at hand."""

from __future__ import annotations

import pytest

from fewest.data import load
from fewest.data._loaders import frames


@pytest.mark.parametrize("absent", [{"pandas"}, {"pandas", "polars"}])
def test_the_same_table_without_pandas_and_without_polars(csv, monkeypatch, absent):
    expected = load(csv).table()
    find_spec = frames.find_spec
    monkeypatch.setattr(frames, "find_spec", lambda m: None if m in absent else find_spec(m))
    data = load(csv)
    assert type(data.X).__module__.split(".")[0] == ("numpy" if len(absent) == 2 else "polars")
    assert data.table().fingerprint == expected.fingerprint
    assert data.table(nominal=[2]).cardinalities.tolist() == [0, 2, 4]
