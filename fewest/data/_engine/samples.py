"""Sample of the rows of a stored table, for models that have no sums."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..._kernels.bayes.hits import row_hashes
from .._as_table import as_table
from .._columns import checked, read_columns
from .._dataset import make_dataset
from .._table import Table
from .batches import value_type
from .entropies import hashed
from .fold_sums import FoldedRows, RowScan
from .source import Floats
from .stored import StoredTable

Keys = NDArray[np.uint64]

#: A sample has at most so many rows, and at most so many values (but as many rows as the last).
SAMPLED_ROWS, SAMPLED_VALUES, FEWEST_ROWS = 100_000, 20_000_000, 1_000
#: Rows whose copies are told apart, within a part.
MOST_SEEN = 1 << 18
EVERYTHING = np.uint64(2**64 - 1)


@dataclass(eq=False)
class Drawn:
    """Rows with the smallest keys in each class."""

    quotas: NDArray[np.int64]
    bounds: Keys
    keys: Keys = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    groups: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    rows: list[pa.Table] = field(default_factory=list)
    seen: dict[int, int] = field(default_factory=dict)

    def add(self, keys: Keys, groups: NDArray[np.int64], rows: pa.Table) -> None:
        """Keep the rows below the bounds of their classes."""
        near = np.flatnonzero(keys <= self.bounds[groups])
        if len(near):
            self.keys = np.concatenate([self.keys, keys[near]])
            self.groups = np.concatenate([self.groups, groups[near]])
            self.rows.append(rows.take(pa.array(near)))
        if len(self.keys) > 2 * self.quotas.sum():
            self.shrink()

    def shrink(self) -> None:
        """Keep as many rows of each class as it has places, ordered by their keys."""
        order = np.argsort(self.keys, kind="stable")
        kept = []
        for group, quota in enumerate(self.quotas.tolist()):
            own = order[self.groups[order] == group]
            if len(own) > quota:
                self.bounds[group] = self.keys[own[quota - 1]]
            kept.append(own[:quota])
        chosen = order[np.isin(order, np.concatenate(kept))]
        if self.rows:
            self.rows = [pa.concat_tables(self.rows).take(pa.array(chosen))]
        self.keys, self.groups = self.keys[chosen], self.groups[chosen]


@dataclass(frozen=True, eq=False)
class SampleScan(RowScan[Drawn]):
    """Scan for a sample in which every class has its share.

    The key of a row is a hash of its content and of how many copies of it came before, so that the
    sample of rows that differ is the same in every order.
    """

    quotas: NDArray[np.int64]
    schema: pa.Schema

    def start(self) -> Drawn:
        return Drawn(self.quotas, np.full(len(self.quotas), EVERYTHING))

    def read(self, batch: pa.RecordBatch, weight: Floats | None) -> Any:
        return super().read(batch, weight), pa.Table.from_batches([batch])

    def add(self, state: Drawn, part: Any) -> Drawn:
        rows, table = part
        hashes = row_hashes(rows.values, rows.target)
        keys = hashed(hashes + _copies(hashes, state.seen))
        groups = rows.target.astype(np.int64) if len(self.quotas) > 1 else np.zeros(len(keys), int)
        state.add(keys, groups, table.select(self.schema.names).cast(self.schema))
        return state

    def merge(self, state: Drawn, other: Drawn) -> Drawn:
        if other.rows:
            table = pa.concat_tables(other.rows)
            state.add(other.keys, other.groups, table)
        return state


def _copies(hashes: Keys, seen: dict[int, int]) -> Keys:
    """Return how many copies of each row came before it, and count them in ``seen``."""
    order = np.argsort(hashes, kind="stable")
    values, first, counts = np.unique(hashes[order], return_index=True, return_counts=True)
    before = np.empty(len(hashes), dtype=np.uint64)
    before[order] = np.arange(len(hashes)) - np.repeat(first, counts)
    if len(seen) < MOST_SEEN or len(values) < len(hashes):
        base = np.array([seen.get(value, 0) for value in values.tolist()], dtype=np.uint64)
        before[order] += np.repeat(base, counts)
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            if value in seen or len(seen) < MOST_SEEN:
                seen[value] = seen.get(value, 0) + count
    return before


def draw_sample(table: StoredTable) -> Table:
    """Return a stratified sample of the rows as a table in memory, in one scan."""
    most = max(FEWEST_ROWS, min(SAMPLED_ROWS, SAMPLED_VALUES // table.n_features))
    counts = np.array([float(table.n_rows)])
    if table.classes is not None:
        counts = table.tally.class_counts(table.classes)
    share = min(1.0, most / table.n_rows) * table.n_rows / counts.sum()
    quotas = np.ceil(share * counts).astype(np.int64)
    names = [*table.names, table.target_name, *([table.weight] if table.weight else [])]
    kinds = table.source.schema
    schema = pa.schema([pa.field(name, value_type(kinds.field(name).type)) for name in names])
    drawn = table.source.reduce(SampleScan(FoldedRows(table, 1), quotas, schema))
    drawn.shrink()
    rows = pa.concat_tables(drawn.rows).combine_chunks()
    features = rows.select([*table.names, table.target_name])
    data = make_dataset(checked(read_columns(features)), table.target_name, table.source.title)
    nominal = [n for n, levels in zip(table.names, table.levels, strict=True) if levels is not None]
    weight = rows.column(table.weight).to_numpy() if table.weight else None
    task = "regression" if table.classes is None else "classification"
    metadata = {"sample_weight": weight}
    return as_table(data.X, data.y, nominal=nominal, metadata=metadata, task=task)
