"""RIPPER: rules that are grown, pruned and optimised, from the rarest class on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ...parameters import number, whole
from ..base import Floats, Rows, TableClassifier, shares
from .conditions import Conditions, Rule, rules_text
from .irep import OneClass


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
        self.rules_: list[Rule] = []
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
                self.rules_.append(Rule(chosen, rows.take(inside).class_weights))
                left = np.setdiff1d(left, inside, assume_unique=True)
        self.default_ = rows.take(left).class_weights if len(left) else weights

    def _chances(self, values: Floats) -> Floats:
        total = np.zeros((len(values), len(self.classes_)))
        undecided = np.ones(len(values), dtype=bool)
        for rule in self.rules_:
            covered = rule.covers(values) & undecided
            undecided &= ~covered
            total[covered] = rule.counts
        return shares(total, self.default_)

    def to_text(self) -> str:
        """The rules, one per line, with the training rows they cover and their errors."""
        return rules_text(self.rules_, self.default_, self.schema_, self.classes_)
