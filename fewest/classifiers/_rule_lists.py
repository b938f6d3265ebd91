"""Lists of rules: conditions over cells, CN2 and RIPPER."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2
from sklearn.utils import check_random_state

from .._kernels.trees.rule_conditions import best_positions, condition_counts, laplace_values
from .._parameters import flag, number, one_of, whole
from ..data._schema import Schema
from ._base import Floats, Rows, TableClassifier, shares
from ._cells import Cells, Ints, half_way
from ._trees.rule_text import leaf_text

EQUAL, AT_MOST, ABOVE = 0, 1, 2


@dataclass(frozen=True)
class Condition:
    """Level of a feature, or one side of a cut. An unknown value meets no condition."""

    feature: int
    sign: int
    value: float

    def holds(self, values: Floats) -> NDArray[np.bool_]:
        """Mark the rows that meet the condition."""
        column = values[:, self.feature]
        if self.sign == EQUAL:
            return np.equal(column, self.value)
        if self.sign == AT_MOST:
            return np.less_equal(column, self.value)
        return np.greater(column, self.value)

    def to_text(self, schema: Schema) -> str:
        """Write the condition as text."""
        levels = schema.levels[self.feature]
        shown = f"{self.value:.6g}" if levels is None else str(levels[int(self.value)])
        return f"{schema.names[self.feature]} {('=', '<=', '>')[self.sign]} {shown}"


@dataclass(frozen=True, eq=False)
class DecisionRule:
    """Conjunction of conditions; ``counts`` are the training weights by class that meet them."""

    conditions: tuple[Condition, ...]
    counts: Floats

    def covers(self, values: Floats) -> NDArray[np.bool_]:
        """Mark the rows that meet every condition."""
        inside = np.ones(len(values), dtype=bool)
        for condition in self.conditions:
            inside &= condition.holds(values)
        return inside


class RuleList(TableClassifier):
    """Base of classifiers that are rules: the first that applies decides, or all of them vote."""

    #: Whether the first rule that applies decides.
    ordered = True

    rules_: list[DecisionRule]
    default_: Floats

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
        lines = []
        for rule in self.rules_:
            met = " and ".join(c.to_text(self.schema_) for c in rule.conditions) or "true"
            lines.append(f"if {met} then {leaf_text(rule.counts, self.classes_)}")
        return "\n".join([*lines, f"otherwise {leaf_text(self.default_, self.classes_)}"])


@dataclass(frozen=True, eq=False)
class Conditions:
    """Conditions that training rows offer: each level, both sides of each cut.

    A condition is a range of cells of its feature, from ``low`` to ``high``.
    """

    rows: Rows
    cells: Cells
    feature: Ints
    low: Ints
    high: Ints
    sign: Ints

    @classmethod
    def of(cls, rows: Rows) -> Conditions:
        """Find the conditions over these rows."""
        cells = Cells.count(rows)
        parts = [_of_feature(cells, j, bool(rows.nominal[j])) for j in range(len(rows.nominal))]
        return cls(rows, cells, *np.concatenate(parts, axis=1))

    def __len__(self) -> int:
        return len(self.feature)

    def counts(self, inside: NDArray[np.intp]) -> Floats:
        """Return the weight of each class among the rows ``inside`` that meet each condition."""
        rows, n_cells = self.rows, int(self.cells.first[-1])
        counts: Floats = condition_counts(
            self.cells.of, rows.target, rows.weight, inside, n_cells, rows.n_classes,
            self.low, self.high,
        )  # fmt: skip
        return counts.T

    def holds(self, i: int, inside: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Mark the rows ``inside`` that meet condition ``i``."""
        cell = self.cells.of[inside, self.feature[i]]
        found: NDArray[np.bool_] = (cell >= self.low[i]) & (cell <= self.high[i])
        return found

    def __getitem__(self, i: int) -> Condition:
        j = int(self.feature[i])
        values, begin = self.cells.values[j], int(self.cells.first[j])
        if self.sign[i] == EQUAL:
            return Condition(j, EQUAL, float(values[self.low[i] - begin]))
        left = int(self.high[i] if self.sign[i] == AT_MOST else self.low[i] - 1) - begin
        return Condition(j, int(self.sign[i]), half_way(values[left], values[left + 1]))


def _of_feature(cells: Cells, j: int, nominal: bool) -> Ints:
    begin, end = int(cells.first[j]), int(cells.first[j + 1]) - 1
    if nominal:
        levels = np.arange(begin, end)
        return np.array([np.full(len(levels), j), levels, levels, np.full(len(levels), EQUAL)])
    last = np.arange(begin, max(end - 1, begin))
    feature = np.full(2 * len(last), j)
    low = np.concatenate([np.full(len(last), begin), last + 1])
    high = np.concatenate([last, np.full(len(last), end - 1)])
    return np.array([feature, low, high, np.repeat([AT_MOST, ABOVE], len(last))])


@dataclass(frozen=True, eq=False)
class _Complex:
    """Conjunction of conditions, the rows that meet it, and its quality."""

    conditions: tuple[int, ...]
    inside: NDArray[np.intp]
    value: float


@dataclass(eq=False)
class CN2(RuleList):
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
    rules_ : list of DecisionRule
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


def subset_bits(total: float, chosen: float, share: float) -> float:
    """Return the bits that name ``chosen`` of ``total``, if ``share`` of them is expected."""
    bits = -chosen * log2(share) if share > 0.0 and chosen > 0.0 else 0.0
    if share < 1.0 and total > chosen:
        bits -= (total - chosen) * log2(1.0 - share)
    return bits


def rule_bits(n_conditions: int, n_possible: int) -> float:
    """Return the bits of one rule, halved because the order of its conditions has no meaning."""
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


#: The conditions of a rule, as positions in ``Conditions``.
Body = tuple[int, ...]
#: A rule set that needs this many bits more than the best so far is not worth going on.
SURPLUS_BITS = 64.0


def laplace(own: float, other: float) -> float:
    """Return Laplace's estimate of the accuracy of a rule."""
    return (own + 1.0) / (own + other + 2.0)


@dataclass(eq=False)
class OneClass:
    """Rows of one class against others, and the quality of rules on them.

    kind: the class that the rules predict.
    rows: positions of the rows.
    min_covered: the smallest weight of a grown rule.
    rng: draws which rows grow and which prune.
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

    def prune(self, body: Body, rows: Ints, worth: Callable[[float, float], float]) -> Body:
        """Return the beginning of the rule that is worth most, by what it covers of both kinds."""
        best, length = -np.inf, len(body)
        for k in range(1, len(body) + 1):
            rows = rows[self.conditions.holds(body[k - 1], rows)]
            value = worth(*self.weigh(rows))
            if value > best + 1e-12:
                best, length = value, k
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
            body = self.prune(body, prune, laplace) if len(prune) else body
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
            # What the rules behind would classify anyway is no reason to cut.
            prune = self.outside(after, prune)
            grown = [self.grow(start, grow) for start in ((), body)]
            cut = [self.prune(new, prune, operator.sub) for new in grown]
            variants = [body, *(new for new in cut if new)]
            bits = [self.bits([*before, variant, *after]) for variant in variants]
            bodies = [*before, variants[int(np.argmin(bits))], *after]
        return self.cover(bodies)


@dataclass(eq=False)
class Ripper(RuleList):
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
    rules_ : list of DecisionRule
        The first rule that applies decides.
    default_ : array of shape (n_classes,)
        Class weights of the training rows that no rule covers.
    classes_ : array

    Notes
    -----
    From the rarest class to the second most frequent one, rules are learned that tell its rows
    from those of the classes that follow (Cohen, 1995). A rule grows on two thirds of the rows by
    the condition with the largest information gain p·(log2(p/t) − log2(P/T)), until it covers
    one class only. It is cut back to the beginning with the largest (p + 1)/(p + n + 2) on the last
    third (Laplace's estimate of what Cohen's (p − n)/(p + n) measures; a single row then decides
    less, as in Weka). Rules are added while the description length of rules and errors is within
    64 bits of the shortest one so far and the rule is right on more than half of what it covers.
    Then each rule competes with a rule grown anew and with one grown from itself, both pruned for
    the accuracy of the whole rule set; the shortest description wins. Rows of the class that are
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
