"""One number from several goals: accuracy, the size of the model, the cost of the features."""

from __future__ import annotations

import numbers
from collections.abc import Collection
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError, brief
from .._parameters import declared, is_list, number
from ..data._table import Table
from ._measure import Candidates, Measure, Scorer, Scores

#: Random subsets that compete, and halvings of the folds.
SUBSETS, HALVINGS = 200, 10

#: Weights that are tried: the published ones first, since the first of equals is taken.
GRID: tuple[tuple[float, float, float], ...] = (
    (0.75, 0.125, 0.125),
    *((a, (1.0 - a) * s, (1.0 - a) * (1.0 - s)) for a, s in product((0.5, 0.9), (0.0, 0.5, 1.0))),
    (0.75, 0.25, 0.0),
    (0.75, 0.0, 0.25),
    (1.0, 0.0, 0.0),
)


def calibrated_weights(scorer: Any, rng: np.random.Generator) -> tuple[float, float, float]:
    """Return the weights whose favourite on half of the folds is most accurate on the other half.

    Hsu (2004, sections 2.4 and 3.2) calibrates the weights on validation data of each data set
    among preset values, without the details. Here random subsets are scored once; for every
    weighting the best of them by the accuracy on half of the folds is judged on the other
    half, and the mean over several halvings decides.
    """
    subsets = rng.random((SUBSETS, scorer.table.n_features)) < rng.random((SUBSETS, 1))
    subsets[~subsets.any(axis=1), 0] = True
    scores, small, thrift = scorer.parts(subsets)
    held_out = np.zeros(len(GRID))
    for _ in range(HALVINGS):
        order = rng.permutation(scores.folds.shape[1])
        half, other = order[: len(order) // 2], order[len(order) // 2 :]
        seen, unseen = scores.folds[:, half].mean(axis=1), scores.folds[:, other].mean(axis=1)
        for g, (a, b, c) in enumerate(GRID):
            held_out[g] += unseen[np.argmax(a * seen + b * small + c * thrift)]
    return GRID[int(np.argmax(np.round(held_out, 9)))]


Floats = NDArray[np.float64]
Weights = tuple[float, float, float]


@dataclass
class Weighted(Measure):
    """Weighted sum of accuracy, smallness of the model and thrift with features.

    Parameters
    ----------
    measure : Measure, name or estimator
        What gives the accuracy, and the size of the model as a goal (ID3 and C4.5 do).
    weights : three numbers that sum to 1, or "calibrated"
        Of accuracy, model size and subset. ``"calibrated"`` finds them on held-out folds.
    size : str
        The goal that is the size of the model: ``"nodes"`` or ``"leaves"``.
    largest : float or None
        The model size at which the size goal is 0; by default the number of rows.
    costs : one number per feature, or None
        Cost of each feature; by default all cost the same.

    Notes
    -----
    f = a·f_a + b·f_b + c·f_c with a + b + c = 1 (Hsu, 2004, equations 4 to 8): f_a the accuracy,
    f_b = 1 − size / s_max with s_max the number of rows, f_c = 1 − |subset| / features, or one
    minus the share of the cost. Equation 5b prints f_a as the error; the text has it as the
    accuracy, which is what is maximised here. The goals of the scores are ``"accuracy"`` and
    ``"cost"`` beside those of the measure, for searches over several goals at once.

    Examples
    --------
    >>> from fewest.testing._tables import toy_table
    >>> scorer = Weighted("id3", weights=(0.75, 0.125, 0.125)).bind(toy_table())
    >>> sorted(scorer.score(np.ones((1, scorer.table.n_features), dtype=bool)).goals)
    ['accuracy', 'cost', 'leaves', 'nodes']
    """

    name: ClassVar[str] = "weighted"
    source: ClassVar[str] = "Hsu (2004), section 2.4"

    measure: Any = "id3"
    weights: Any = (0.75, 0.125, 0.125)
    size: str = declared("nodes", "the name of a goal", lambda v: isinstance(v, str))
    largest: float | None = number(None, low=1e-9, optional=True)
    costs: Any = declared(None, "one number a feature", is_list, optional=True)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Bind the measure, and find the weights if they are to be found."""
        self.check_parameters()
        rng = np.random.default_rng(0) if rng is None else rng
        inside = _resolved(self.measure).bind(table, rng)
        costs = _checked_costs(self.costs, table.n_features)
        largest = float(table.n_rows if self.largest is None else self.largest)
        scorer = WeightedScorer(inside, table, self.size, largest, costs)
        if isinstance(self.weights, str):
            scorer.weights = calibrated_weights(scorer, rng)
        else:
            a, b, c = self.weights
            scorer.weights = (float(a), float(b), float(c))
        return scorer

    @property
    def estimator(self) -> Any:
        """Estimator of the measure inside."""
        return _resolved(self.measure).estimator

    def check_metadata(self, names: Collection[str]) -> None:
        """Raise a sentence for metadata that the measure inside does not read."""
        _resolved(self.measure).check_metadata(names)

    def check_parameters(self) -> None:
        """Raise a sentence for weights that are not valid."""
        super().check_parameters()
        given = self.weights
        if isinstance(given, str) and given == "calibrated":
            return
        three = is_list(given) and len(given) == 3
        real = three and all(isinstance(w, numbers.Real) and float(w) >= 0 for w in given)
        if not real or abs(sum(given) - 1.0) > 1e-9:
            raise InputError(
                "`weights` of Weighted must be three numbers of at least 0 that sum to 1 "
                f'(accuracy, model size, subset) or "calibrated", but is {brief(given)}.'
            )


class WeightedScorer(Scorer):
    """Weighted sum over the goals of another scorer."""

    weights: Weights = (1.0, 0.0, 0.0)

    def __init__(
        self, inside: Scorer, table: Table, size: str, largest: float, costs: Floats
    ) -> None:
        self.inside, self.table = inside, table
        self.size, self.largest, self.costs = size, largest, costs
        self.batch, self.prefer, self.notes = inside.batch, inside.prefer, inside.notes
        self.operations = inside.operations

    def parts(self, candidates: Candidates) -> tuple[Scores, Floats, Floats]:
        """Return the scores inside, f_b and f_c."""
        scores = self.inside.score(candidates)
        if self.size not in scores.goals:
            known = ", ".join(sorted(scores.goals)) or "none"
            raise InputError(
                f"`size` of Weighted must be a goal that the measure reports ({known}), but is "
                f"{self.size!r}; wrap id3 or c4.5."
            )
        small = 1.0 - scores.goals[self.size] / self.largest
        cost = np.asarray(candidates, dtype=np.float64) @ self.costs
        return scores, small, 1.0 - cost / self.costs.sum()

    def score(self, candidates: Candidates) -> Scores:
        """Return the weighted sum; its folds differ by their accuracies alone."""
        scores, small, thrift = self.parts(candidates)
        a, b, c = self.weights
        rest = b * small + c * thrift
        folds = None if scores.folds is None else a * scores.folds + rest[:, None]
        cost = np.asarray(candidates, dtype=np.float64) @ self.costs
        goals = {**scores.goals, "accuracy": scores.value, "cost": cost}
        return Scores(a * scores.value + rest, folds, goals)

    def on_rows(
        self, rows: NDArray[np.bool_], trained: NDArray[np.bool_] | None = None
    ) -> WeightedScorer | None:
        """Return the same weighted sum of a scorer on some of the rows."""
        inside = self.inside.on_rows(rows, trained)
        if inside is None:
            return None
        scorer = WeightedScorer(inside, self.table, self.size, self.largest, self.costs)
        scorer.weights = self.weights
        return scorer


def _resolved(measure: Any) -> Measure:
    from ._measure_names import resolve_measure

    return resolve_measure(measure)


def _checked_costs(costs: Any, n_features: int) -> Floats:
    try:
        found = np.ones(n_features) if costs is None else np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (n_features,) or not (found >= 0).all() or not found.any():
        raise InputError(
            f"`costs` of Weighted must hold {n_features} numbers of at least 0 (one per feature), "
            f"not all of them 0, but is {brief(costs)}."
        )
    return found
