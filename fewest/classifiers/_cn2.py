"""CN2: rules that a beam search finds one by one, each tested for significance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from .._kernels.trees.rule_conditions import best_positions, laplace_values
from .._parameters import flag, number, one_of, whole
from ._base import Floats, Rows, TableClassifier, shares
from ._conditions import Conditions, DecisionRule, rules_text


@dataclass(frozen=True, eq=False)
class _Complex:
    """Conjunction of conditions, the rows that meet it, and its quality."""

    conditions: tuple[int, ...]
    inside: NDArray[np.intp]
    value: float


@dataclass(eq=False)
class CN2(TableClassifier):
    """Classification rules by beam search.

    Parameters
    ----------
    ordered : bool
        True for a list of rules of which the first that applies decides; False for rules of
        each class on its own, of which all that apply vote with their training rows.
    quality : {"laplace", "entropy"}
        How a rule is judged: by Laplace's estimate of its accuracy (Clark and Boswell, 1991), or
        by the entropy of its classes (Clark and Niblett, 1989; ordered rules only).
    beam : int
        How many conjunctions the search keeps (the size of the star).
    significance : float
        A rule must differ from the rows it was learned on in a likelihood ratio test at this
        level; 1 does without the test.
    min_covered : float
        The smallest training weight that a rule covers.

    Attributes
    ----------
    rules_ : list of Rule
    default_ : array of shape (n_classes,)
        Class weights that decide where no rule applies.
    classes_ : array

    Notes
    -----
    The search starts from the empty conjunction, adds every possible condition to each of the
    ``beam`` best ones, and goes on until nothing new is left; the best significant conjunction
    becomes a rule. Then the rows it covers (all of them for ordered rules, those of its class
    for unordered ones) are set aside and the search begins anew, until it finds no rule that is
    significant and better than predicting without conditions. Unordered rules vote with the
    classes of all training rows that they cover; of equally pure conjunctions (``"entropy"``) the
    one that covers more rows is taken. Laplace's estimate is
    (n_c + 1) / (n + k) for n covered rows, n_c of the class and k classes. The test compares
    the classes of the covered rows f with those expected e from the remaining rows:
    2 Σ f_c log(f_c / e_c), chi-squared with k − 1 degrees of freedom (Clark and Niblett, 1989,
    section 3.2). A condition is "= level", "<= cut" or "> cut"; an unknown value meets none.

    Examples
    --------
    >>> X = [["a", "p"], ["a", "q"], ["b", "p"], ["b", "q"]] * 5
    >>> model = CN2().fit(X, ["no", "yes", "yes", "yes"] * 5)
    >>> print(model.to_text())
    if x0 = b then yes (10)
    if x1 = p then no (5)
    otherwise yes (5)
    """

    ordered: bool = flag(True)
    quality: str = one_of("laplace", "entropy")
    beam: int = whole(5, low=1)
    significance: float = number(0.05, low=0.0, high=1.0)
    min_covered: float = number(1.0, low=0.0)

    def _learn(self, rows: Rows) -> None:
        self._conditions = Conditions.of(rows)
        self._prior = rows.class_weights
        self.rules_: list[DecisionRule] = []
        everything = np.arange(len(rows.target))
        if self.ordered:
            self.default_: Floats = self._cover(rows, everything, None)
        else:
            for c in np.flatnonzero(self._prior):
                self._cover(rows, everything, int(c))
            self.default_ = self._prior
        del self._conditions

    def _cover(self, rows: Rows, left: NDArray[np.intp], kind: int | None) -> Floats:
        """Find rules until none is found; the class weights of the rows that are left."""
        while True:
            counts = _class_weights(rows, left)
            best = self._search(rows, left, kind)
            if best is None:
                return counts if counts.any() else self._prior
            inside = best.inside
            rule = DecisionRule(tuple(self._conditions[i] for i in best.conditions), np.empty(0))
            # The counts of unordered rules vote together: all rows that a rule covers count.
            voters = inside if kind is None else np.flatnonzero(rule.covers(rows.values))
            self.rules_.append(replace(rule, counts=_class_weights(rows, voters)))
            gone = inside if kind is None else inside[rows.target[inside] == kind]
            left = np.setdiff1d(left, gone, assume_unique=True)

    def _search(self, rows: Rows, left: NDArray[np.intp], kind: int | None) -> _Complex | None:
        expected = _class_weights(rows, left)
        if not (expected.any() if kind is None else expected[kind]):
            return None
        start = _Complex((), left, float(self._values(expected[None], kind)[0]))
        best: _Complex | None = None
        star, seen = [start], set[tuple[int, ...]]()
        floor = start.value
        while star:
            found: list[_Complex] = []
            for parent in star:
                found += self._specialised(parent, seen, expected, kind)
            found.sort(key=lambda c: -c.value)
            star = [c for c in found if c.value > -np.inf][: self.beam]
            for child in star:
                counts = _class_weights(rows, child.inside)
                if child.value > floor + 1e-12 and self._significant(counts, expected, kind):
                    best, floor = child, child.value
                    break
            # More conditions never cover more rows of a class: what no longer can win ends it.
            star = star if any(self._may_beat(floor, rows, c, kind) for c in star) else []
        return best

    def _may_beat(self, floor: float, rows: Rows, found: _Complex, kind: int | None) -> bool:
        """Return whether a conjunction with more conditions could be better than ``floor``."""
        if kind is None and self.quality == "entropy":
            return True
        counts = _class_weights(rows, found.inside)
        right = counts.max() if kind is None else counts[kind]
        return bool((right + 1.0) / (right + len(counts)) > floor + 1e-12)

    def _specialised(
        self,
        parent: _Complex,
        seen: set[tuple[int, ...]],
        expected: Floats,
        kind: int | None,
    ) -> list[_Complex]:
        """Return the best conjunctions with one condition more, at most as many as the beam has."""
        conditions = self._conditions
        counts = conditions.counts(parent.inside)
        least = max(self.min_covered, 1e-9)
        most = conditions.rows.weight[parent.inside].sum() - 1e-9
        if kind is None and self.quality == "entropy":
            values, total = self._values(counts, kind), counts.sum(axis=1)
            values[(total < least) | (total > most)] = -np.inf
        else:
            values = laplace_values(counts.T, -1 if kind is None else kind, least, most)
        found: list[_Complex] = []
        for i in _best_first(values, 4 * self.beam):
            if values[i] == -np.inf or len(found) == self.beam:
                break
            key = tuple(sorted((*parent.conditions, int(i))))
            if key not in seen:
                seen.add(key)
                inside = parent.inside[conditions.holds(int(i), parent.inside)]
                found.append(_Complex((*parent.conditions, int(i)), inside, float(values[i])))
        return found

    def _values(self, counts: Floats, kind: int | None) -> Floats:
        total = counts.sum(axis=1)
        if kind is None and self.quality == "entropy":
            share = counts / np.maximum(total, 1e-300)[:, None]
            bits = np.where(share > 0.0, share * np.log2(np.maximum(share, 1e-300)), 0.0)
            # Of two equally pure conjunctions the one that covers more rows is better.
            return np.asarray(bits.sum(axis=1) + 1e-9 * total / self._prior.sum())
        right = counts.max(axis=1) if kind is None else counts[:, kind]
        estimate = (right + 1.0) / (total + counts.shape[1])
        # A conjunction that covers no row of its class is no rule for it.
        return np.where(right > 0.0, estimate, -np.inf)

    def _significant(self, counts: Floats, expected: Floats, kind: int | None) -> bool:
        if self.significance >= 1.0:
            return True
        share = expected / expected.sum()
        seen = counts > 0.0
        ratio = 2.0 * (counts[seen] * np.log(counts[seen] / (counts.sum() * share[seen]))).sum()
        freedom = max(int((expected > 0.0).sum()) - 1, 1)
        return bool(chi2.sf(ratio, freedom) <= self.significance)

    def _chances(self, values: Floats) -> Floats:
        total = np.zeros((len(values), len(self.classes_)))
        undecided = np.ones(len(values), dtype=bool)
        for rule in self.rules_:
            covered = rule.covers(values)
            if self.ordered:
                covered &= undecided
                undecided &= ~covered
            total[covered] += rule.counts
        return shares(total, self.default_)

    def to_text(self) -> str:
        """Write the rules, one per line, with the training rows they cover and their errors."""
        return rules_text(self.rules_, self.default_, self.schema_, self.classes_)


def _best_first(values: Floats, n: int) -> Iterator[int]:
    """Yield positions by falling value, earlier ones first; all are sorted after ``n`` only.

    >>> list(_best_first(np.array([1.0, 3.0, 2.0, 3.0]), 2))
    [1, 3, 2, 0]
    """
    yield from best_positions(values, n).tolist()
    if n < len(values):
        yield from np.argsort(-values, kind="stable")[n:].tolist()


def _class_weights(rows: Rows, inside: NDArray[np.intp]) -> Floats:
    return np.bincount(rows.target[inside], rows.weight[inside], rows.n_classes).astype(np.float64)
