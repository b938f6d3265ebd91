"""Cut points of continuous columns that are too long to sort: from a histogram of fine quantiles.

One scan draws the ends of the bins, a second one counts the classes in every bin. A column with
at most ``FINE`` distinct values has a bin for each: its cuts are those of a table in memory. Else
the ends are a sample of the distinct values, those with the smallest hashes, so that they are the
same however the rows are ordered. A cut is then the best of these ends, not of all values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..discretise import cuts_between, cuts_from_counts
from .arrow_columns import numbers_of
from .encode import Coder, Coding
from .learn import Floats, weighed
from .prefetch import prefetched
from .source import Source

#: Number of bins of the histogram.
FINE = 8192


@dataclass(eq=False)
class Sketch:
    """The distinct values of a column with the smallest hashes, and its two ends."""

    values: Floats
    most: int = FINE
    threshold: int = 2**64 - 1
    complete: bool = True
    unknown: bool = False
    lowest: float = np.inf
    highest: float = -np.inf

    def add(self, column: Floats) -> None:
        """Take in the values of a batch."""
        known = column[~np.isnan(column)] + 0.0  # no negative zero
        self.unknown |= len(known) < len(column)
        if len(known) == 0:
            return
        self.lowest = min(self.lowest, float(known.min()))
        self.highest = max(self.highest, float(known.max()))
        near = known[hashed(known) <= np.uint64(self.threshold)]
        values = np.union1d(self.values, near)
        if len(values) > self.most:
            order = np.argsort(hashed(values), kind="stable")[: self.most]
            self.threshold = int(hashed(values)[order[-1]])
            values, self.complete = np.sort(values[order]), False
        self.values = values


def hashed(values: Floats) -> NDArray[np.uint64]:
    """A fixed 64-bit hash of every number (SplitMix64 of its bits)."""
    bits = np.ascontiguousarray(values).view(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(bits ^ (bits >> np.uint64(31)))


def sketch_columns(source: Source, columns: Sequence[str], weight: str | None) -> list[Sketch]:
    """One scan over continuous columns."""
    sketches = [Sketch(np.empty(0)) for _ in columns]
    needed = [*columns, *([weight] if weight else [])]
    for batch, _ in weighed(prefetched(source.scan(needed)), weight):
        for name, sketch in zip(columns, sketches, strict=True):
            sketch.add(numbers_of(batch.column(name), name))
    return sketches


def learn_cuts(
    source: Source,
    columns: Sequence[str],
    target: Coding | None,
    weight: str | None,
    method: str,
    bins: int,
) -> list[Coding]:
    """How each of these continuous columns is coded by ``method``, in at most two scans."""
    sketches = sketch_columns(source, columns, weight)
    if method == "width":
        found = [cuts_between(s.lowest, s.highest, bins) for s in sketches]
    else:
        found = _from_histograms(source, columns, sketches, target, weight, method, bins)
    return [
        Coding(name, None, cuts, sketch.unknown)
        for name, cuts, sketch in zip(columns, found, sketches, strict=True)
    ]


def _from_histograms(
    source: Source,
    columns: Sequence[str],
    sketches: list[Sketch],
    target: Coding | None,
    weight: str | None,
    method: str,
    bins: int,
) -> list[Floats]:
    fine = tuple(
        Coding(name, None, sketch.values, sketch.unknown)
        for name, sketch in zip(columns, sketches, strict=True)
    )
    n_classes = 1 if target is None else target.size
    counts = [np.zeros(coding.size * n_classes) for coding in fine]
    for codes, of, own in Coder(source, fine, target, weight).batches():
        for j, sums in enumerate(counts):
            cells = codes[j].astype(np.int64) * n_classes + of
            sums += np.bincount(cells, own, minlength=len(sums))
    return [
        _cuts(sketch, sums.reshape(-1, n_classes)[int(sketch.unknown) :], method, bins)
        for sketch, sums in zip(sketches, counts, strict=True)
    ]


def _cuts(sketch: Sketch, counts: Floats, method: str, bins: int) -> Floats:
    if len(sketch.values) == 0:
        return np.empty(0)
    if sketch.complete:
        return cuts_from_counts(sketch.values, counts[:-1], method, bins)
    # What is above the last end gets an end of its own; a cut lies on the end to its left.
    ends = np.append(sketch.values, sketch.highest)
    kept = counts.any(axis=1)
    middle = cuts_from_counts(ends[kept], counts[kept], method, bins)
    return np.asarray(ends[kept][np.searchsorted(ends[kept], middle, side="right") - 1])
