"""Toy tables: consistent, and what they show is in them."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.testing import TOY_TABLES, mixed_table, number_table, parity_table, toy_table


@pytest.mark.parametrize("name", TOY_TABLES)
def test_toy_tables_are_consistent(name):
    table = TOY_TABLES[name]()
    assert table.values.shape == (len(table.target), len(table.names))
    for column, levels in zip(table.values.T, table.levels, strict=True):
        if levels is not None:
            known = column[~np.isnan(column)]
            assert set(known) <= set(range(len(levels)))
    if table.classes is not None:
        assert set(table.target) == set(range(table.n_classes))


def test_what_they_show():
    values, target = toy_table(400).values, toy_table(400).target
    apart = values[target == 1].mean(axis=0) - values[target == 0].mean(axis=0)
    assert apart[:2] == pytest.approx([1, 1], abs=0.3)
    assert apart[2:] == pytest.approx([0, 0, 0], abs=0.3)
    mixed = mixed_table().values
    assert np.ptp(mixed[:, 4]) == 0
    assert np.isnan(mixed[:, 5]).all()
    parity = parity_table()
    assert (parity.values[:, :3].sum(axis=1) % 2 == parity.target).all()
    numbers = number_table()
    off = numbers.target - (numbers.values[:, 0] - numbers.values[:, 1])
    assert off.std() == pytest.approx(0.1, abs=0.03)
