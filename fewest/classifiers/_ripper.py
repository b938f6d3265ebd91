"""RIPPER: rules that are grown, pruned and optimised, from the rarest class on (Cohen, 1995)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from .._parameters import number, whole
from ._base import Floats, Rows, TableClassifier, shares
from ._conditions import Conditions, DecisionRule, rules_text


def subset_bits(total: float, chosen: float, share: float) -> float:
    """Return the bits that name ``chosen`` of ``total``, if ``share`` of them is expected.

    >>> round(subset_bits(8, 2, 0.25), 4)
    6.4902
    """
    bits = -chosen * log2(share) if share > 0.0 and chosen > 0.0 else 0.0
    if share < 1.0 and total > chosen:
        bits -= (total - chosen) * log2(1.0 - share)
    return bits


def rule_bits(n_conditions: int, n_possible: int) -> float:
    """Return the bits of one rule, halved because the order of its conditions has no meaning.

    >>> rule_bits(0, 100)
    0.0
    >>> round(rule_bits(1, 100), 4)
    4.0397
    """
    if n_conditions == 0:
        return 0.0
    length = log2(n_conditions)
    if n_conditions > 1:
        length += 2.0 * log2(length) if length > 0.0 else 0.0
    return 0.5 * (length + subset_bits(n_possible, n_conditions, n_conditions / n_possible))


def exception_bits(
    covered: float, uncovered: float, false_positives: float, misses: float, expected: float
) -> float:
    """Return the bits that name the errors among the covered rows and among the others.

    ``expected`` is the share of errors that is expected among the covered rows.
    """
    errors, bits = false_positives + misses, log2(covered + uncovered + 1.0)
    if covered > uncovered:
        bits += subset_bits(covered, false_positives, min(expected * errors / covered, 1.0))
        if uncovered > 0.0:
            bits += subset_bits(uncovered, misses, misses / uncovered)
        return bits
    if covered > 0.0:
        bits += subset_bits(covered, false_positives, false_positives / covered)
    if uncovered > 0.0:
        share = min((1.0 - expected) * errors / uncovered, 1.0)
        bits += subset_bits(uncovered, misses, share)
    return bits


def theory_bits(sizes: Iterable[int], n_possible: int) -> float:
    """Return the bits of all rules, given their numbers of conditions."""
    return sum(rule_bits(size, n_possible) for size in sizes)


Ints = NDArray[np.intp]
#: The conditions of a rule, as positions in ``Conditions``.
Body = tuple[int, ...]
#: A rule set that needs this many bits more than the best so far is not worth going on.
SURPLUS_BITS = 64.0


@dataclass(eq=False)
class OneClass:
    """Rows of one class against others, and the quality of rules on them.

    Parameters
    ----------
    conditions : Conditions
    kind : int
        The class that the rules predict.
    rows : positions of the rows
    min_covered : float
        The smallest weight of a grown rule.
    rng : draws which rows grow and which prune
    """

    conditions: Conditions
    kind: int
    rows: Ints
    min_covered: float
    rng: np.random.Generator

    def __post_init__(self) -> None:
        table = self.conditions.rows
        self.positive = table.target == self.kind
        self.weight = table.weight
        total = self.weight[self.rows].sum()
        self.prior = float(self.weight[self.rows][self.positive[self.rows]].sum() / total)

    def inside(self, body: Body, rows: Ints) -> Ints:
        """Mark the rows that meet all conditions."""
        for i in body:
            rows = rows[self.conditions.holds(i, rows)]
        return rows

    def outside(self, bodies: list[Body], rows: Ints) -> Ints:
        """Mark the rows that no rule covers."""
        for body in bodies:
            rows = np.setdiff1d(rows, self.inside(body, rows), assume_unique=True)
        return rows

    def split(self, rows: Ints) -> tuple[Ints, Ints]:
        """Split into two thirds to grow and one third to prune on, alike in both kinds of rows."""
        parts = [rows[self.positive[rows]], rows[~self.positive[rows]]]
        mixed = [self.rng.permutation(part) for part in parts]
        ends = [-(-2 * len(part) // 3) for part in mixed]
        grow = np.concatenate([part[:end] for part, end in zip(mixed, ends, strict=True)])
        prune = np.concatenate([part[end:] for part, end in zip(mixed, ends, strict=True)])
        return np.sort(grow), np.sort(prune)

    def weigh(self, rows: Ints) -> tuple[float, float]:
        """Return the weight of the rows of the class, and of the others."""
        own = self.weight[rows][self.positive[rows]].sum()
        return float(own), float(self.weight[rows].sum() - own)

    def grow(self, body: Body, rows: Ints) -> Body:
        """Add the condition with the largest gain until only rows of the class are covered."""
        inside = self.inside(body, rows)
        while True:
            own, other = self.weigh(inside)
            if own <= 0.0 or other <= 0.0:
                return body
            counts = self.conditions.counts(inside)
            ours, total = counts[:, self.kind], counts.sum(axis=1)
            with np.errstate(divide="ignore", invalid="ignore"):
                gain = ours * (np.log2(ours / total) - np.log2(own / (own + other)))
            gain[(total < self.min_covered) | (ours <= 0.0) | np.isnan(gain)] = 0.0
            best = int(gain.argmax())
            if gain[best] <= 1e-9:
                return body
            body = (*body, best)
            inside = inside[self.conditions.holds(best, inside)]

    def prune(self, body: Body, rows: Ints) -> Body:
        """Return the beginning of the rule with the largest (p - n) / (p + n) on the rows."""
        best, length = -np.inf, len(body)
        for k in range(1, len(body) + 1):
            rows = rows[self.conditions.holds(body[k - 1], rows)]
            own, other = self.weigh(rows)
            worth = (own - other) / (own + other) if own + other > 0.0 else 0.0
            if worth > best + 1e-12:
                best, length = worth, k
        return body[:length]

    def prune_among(self, body: Body, rows: Ints, successors: list[Body]) -> Body:
        """Return the beginning of the rule with which the rule set is right on most of the rows."""
        open_rows = self.outside(successors, rows)
        best, length = -np.inf, len(body)
        _, negatives = self.weigh(open_rows)
        for k in range(1, len(body) + 1):
            open_rows = open_rows[self.conditions.holds(body[k - 1], open_rows)]
            own, other = self.weigh(open_rows)
            worth = own + negatives - other
            if worth > best + 1e-12:
                best, length = worth, k
        return body[:length]

    def bits(self, bodies: list[Body]) -> float:
        """Return the description length of rules and exceptions."""
        left = self.outside(bodies, self.rows)
        misses, true_negatives = self.weigh(left)
        positives, negatives = self.weigh(self.rows)
        wrong = negatives - true_negatives
        covered = positives - misses + wrong
        sizes = (len(body) for body in bodies)
        return theory_bits(sizes, len(self.conditions)) + exception_bits(
            covered, misses + true_negatives, wrong, misses, self.prior
        )

    def cover(self, bodies: list[Body]) -> list[Body]:
        """Add rules while rows of the class are left and the description does not swell."""
        left = self.outside(bodies, self.rows)
        least = self.bits(bodies)
        while self.weigh(left)[0] > 0.0:
            grow, prune = self.split(left)
            body = self.grow((), grow)
            body = self.prune(body, prune) if len(prune) else body
            inside = self.inside(body, left)
            own, other = self.weigh(inside)
            if not body or own <= 0.0 or other >= own:
                break
            bits = self.bits([*bodies, body])
            if bits > least + SURPLUS_BITS:
                break
            least = min(least, bits)
            bodies = [*bodies, body]
            left = np.setdiff1d(left, inside, assume_unique=True)
        return self.reduced(bodies)

    def reduced(self, bodies: list[Body]) -> list[Body]:
        """Leave out rules, the last ones first, without which the description is shorter."""
        bits = self.bits(bodies)
        for i in range(len(bodies) - 1, -1, -1):
            without = bodies[:i] + bodies[i + 1 :]
            shorter = self.bits(without)
            if shorter < bits:
                bodies, bits = without, shorter
        return bodies

    def optimised(self, bodies: list[Body]) -> list[Body]:
        """Put a new or a revised rule in the place of each one, where that is shorter."""
        for i, body in enumerate(bodies):
            before, after = bodies[:i], bodies[i + 1 :]
            open_rows = self.outside(before, self.rows)
            grow, prune = self.split(open_rows)
            replaced = self.prune_among(self.grow((), grow), prune, after)
            revised = self.prune_among(self.grow(body, grow), prune, after)
            variants = [body, *(b for b in (replaced, revised) if b)]
            bits = [self.bits([*before, variant, *after]) for variant in variants]
            bodies = [*before, variants[int(np.argmin(bits))], *after]
        return self.cover(bodies)


@dataclass(eq=False)
class Ripper(TableClassifier):
    """Ordered classification rules by repeated incremental pruning to produce error reduction.

    Parameters
    ----------
    optimisations : int
        How often the rules of a class are optimised.
    min_covered : float
        The smallest training weight that a rule covers while it grows.
    random_state : int, RandomState or None
        Draws which rows grow and which prune a rule.

    Attributes
    ----------
    rules_ : list of Rule
        The first rule that applies decides.
    default_ : array of shape (n_classes,)
        Class weights of the training rows that no rule covers.
    classes_ : array

    Notes
    -----
    From the rarest class to the second most frequent one, rules are learned that tell its rows
    from those of the classes that follow (Cohen, 1995). A rule grows on two thirds of the rows by
    the condition with the largest information gain p·(log2(p/t) − log2(P/T)), until it covers
    one class only. It is cut back to the beginning with the largest (p − n)/(p + n) on the last
    third. Rules are added while the description length of rules and errors is within 64 bits of
    the shortest one so far and the rule is right on more than half of what it covers. Then
    each rule competes with a rule grown anew and with one grown from itself, both pruned for the
    accuracy of the whole rule set; the shortest description wins. Rows of the class that are
    left get further rules, and rules without which the description is shorter are left out.

    Examples
    --------
    >>> X = [["a", "p"], ["a", "q"], ["b", "p"], ["b", "q"]] * 10
    >>> model = Ripper(random_state=0).fit(X, ["no", "yes", "yes", "yes"] * 10)
    >>> print(model.to_text())
    if x1 = p and x0 = a then no (10)
    otherwise yes (30)
    """

    optimisations: int = whole(2, low=0)
    min_covered: float = number(2.0, low=0.0)
    random_state: Any = None

    def _learn(self, rows: Rows) -> None:
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        rng = np.random.default_rng(seed)
        conditions = Conditions.of(rows)
        left = np.arange(len(rows.target))
        self.rules_: list[DecisionRule] = []
        weights = rows.class_weights
        for kind in np.argsort(weights, kind="stable")[:-1]:
            if weights[kind] <= 0.0 or not len(left):
                continue
            task = OneClass(conditions, int(kind), left, self.min_covered, rng)
            bodies = task.cover([])
            for _ in range(self.optimisations):
                bodies = task.optimised(bodies)
            for body in bodies:
                inside = task.inside(body, left)
                chosen = tuple(conditions[i] for i in body)
                self.rules_.append(DecisionRule(chosen, rows.take(inside).class_weights))
                left = np.setdiff1d(left, inside, assume_unique=True)
        self.default_: Floats = rows.take(left).class_weights if len(left) else weights

    def _chances(self, values: Floats) -> Floats:
        total = np.zeros((len(values), len(self.classes_)))
        undecided = np.ones(len(values), dtype=bool)
        for rule in self.rules_:
            covered = rule.covers(values) & undecided
            undecided &= ~covered
            total[covered] = rule.counts
        return shares(total, self.default_)

    def to_text(self) -> str:
        """Write the rules, one per line, with the training rows they cover and their errors."""
        return rules_text(self.rules_, self.default_, self.schema_, self.classes_)
