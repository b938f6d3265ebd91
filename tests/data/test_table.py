"""What holds for every table: rows, fingerprints."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.data import as_table
from tests.data.drawn_tables import tables


@settings(max_examples=30, deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_rows_in_another_order_are_the_same_rows(case, random):
    columns, y = case
    order = list(range(len(y)))
    random.shuffle(order)
    table = as_table(pd.DataFrame(columns), y)
    shuffled = {name: [column[i] for i in order] for name, column in columns.items()}
    again = as_table(pd.DataFrame(shuffled), [y[i] for i in order])
    taken = table.take(np.array(order))
    assert again.fingerprint == taken.fingerprint
    assert taken.take(np.argsort(order)).fingerprint == table.fingerprint


@settings(max_examples=30, deadline=None)
@given(tables(), st.data())
def test_the_fingerprint_notices_every_change(case, data):
    columns, y = case
    table = as_table(pd.DataFrame(columns), y)
    name = data.draw(st.sampled_from(sorted(columns)))
    row = data.draw(st.integers(0, len(y) - 1))
    old = columns[name][row]
    changed = {n: list(column) for n, column in columns.items()}
    changed[name][row] = (not old) if isinstance(old, bool) else None if old is not None else "a"
    if isinstance(changed[name][row], str) and isinstance(columns[name][0], float):
        changed[name][row] = 0.25
    assert as_table(pd.DataFrame(changed), y).fingerprint != table.fingerprint
    renamed = {f"{n}!" if n == name else n: column for n, column in columns.items()}
    assert as_table(pd.DataFrame(renamed), y).fingerprint != table.fingerprint
