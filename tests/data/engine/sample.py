"""A small table with labels, numbers, unknown values and weights, in every place it can stay."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from fewest.data._engine.fold_sums import RowScan
from fewest.data._engine.parquet import ArrowDataset


class Parts(RowScan):
    """Scan that keeps what is read of every batch."""

    def start(self):
        return []

    def add(self, state, part):
        return [*state, part]


def parts_of(rows):
    """What is read of every batch of folded rows."""
    return rows.table.source.reduce(Parts(rows))


def frame(rows=900, seed=0):
    """Six features of labels, two of which decide the class; ``w`` are whole weights."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, size, rows) for size in (2, 3, 4, 5, 9, 2)]
    label = (codes[0] + codes[1] + (rng.random(rows) < 0.1)) % 3
    data = {f"x{j}": np.array(list("abcdefghi"))[c] for j, c in enumerate(codes)}
    table = pd.DataFrame(data).astype(object)
    table.loc[rng.random(rows) < 0.1, "x2"] = None
    table["y"] = np.array(["low", "mid", "top"])[label]
    table["w"] = rng.integers(0, 4, rows)
    return table


def mixed(rows=900, seed=0):
    """Two labels and two numbers, one with unknown values, and a class."""
    rng = np.random.default_rng(seed)
    table = frame(rows, seed)[["x0", "x1", "y"]]
    place = table["y"].map({"low": 0.0, "mid": 1.0, "top": 2.0})
    table.insert(0, "size", place + rng.normal(0, 0.7, rows))
    table.insert(1, "noise", rng.normal(0, 1.0, rows))
    table.loc[rng.random(rows) < 0.1, "noise"] = np.nan
    return table


def numbers(rows=600, seed=3):
    """Four continuous features, a class and a number that depend on three of them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4)) * [1.0, 5.0, 0.2, 1.0]
    number = X[:, 0] + 0.3 * X[:, 1] + 2.0 * X[:, 2] + rng.normal(0, 0.5, rows)
    table = pd.DataFrame(X, columns=list("abcd"))
    table["y"] = np.digitize(number, [-0.8, 0.9])
    table["z"] = number
    return table


def arrow(table, batch=100):
    """The frame as an Arrow data set that is read in batches of this size."""
    return ArrowDataset(ds.dataset(pa.Table.from_pandas(table, preserve_index=False)), batch)


def parquet(table, folder, files=3):
    """The frame in several files; returns the pattern."""
    for part in range(files):
        rows = pa.Table.from_pandas(table.iloc[part::files], preserve_index=False)
        pq.write_table(rows, folder / f"part-{part}.parquet", row_group_size=100)
    return str(folder / "*.parquet")
