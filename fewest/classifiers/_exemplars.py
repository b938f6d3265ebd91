"""Neighbours that are chosen or compared by their record: IB3, IB4 and PEBLS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from .._kernels.neighbours.records import concept_distances, learn_records
from .._parameters import number, one_of, whole
from ._base import Floats, Rows, TableClassifier, UnweightedClassifier
from ._cells import Intervals
from ._nearest_neighbor import range_scale

#: Distances that differ by less are equal.
SAME_DISTANCE_TOLERANCE = 1e-9


@dataclass(eq=False)
class IB3(UnweightedClassifier):
    """Nearest neighbours among the training rows that have classified well.

    Parameters
    ----------
    store : "mistakes" or "all"
        Which rows are kept as they come: those that the rows before get wrong, or all.
    accept, drop : float
        Confidence of the intervals by which a row is accepted, and dropped.
    random_state : int
        Seed of the ranks that stand in for an accepted row.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    accepted_ : bool array of shape (n_classes, n_rows)
        The rows that classify, for each class.

    Notes
    -----
    Aha, Kibler and Albert (1991, section 4). Each class is a concept of its own that separates its
    rows from all others. The rows come one by one. The nearest accepted row decides whether
    the new one belongs to the class (without one, a row of random rank), and all rows at least as
    near get a record of whether they were right. A row is accepted when Wilson's interval for its
    record lies above that for the frequency of its kind (90 %), and dropped when it lies below
    (75 %). In the end only accepted rows classify, or all that are kept where a class has none.

    A new row goes to the class that claims it (its nearest row is of the class) at the smallest
    distance; if none does, to the nearest class, and among equally near ones to the most frequent.

    Examples
    --------
    >>> X = np.random.default_rng(0).random((200, 2))
    >>> model = IB3(random_state=0).fit(X, X[:, 0] > 0.5)
    >>> bool(model.score(X, X[:, 0] > 0.5) > 0.85), int(model.accepted_.sum(axis=1).max()) < 200
    (True, True)
    """

    _weighs: ClassVar[bool] = False

    store: str = one_of("mistakes", "all")
    accept: float = number(0.9, low=0.0, high=0.999999)
    drop: float = number(0.75, low=0.0, high=0.999999)
    random_state: int = whole(0)

    def _learn(self, rows: Rows) -> None:
        self._rows, self._target = np.ascontiguousarray(rows.values), rows.target
        self._nominal = rows.nominal
        self._scale = range_scale(rows.values, rows.nominal)[0]
        self._frequency = np.bincount(rows.target, minlength=rows.n_classes)
        picks = np.random.default_rng(self.random_state).random((rows.n_classes, len(rows.target)))
        z_accept, z_drop = (float(ndtri(0.5 + c / 2)) for c in (self.accept, self.drop))
        found = [
            learn_records(
                self._rows, (rows.target == c).astype(np.int64), self._scale, self._nominal,
                self._weighs, self.store == "all", picks[c], z_accept, z_drop,
            )
            for c in range(rows.n_classes)
        ]  # fmt: skip
        self.accepted_: NDArray[Any]
        self._kept, self.accepted_, weights = (np.array(part) for part in zip(*found, strict=True))
        self.weights_: Floats = weights

    def _chances(self, values: Floats) -> Floats:
        queries = np.ascontiguousarray(values)
        each = np.array([self._distances(c, queries) for c in range(len(self.classes_))])
        outside, inside = each[:, :, 0], each[:, :, 1]
        claims = inside <= outside * (1 + SAME_DISTANCE_TOLERANCE)
        pool = claims | ~claims.any(axis=0)
        distance = np.where(pool, inside, np.inf)
        near = pool & (distance <= distance.min(axis=0) * (1 + SAME_DISTANCE_TOLERANCE))
        chosen = np.where(near, self._frequency[:, None], -1).argmax(axis=0)
        chances = np.zeros((len(values), len(self.classes_)))
        chances[np.arange(len(values)), chosen] = 1.0
        return chances

    def _distances(self, c: int, queries: Floats) -> Floats:
        """Return the distances to the nearest row outside and inside of a class."""
        member = self._target == c
        usable = self.accepted_[c].copy()
        for kind in (member, ~member):
            if not (usable & kind).any():
                usable |= self._kept[c] & kind
        if not (usable & member).any():
            usable |= member
        found: Floats = concept_distances(
            queries, self._rows, member, usable, self.weights_[c], self._scale, self._nominal
        )
        return found


@dataclass(eq=False)
class IB4(IB3):
    """IB3 with weights of the features, learned for each class in the same pass.

    Parameters
    ----------
    store : "all" or "mistakes"
        Which rows are kept as they come; the program of the thesis keeps all.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    accepted_ : bool array of shape (n_classes, n_rows)
    weights_ : array of shape (n_classes, n_features)
        The weights of the features for each class, between 0 and 0.5.

    Notes
    -----
    Aha (1992, "Tolerating noisy, irrelevant and novel attributes in instance-based learning
    algorithms"), as Wettschereck, Aha and Mohri (1997, section 3.1.2) describe it. After each row
    a feature gains (1 - Λ)(1 - difference) if the row and the nearest one agree on being of the
    class, otherwise (1 - Λ) times the difference; Λ is the larger relative frequency of the two
    kinds. The weight is the mean gain less ½, at least 0, since irrelevant features gain ½ on
    average; a class that has lost all weights uses equal ones. Weights multiply differences
    before they are squared. Neither text defines how the concepts of several classes compete: here
    distances are relative to the length of the weights.

    Examples
    --------
    >>> X = np.random.default_rng(0).random((200, 3))
    >>> model = IB4().fit(X, X[:, 0] > 0.5)
    >>> bool(model.weights_[0, 0] > model.weights_[0, 1:].max())
    True
    """

    _weighs: ClassVar[bool] = True

    store: str = one_of("all", "mistakes")


#: Rows whose distances to all exemplars are computed at once.
BLOCK_ROWS = 128


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
        self.weights_: Floats = np.ones(len(rows.target))
        if self.weighting == "one-pass":
            self.weights_ = self._weigh()

    def _known(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the codes with one more value for those never seen."""
        return np.where(codes < 0, self._intervals.sizes, codes)

    def _distances(self, codes: NDArray[np.int64], exemplars: NDArray[np.int64]) -> Floats:
        total = np.zeros((len(codes), len(exemplars)))
        for j, table in enumerate(self._differences):
            total += table[codes[:, j]][:, exemplars[:, j]]
        return total

    def _weigh(self) -> Floats:
        """Weigh each exemplar by one pass: how often it was used, by how often it was right."""
        n = len(self._codes)
        used, right = np.ones(n), np.ones(n)
        for start in range(0, n, BLOCK_ROWS):
            stop = min(start + BLOCK_ROWS, n)
            distances = self._distances(self._codes[start:stop], self._codes[:stop])
            for i in range(max(start, 1), stop):
                nearest = int((distances[i - start, :i] * used[:i] / right[:i]).argmin())
                used[nearest] += 1.0
                right[nearest] += float(self._target[nearest] == self._target[i])
        return used / right

    def _chances(self, values: Floats) -> Floats:
        codes = self._known(self._intervals.codes(values))
        out = np.zeros((len(codes), len(self.classes_)))
        for start in range(0, len(codes), BLOCK_ROWS):
            distances = (
                self._distances(codes[start : start + BLOCK_ROWS], self._codes) * self.weights_
            )
            nearest = distances.argmin(axis=1)
            out[np.arange(start, start + len(nearest)), self._target[nearest]] = 1.0
        return out


def _value_differences(codes: NDArray[np.int64], size: int, rows: Rows) -> Floats:
    """Return the difference of every two values; one more row and column for unseen values."""
    counts = np.zeros((size + 1, rows.n_classes))
    np.add.at(counts, (codes, rows.target), rows.weight)
    total = counts.sum(axis=1, keepdims=True)
    share = np.where(total > 0.0, counts / np.maximum(total, 1e-300), rows.class_weights)
    share /= share.sum(axis=1, keepdims=True)
    return np.asarray(np.abs(share[:, None, :] - share[None, :, :]).sum(axis=2), dtype=np.float64)
