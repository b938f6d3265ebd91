"""Table-Majority: a decision table over a few features, with the majority class of each entry."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from .._parameters import flag, one_of, whole
from ._base import Floats, Rows, TableClassifier, shares
from ._cells import Intervals

Codes = NDArray[np.int64]


@dataclass(eq=False)
class TableMajority(TableClassifier):
    """Look a row up among the training rows that agree with it on the chosen features.

    Parameters
    ----------
    select : bool
        Choose the features by best-first search for the largest leave-one-out accuracy of the
        table; False keeps all of them.
    patience : int
        The search ends after this many expansions without an improvement.
    discretise : {"mdl", "width", "frequency"}
        How continuous features are cut into intervals first.
    bins : int
        Intervals of ``"width"`` and ``"frequency"``.

    Attributes
    ----------
    features_ : array of int
        Positions of the chosen features.
    classes_ : array

    Notes
    -----
    A row gets the majority class of the training rows that have the same values on the chosen
    features, an unknown value being a value of its own. If there are none, it gets the majority
    class of all training rows (Kohavi, 1995, "The power of decision tables", section 2). The
    search starts from no feature, adds or removes one, and judges a subset by leave-one-out,
    which costs one count of the table. Equal counts go to the class that is more frequent
    overall.

    Examples
    --------
    >>> X = [["a", "p"], ["a", "q"], ["b", "p"], ["b", "q"]] * 3
    >>> table = TableMajority().fit(X, ["no", "yes", "yes", "no"] * 3)
    >>> table.predict([["b", "p"]]).tolist()
    ['yes']
    """

    select: bool = flag(True)
    patience: int = whole(5, low=1)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def _learn(self, rows: Rows) -> None:
        self._intervals = Intervals.learn(rows, self.schema_, self.discretise, self.bins)
        codes = self._intervals.codes(rows.values)
        self._prior = rows.class_weights
        chosen = (
            choose_features(codes, rows, self.patience) if self.select else range(codes.shape[1])
        )
        self.features_: NDArray[np.int64] = np.array(sorted(chosen), dtype=np.int64)
        keys, entry = np.unique(codes[:, self.features_], axis=0, return_inverse=True)
        counts = rows.weights_by(entry.ravel(), len(keys))
        self._entries = {key.tobytes(): share for key, share in zip(keys, counts, strict=True)}

    def _chances(self, values: Floats) -> Floats:
        codes = np.ascontiguousarray(self._intervals.codes(values)[:, self.features_])
        empty = np.zeros(len(self.classes_))
        found = [self._entries.get(key.tobytes(), empty) for key in codes]
        return _decided(np.array(found), self._prior)


def _decided(counts: Floats, prior: Floats) -> Floats:
    """Return the shares of the classes; ties go to the class that is more frequent overall."""
    tiny = 1e-9 * prior / prior.sum()
    return shares(np.where(counts.any(axis=1, keepdims=True), counts + tiny, 0.0), prior)


def _leave_one_out(entry: NDArray[np.int64], n_entries: int, rows: Rows) -> float:
    """Return the weight of rows that the table without them gets right."""
    others = rows.weights_by(entry, n_entries)[entry]
    # A weight of 3 stands for three equal rows, of which one is left out.
    others[np.arange(len(entry)), rows.target] -= np.minimum(rows.weight, 1.0)
    others[others < 1e-9] = 0.0
    predicted = _decided(others, rows.class_weights).argmax(axis=1)
    return float(rows.weight[predicted == rows.target].sum())


def _value(codes: Codes, subset: frozenset[int], rows: Rows) -> float:
    entry, n_entries = np.zeros(len(codes), np.int64), 1
    for j in sorted(subset):
        mixed = entry * (codes[:, j].max() + 2) + codes[:, j] + 1
        seen, entry = np.unique(mixed, return_inverse=True)
        n_entries = len(seen)
    return _leave_one_out(entry, n_entries, rows)


def choose_features(codes: Codes, rows: Rows, patience: int) -> frozenset[int]:
    """Return the subset with the largest leave-one-out accuracy met; smaller ones win ties."""
    start: frozenset[int] = frozenset()
    number = count()
    best, best_value = start, _value(codes, start, rows)
    todo, seen, idle = [(-best_value, 0, next(number), start)], {start}, 0
    while todo and idle < patience:
        subset = heapq.heappop(todo)[3]
        idle += 1
        for j in range(codes.shape[1]):
            child = subset ^ {j}
            if child in seen:
                continue
            seen.add(child)
            value = _value(codes, child, rows)
            heapq.heappush(todo, (-value, len(child), next(number), child))
            if value > best_value + 1e-9:
                idle = 0
            if (value, -len(child)) > (best_value, -len(best)):
                best, best_value = child, value
    return best
