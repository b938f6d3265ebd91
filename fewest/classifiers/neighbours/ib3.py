"""IB3 and IB4: nearest neighbours that keep rows with a good record, and learn weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import ndtri

from ...data.feature_names import Features
from ...kernels.neighbours.records import concept_distances, learn_records
from ...parameters import number, one_of, whole
from ..base import Floats, Rows, TableClassifier
from .ranges import range_scale

#: Distances that differ by less are equal.
EQUAL = 1e-9


@dataclass(eq=False)
class IB3(TableClassifier):
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
    Aha, Kibler and Albert (1991, section 4). Each class is a concept of its own that tells its
    rows from all others. The rows come one after the other. The nearest accepted row says whether
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

    def fit(  # type: ignore[override]
        self, X: Any, y: Any, *, nominal: Features | None = None
    ) -> Self:
        """Learn from the rows in their order; rows have no weights here.

        Parameters
        ----------
        X : frame or array of shape (rows, features)
            Strings, categories and booleans are nominal; NaN and None are unknown.
        y : array of shape (rows,)
        nominal : numeric columns to treat as categories: names, positions, patterns, ...
        """
        return super().fit(X, y, nominal=nominal)

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
        self._kept, self.accepted_, weights = (np.array(part) for part in zip(*found, strict=True))
        self.weights_: Floats = weights

    def _chances(self, values: Floats) -> Floats:
        queries = np.ascontiguousarray(values)
        each = np.array([self._distances(c, queries) for c in range(len(self.classes_))])
        outside, inside = each[:, :, 0], each[:, :, 1]
        claims = inside <= outside * (1 + EQUAL)
        pool = claims | ~claims.any(axis=0)
        distance = np.where(pool, inside, np.inf)
        near = pool & (distance <= distance.min(axis=0) * (1 + EQUAL))
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
    accept, drop, random_state : see :class:`IB3`

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
    before they are squared. Neither text says how the concepts of several classes compete: here
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
