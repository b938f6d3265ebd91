"""Data sets that ship."""

from __future__ import annotations

import pytest

from fewest.data import load


@pytest.mark.parametrize("name", ["iris", "wine", "wdbc", "digits", "diabetes"])
def test_what_ships(name):
    data = load(name)
    table = data.table(task="regression" if name == "diabetes" else None)
    assert table.n_rows == len(data.y)
    assert not table.missing.any()
    assert table.n_classes == {"iris": 3, "wine": 3, "wdbc": 2, "digits": 10, "diabetes": 0}[name]
