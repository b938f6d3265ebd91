"""IREP*: rules for one class, grown on some rows and pruned on others (Cohen, 1995)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .conditions import Conditions
from .description_length import exception_bits, theory_bits

Ints = NDArray[np.intp]
#: The conditions of a rule, as positions in ``Conditions``.
Body = tuple[int, ...]
#: A rule set that needs this many bits more than the best so far is not worth going on.
SURPLUS = 64.0


@dataclass(eq=False)
class OneClass:
    """The rows of one class against others, and what rules do on them.

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
        """Which of the rows meet all conditions."""
        for i in body:
            rows = rows[self.conditions.holds(i, rows)]
        return rows

    def outside(self, bodies: list[Body], rows: Ints) -> Ints:
        """Which of the rows no rule covers."""
        for body in bodies:
            rows = np.setdiff1d(rows, self.inside(body, rows), assume_unique=True)
        return rows

    def split(self, rows: Ints) -> tuple[Ints, Ints]:
        """Two thirds to grow on and one third to prune on, alike in both kinds of rows."""
        parts = [rows[self.positive[rows]], rows[~self.positive[rows]]]
        mixed = [self.rng.permutation(part) for part in parts]
        ends = [-(-2 * len(part) // 3) for part in mixed]
        grow = np.concatenate([part[:end] for part, end in zip(mixed, ends, strict=True)])
        prune = np.concatenate([part[end:] for part, end in zip(mixed, ends, strict=True)])
        return np.sort(grow), np.sort(prune)

    def weigh(self, rows: Ints) -> tuple[float, float]:
        """The weight of the rows of the class, and of the others."""
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
        """The beginning of the rule with the largest (p - n) / (p + n) on the rows."""
        best, length = -np.inf, len(body)
        for k in range(1, len(body) + 1):
            rows = rows[self.conditions.holds(body[k - 1], rows)]
            own, other = self.weigh(rows)
            worth = (own - other) / (own + other) if own + other > 0.0 else 0.0
            if worth > best + 1e-12:
                best, length = worth, k
        return body[:length]

    def prune_among(self, body: Body, rows: Ints, successors: list[Body]) -> Body:
        """The beginning of the rule with which the rule set is right on most of the rows."""
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
        """The description length of rules and exceptions."""
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
            if bits > least + SURPLUS:
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
