"""OneR: the one feature whose values classify the training rows best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._parameters import whole
from ._base import Floats, Rows, TableClassifier, shares
from ._cells import Split, half_way
from ._trees.rule_text import Shown, WrittenTree, leaf_text


@dataclass(eq=False)
class OneR(WrittenTree, TableClassifier):
    """Rule on one feature: each of its values, or intervals of values, predicts a class.

    Parameters
    ----------
    min_bucket : int
        An interval of a continuous feature holds at least this many rows of its class, except
        the last one.

    Attributes
    ----------
    split_ : Split
        The chosen feature with its levels or intervals.
    counts_ : array of shape (branches, classes)
        Training weight of each class in each branch; the last one is for unknown values.
    classes_ : array

    Notes
    -----
    For every feature the rule predicts the most frequent class of each cell; the feature whose
    rule is right on most training rows wins, the earlier one if several are (Holte, 1993,
    section 2 and appendix A). A continuous feature is sorted and cut into intervals: an interval
    grows until ``min_bucket`` of its rows are of one class, then for as long as that class goes
    on, and never ends between equal values; an interval in which the
    class of the one before it ties for the majority predicts that class, and neighbours that
    predict the same class are joined.
    Unknown values are a cell of their own. A cell without training rows predicts the most
    frequent class of all rows.

    Examples
    --------
    >>> X = [["sunny", 85.0], ["rain", 70.0], ["sunny", 69.0], ["rain", 96.0]]
    >>> rule = OneR().fit(X, ["no", "yes", "no", "yes"])
    >>> print(rule.to_text())
    x0 = rain: yes (2)
    x0 = sunny: no (2)
    """

    min_bucket: int = whole(6, low=1)

    def _learn(self, rows: Rows) -> None:
        most = -1.0
        for j in range(rows.values.shape[1]):
            if rows.nominal[j]:
                split = Split.by_level(j, int(rows.cardinalities[j]))
            else:
                split = Split.at(j, self._cuts(rows, j))
            counts = split.counts(rows)
            right = float(counts.max(axis=1).sum())
            if right > most + 1e-9:
                most = right
                self.split_: Split = split
                self.counts_: Floats = counts
        self._prior = rows.class_weights

    def rule_of(self, rows: Rows, tests: Floats) -> tuple[NDArray[np.int64], float]:
        """Return the classes of some encoded rows by the rule of training rows of one feature.

        Also the weight of the training rows that the rule has right.
        """
        rule = type(self)(self.min_bucket)
        rule._learn(rows)
        return rule._chances(tests).argmax(axis=1), float(rule.counts_.max(axis=1).sum())

    def _cuts(self, rows: Rows, j: int) -> Floats:
        """Find where intervals end, by walking through the known values in order."""
        known = np.flatnonzero(~np.isnan(rows.values[:, j]))
        order = known[np.argsort(rows.values[known, j], kind="stable")]
        values, target, weight = rows.values[order, j], rows.target[order], rows.weight[order]
        ends: list[int] = []
        kinds: list[int] = []
        start = 0
        while start < len(values):
            end, counts = self._bucket(values, target, weight, start, rows.n_classes)
            kind = int(counts.argmax())
            if kinds and counts[kinds[-1]] == counts[kind]:
                kind = kinds[-1]
            if kinds and kinds[-1] == kind:
                ends[-1] = end
            else:
                ends.append(end)
                kinds.append(kind)
            start = end
        return np.array([half_way(values[end - 1], values[end]) for end in ends[:-1]])

    def _bucket(
        self,
        values: Floats,
        target: NDArray[np.int64],
        weight: Floats,
        i: int,
        n_classes: int,
    ) -> tuple[int, Floats]:
        """Return the end of the interval that begins at row ``i``, and its class counts."""
        counts, n = np.zeros(n_classes), len(values)
        while i < n:
            last = target[i]
            counts[last] += weight[i]
            i += 1
            if counts[last] >= self.min_bucket:
                break
        while i < n and target[i] == last:
            counts[last] += weight[i]
            i += 1
        while i < n and values[i] == values[i - 1]:
            counts[target[i]] += weight[i]
            i += 1
        return i, counts

    def _chances(self, values: Floats) -> Floats:
        branches = self.split_.branches(values[:, self.split_.feature])
        return shares(self.counts_, self._prior)[branches]

    def _show(self, node: Any) -> Shown:
        if node is not None:
            return node, []
        conditions = self.split_.conditions(self.schema_.levels[self.split_.feature])
        leaves = [
            (condition, leaf_text(counts, self.classes_))
            for condition, counts in zip(conditions, self.counts_, strict=True)
            if counts.any()
        ]
        return self.schema_.names[self.split_.feature], leaves

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # One feature cannot separate all classes, as scikit-learn's own check requires.
        tags.classifier_tags.poor_score = True
        return tags
