"""The check of a table outside memory: one scan for a sample of its rows, and for all of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .._checking.column_findings import named_like_identifier
from .._checking.finding import Check, Finding, finding, in_order
from .._checking.look import FEWEST_ROWS, MOST_VALUES, Look
from .._checking.row_findings import class_findings, copy_findings
from .._checking.table_check import findings_of
from .._columns import checked, read_columns
from .._dataset import make_dataset
from .._feature_names import Features
from .._table import Table
from .batches import dictionary_of, is_labels, numbers_of
from .frame import StoredFrame
from .source import Scan

Keys = NDArray[np.uint64]

#: Copies are counted among the rows with the smallest hashes, at most so many of them.
MOST_KEYS = 2_000_000
#: What is counted in all rows, not in the sample.
EXACT = ("constant", "duplicate-rows", "conflicting-rows", "imbalance", "rare-class", "row-number")


def check_stored(X: StoredFrame, target: str, nominal: Features | None, task: str | None) -> Check:
    """Return the findings of one scan.

    A table that fits into the sample has the findings that it has in memory. Of a larger one,
    constants, row numbers, classes and copies of rows are counted in all rows, all else is looked
    at in the sample.
    """
    scan = X.source.reduce(CheckScan(X.columns, target, X.source.schema))
    data = make_dataset(checked(read_columns(scan.sample())), target, X.source.title)
    table = data.table(nominal, task)
    look = Look(table)
    found = findings_of(look)
    if scan.n_rows == table.n_rows:
        return in_order(found, table.n_rows, table.n_features)
    kept = [one for one in found if one.kind not in EXACT and not scan.counts_rows(one)]
    constant = [one.column for one in found if one.kind == "constant"]
    found = [*kept, *scan.findings(constant), *_in_all_rows(scan, look, table)]
    whole = in_order(found, scan.n_rows, table.n_features)
    return replace(whole, n_seen=table.n_rows)


def _in_all_rows(scan: Seen, look: Look, table: Table) -> list[Finding]:
    """Return what the rows show as a whole: classes and copies."""
    found = list(copy_findings(look, scan.n_rows, *scan.copies()))
    if table.classes is not None:
        counts = np.array(list(scan.labels.values()))
        found += class_findings(list(scan.labels), counts)
    return found


class Seen:
    """What one reading of a table keeps.

    The sample are the rows with the smallest random numbers, so that it depends on the order of
    the rows and on the parts that are read side by side, but not on the size of the batches.
    """

    def __init__(self, names: tuple[str, ...], target: str, schema: pa.Schema) -> None:
        self.names, self.target = names, target
        self.schema = pa.schema([schema.field(name) for name in (*names, target)])
        self.most = max(FEWEST_ROWS, MOST_VALUES // len(names))
        self.rng, self.n_rows = np.random.default_rng(0), 0
        self.parts: list[tuple[NDArray[np.float64], NDArray[np.int64], pa.Table]] = []
        self.bound = 1.0
        self.single: dict[str, Any] = {}
        self.steps: dict[str, float] = {}
        self.first: dict[str, float] = {}
        self.last: dict[str, float] = {}
        self.labels: Counter[object] = Counter()
        factors = np.random.default_rng(1).integers(1, 2**63, len(self.names), dtype=np.uint64)
        self.factors = factors * np.uint64(2) + np.uint64(1)
        self.keys: list[tuple[Keys, Keys]] = []
        self.most_key = np.uint64(2**64 - 1)

    def add(self, batch: pa.RecordBatch) -> None:
        """Read the rows of a batch."""
        table = pa.Table.from_batches([batch]).select([*self.names, self.target])
        if not table.num_rows:
            return
        keys = np.zeros(table.num_rows, dtype=np.uint64)
        for name, factor in zip(self.names, self.factors, strict=True):
            hashes = self._read(name, table.column(name).combine_chunks())
            keys += _mixed(hashes) * factor
        if not self.n_rows:
            self.rng = np.random.default_rng(int(keys[0]))  # parts draw different numbers
        self._draw(table)
        self._keep(keys, self._targets(table.column(self.target).combine_chunks()))
        self.n_rows += table.num_rows

    def _draw(self, table: pa.Table) -> None:
        """Keep the rows whose random number is among the smallest so far."""
        drawn = self.rng.random(table.num_rows)
        rows = np.flatnonzero(drawn < self.bound)
        if len(rows):
            chosen = table.take(pa.array(rows)).cast(self.schema)
            self.parts.append((drawn[rows], rows + self.n_rows, chosen))
        if sum(len(drawn) for drawn, _, _ in self.parts) > 2 * self.most:
            self._shrink()

    def _shrink(self) -> None:
        drawn = np.concatenate([part[0] for part in self.parts])
        at = np.concatenate([part[1] for part in self.parts])
        table = pa.concat_tables([part[2] for part in self.parts])
        if len(drawn) > self.most:
            self.bound = min(self.bound, float(np.partition(drawn, self.most)[self.most]))
        if (drawn >= self.bound).any():
            rows = np.flatnonzero(drawn < self.bound)
            drawn, at, table = drawn[rows], at[rows], table.take(pa.array(rows))
        self.parts = [(drawn, at, table)]

    def join(self, other: Seen) -> None:
        """Take in the rows of a later part."""
        if not self.n_rows or not other.n_rows:
            self.__dict__.update(other.__dict__ if other.n_rows else {})
            return
        self.parts += [(drawn, at + self.n_rows, table) for drawn, at, table in other.parts]
        self.bound = min(self.bound, other.bound)
        self._shrink()
        for name in set(self.single) & set(other.single):
            self._note_single(name, other.single[name])
        self.single = {name: v for name, v in self.single.items() if name in other.single}
        steps = {
            name: step
            for name, step in self.steps.items()
            if other.steps.get(name) == step and other.first[name] - self.last[name] == step
        }
        self.steps, self.last = steps, other.last
        self.labels += other.labels
        self.most_key = min(self.most_key, other.most_key)
        pairs, self.keys = [*self.keys, *other.keys], []
        for own, of in pairs:
            self._keep(own, of)
        self.n_rows += other.n_rows

    def sample(self) -> pa.Table:
        """Return the rows of the sample, in the order in which they were read."""
        if self.parts:
            self._shrink()
            return self.parts[0][2].combine_chunks()
        return self.schema.empty_table()

    def _read(self, name: str, column: Any) -> Keys:
        """Return a hash of each value; note whether all are the same, or grow by a step."""
        if is_labels(column.type, name):
            values, codes = dictionary_of(column)
            if name in self.single or not self.n_rows:
                self._note_single(name, {values[c] for c in np.unique(codes)})
            return np.array([_hash(value) for value in values], dtype=np.uint64)[codes]
        numbers = numbers_of(column, name)
        if name in self.single or not self.n_rows:
            self._note_single(name, set(numbers[[0, -1]].tolist() if len(numbers) else ()))
            if name in self.single and not (numbers == numbers[0]).all():
                known = numbers[~np.isnan(numbers)]
                self._note_single(name, set(np.unique(known).tolist()))
        self._note_step(name, numbers)
        return (numbers + 0.0).view(np.uint64)

    def _note_single(self, name: str, values: set[Any]) -> None:
        known = {v for v in values if v is not None and v == v} | self.single.get(name, set())
        if len(known) > 1:
            self.single.pop(name, None)
        else:
            self.single[name] = known

    def _note_step(self, name: str, numbers: NDArray[np.float64]) -> None:
        """Note the step by which a column of whole numbers grows from row to row."""
        if self.n_rows and name not in self.steps:
            return
        before = [self.last[name]] if self.n_rows else []
        self.first.setdefault(name, float(numbers[0]))
        steps = np.diff(np.concatenate([before, numbers]))
        step = self.steps.get(name, float(steps[0]) if len(steps) else 1.0)
        self.steps.pop(name, None)
        if step > 0 and step % 1 == 0 and (steps == step).all():
            self.steps[name], self.last[name] = step, float(numbers[-1])

    def _targets(self, column: Any) -> Keys:
        """Return a hash of each target; count them where they can be classes."""
        if pa.types.is_floating(column.type):
            return (numbers_of(column, self.target) + 0.0).view(np.uint64)
        values, codes = dictionary_of(column)
        for value, count in zip(values, np.bincount(codes, minlength=len(values)), strict=True):
            if count:
                self.labels[value] += int(count)
        return np.array([_hash(value) for value in values], dtype=np.uint64)[codes]

    def _keep(self, keys: Keys, targets: Keys) -> None:
        small = keys <= self.most_key
        self.keys.append((keys[small], targets[small]))
        while sum(len(own) for own, _ in self.keys) > MOST_KEYS:
            self.most_key //= np.uint64(2)
            own, of = (np.concatenate([pair[i] for pair in self.keys]) for i in (0, 1))
            small = own <= self.most_key
            self.keys = [(own[small], of[small])]

    def copies(self) -> tuple[int, int]:
        """Return how many rows are copies of another, and how many of them differ in the target.

        All copies of a row have its hash, so that the share among small hashes is that of all.
        """
        own, of = (np.concatenate([pair[i] for pair in self.keys]) for i in (0, 1))
        _, codes, counts = np.unique(own, return_inverse=True, return_counts=True)
        first = np.zeros(len(counts), dtype=np.uint64)
        first[codes] = of
        differs = np.zeros(len(counts), dtype=bool)
        differs[codes[of != first[codes]]] = True
        scale = self.n_rows / max(len(own), 1)
        found = (len(own) - len(counts), int(counts[differs].sum()))
        return round(scale * found[0]), round(scale * found[1])

    def counts_rows(self, one: Finding) -> bool:
        """Return whether a finding is an identifier that grows by a step in all rows."""
        return one.kind == "identifier" and one.column in self.steps

    def findings(self, constant: Sequence[str]) -> list[Finding]:
        """Return constants and row numbers of all rows; ``constant`` are those of the sample."""
        found = []
        for name in constant:
            if name in self.single:
                value = "the same value in every row" if self.single[name] else "all unknown"
                found.append(finding("constant", (name,), value))
            else:
                found.append(finding("nearly-constant", (name,), "all rows of the sample"))
        for name, step in self.steps.items():
            kind = "identifier" if named_like_identifier(name) else "row-number"
            found.append(finding(kind, (name,), f"it grows by {step:g} from row to row"))
        return found


@dataclass(frozen=True)
class CheckScan(Scan[Seen]):
    """Scan for what a check keeps of all columns."""

    names: tuple[str, ...]
    target: str
    schema: pa.Schema
    weight: None = None

    @property
    def columns(self) -> list[str]:  # type: ignore[override]
        return [*self.names, self.target]

    def start(self) -> Seen:
        return Seen(self.names, self.target, self.schema)

    def add(self, state: Seen, part: tuple[pa.RecordBatch, None]) -> Seen:
        state.add(part[0])
        return state

    def merge(self, state: Seen, other: Seen) -> Seen:
        state.join(other)
        return state


def _hash(value: object) -> int:
    return int.from_bytes(hashlib.blake2b(repr(value).encode(), digest_size=8).digest(), "little")


def _mixed(hashes: Keys) -> Keys:
    mixed = hashes ^ (hashes >> np.uint64(29))
    mixed = mixed * np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(mixed ^ (mixed >> np.uint64(32)))
