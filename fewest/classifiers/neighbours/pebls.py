"""PEBLS: the nearest exemplar, by a distance between values that the classes define."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...parameters import number, one_of, whole
from ..base import Floats, Rows, TableClassifier
from ..intervals import Intervals

#: Rows whose distances to all exemplars are computed at once.
BLOCK = 128


@dataclass(eq=False)
class PEBLS(TableClassifier):
    """Nearest exemplar under the modified value difference metric, with exemplar weights.

    Parameters
    ----------
    exponent : float
        The distance is the sum over the features of the value differences to this power.
    weighting : {"one-pass", "none"}
        Whether exemplars that predict badly move away from all rows.
    bins : int
        Continuous features are cut into this many intervals of equal width.

    Attributes
    ----------
    weights_ : array of shape (rows,)
        The weight of every exemplar: how often it was the nearest one by how often it was
        right then. It multiplies the distance to the exemplar.
    classes_ : array

    Notes
    -----
    The difference of two values of a feature is Σ_c |P(c | v) − P(c | w)|: values are close if
    they go with the same classes (Cost and Salzberg, 1993, section 3.1). In one pass through the
    training rows each row is classified by those before it, and the exemplar that was used
    counts the use and whether it was right (section 3.3); a new exemplar starts with one use that
    was right. A value never seen in training has the class probabilities of all rows. The
    original does not define the distance to an unknown value, so there is none here. Equally near
    exemplars: the earlier one.

    Examples
    --------
    >>> X = [["a", "p"], ["a", "q"], ["b", "p"], ["c", "q"]]
    >>> model = PEBLS().fit(X, ["no", "no", "yes", "yes"])
    >>> model.predict([["b", "q"]]).tolist()
    ['yes']
    """

    refuses_unknown = "the value difference metric is not defined for them"

    exponent: float = number(2.0, low=0.0)
    weighting: str = one_of("one-pass", "none")
    bins: int = whole(10, low=2)

    def _learn(self, rows: Rows) -> None:
        self._intervals = Intervals.learn(rows, self.schema_, "width", self.bins)
        self._codes = self._known(self._intervals.codes(rows.values))
        self._target = rows.target
        self._differences = [
            _value_differences(self._codes[:, j], int(size), rows) ** self.exponent
            for j, size in enumerate(self._intervals.sizes)
        ]
        self.weights_ = np.ones(len(rows.target))
        if self.weighting == "one-pass":
            self.weights_ = self._weigh()

    def _known(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Codes with one more value for those never seen."""
        return np.where(codes < 0, self._intervals.sizes, codes)

    def _distances(self, codes: NDArray[np.int64], exemplars: NDArray[np.int64]) -> Floats:
        total = np.zeros((len(codes), len(exemplars)))
        for j, table in enumerate(self._differences):
            total += table[codes[:, j]][:, exemplars[:, j]]
        return total

    def _weigh(self) -> Floats:
        """One pass: how often each exemplar was used, by how often it was right."""
        n = len(self._codes)
        used, right = np.ones(n), np.ones(n)
        for start in range(0, n, BLOCK):
            stop = min(start + BLOCK, n)
            distances = self._distances(self._codes[start:stop], self._codes[:stop])
            for i in range(max(start, 1), stop):
                nearest = int((distances[i - start, :i] * used[:i] / right[:i]).argmin())
                used[nearest] += 1.0
                right[nearest] += float(self._target[nearest] == self._target[i])
        return used / right

    def _chances(self, values: Floats) -> Floats:
        codes = self._known(self._intervals.codes(values))
        out = np.zeros((len(codes), len(self.classes_)))
        for start in range(0, len(codes), BLOCK):
            distances = self._distances(codes[start : start + BLOCK], self._codes) * self.weights_
            nearest = distances.argmin(axis=1)
            out[np.arange(start, start + len(nearest)), self._target[nearest]] = 1.0
        return out


def _value_differences(codes: NDArray[np.int64], size: int, rows: Rows) -> Floats:
    """The difference of every two values, one more row and column for values never seen."""
    counts = np.zeros((size + 1, rows.n_classes))
    np.add.at(counts, (codes, rows.target), rows.weight)
    total = counts.sum(axis=1, keepdims=True)
    share = np.where(total > 0.0, counts / np.maximum(total, 1e-300), rows.class_weights)
    share /= share.sum(axis=1, keepdims=True)
    return np.asarray(np.abs(share[:, None, :] - share[None, :, :]).sum(axis=2), dtype=np.float64)
