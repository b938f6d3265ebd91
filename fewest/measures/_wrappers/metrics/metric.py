"""What a scorer of scikit-learn asks of a model, and its value for a batch of responses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from ...._kernels.scoring.probabilities import (
    brier_losses,
    log_loss_errors,
    log_losses,
    probabilities,
    ranked_shares,
)
from ...._kernels.scoring.ranks import confusions, join_equals, rank_scores

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
EPS = float(np.finfo(np.float64).eps)
#: Probabilities that rounding may move by more are in doubt.
LOOSE = 1e-9
#: Log losses that rounding may move by more, relative to the larger of 1 and their size, are too.
LOOSE_LOSS = 1e-7


@dataclass(frozen=True, eq=False)
class Truth:
    """The test rows of a fold: their target and weights."""

    target: NDArray[np.generic]  #: (rows,): numbers, or codes of the table's classes.
    weight: Floats  #: (rows,)
    #: The classes that the outputs of a classifier stand for: those of the training rows.
    labels: Ints
    n_classes: int  #: Number of classes of the table; 0 for numbers.

    @cached_property
    def complete(self) -> bool:
        """Whether training rows and test rows with any weight show all classes."""
        seen = len(np.unique(self.target[self.weight != 0.0]))
        return len(self.labels) == self.n_classes == seen

    @cached_property
    def plain(self) -> bool:
        """Whether every row counts once."""
        return bool((self.weight == 1.0).all())

    @cached_property
    def variance(self) -> float:
        """Weighted variance of numbers."""
        weight, target = self.weight / self.weight.sum(), self.target.astype(np.float64)
        return float(((target - float(target @ weight)) ** 2) @ weight)


@dataclass(frozen=True, eq=False)
class Responses:
    """What a batch of models says of the test rows of a fold."""

    #: (models, outputs, rows): predictions, or one value per class of which the largest wins (one
    #: output: the value for the second class of two, which wins where it is positive).
    values: Floats
    slack: Floats  #: (models, rows): how far rounding may move the differences of the values.
    #: Whether the model ranks rows by its probabilities, having no decision function.
    probable: bool
    way: int  #: How it makes probabilities; see :mod:`fewest._kernels.scoring.probabilities`.
    #: Gives, for some of the models, numbers that are equal for rows which are equal in all that
    #: the model sees.
    keys: Callable[[Ints], NDArray[np.uint64]]
    #: (models, classes, rows): the probabilities, where they are known up to ``slack``.
    shares: Floats | None = None


#: What rows are ranked by, how far rounding may move it, and keys of certain ties.
Ranking = tuple[Floats, Floats, NDArray[np.uint64]]
#: Values and doubts of a batch.
Judged = tuple[Floats, NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class Metric:
    """A scorer of scikit-learn that is computed in batches."""

    name: str
    asks: str  #: What it needs of a model: "labels", "ranks", "probabilities" or "numbers".
    judge: Callable[[Responses, Truth], Judged]  #: (Responses, Truth) to values and doubts.
    whole: bool = False  #: Whether training and test rows of a fold must show all classes.
    #: "r2", "squared" or "root" where it is a function of the mean squared error; else empty.
    squares: str = ""
    sign: float = 1.0  #: -1 where less is better.

    def lacks(self, truth: Truth) -> bool:
        """Whether a fold lacks classes, so that scikit-learn may refuse or see only two.

        Or whether it has rows that weigh nothing, whose labels it counts as classes.
        """
        few = len(truth.labels) == 2 < truth.n_classes
        counted = self.asks == "labels" and self.name != "accuracy_score"
        return few or (self.whole and not truth.complete) or (counted and not truth.weight.all())


def of_labels(formula: Callable[[Floats], Floats], sign: float) -> Callable[..., Judged]:
    """Judge by a formula over confusion counts."""
    return partial(_judge_labels, formula, sign)


def _judge_labels(
    formula: Callable[[Floats], Floats], sign: float, said: Responses, truth: Truth
) -> Judged:
    counts, doubtful = confusions(
        said.values, said.slack, truth.labels, truth.target, truth.weight, truth.n_classes
    )
    return sign * formula(counts), doubtful > 0


def judge_log_loss(sign: float, said: Responses, truth: Truth) -> Judged:
    """Log loss; in doubt where rounding may move it by more than its last digits."""
    shares, given = _shares(said), said.shares is not None
    losses = log_losses(shares, truth.target, truth.weight)
    if given:
        return sign * losses, _loose(said)
    # Decision values are known as far as their rule can tell; their slack is that of labels.
    slack = said.slack if said.probable else np.zeros_like(said.slack)
    errors = log_loss_errors(said.values, slack, said.way, shares, truth.target, truth.weight)
    return sign * losses, ~(errors <= LOOSE_LOSS * np.maximum(1.0, losses))


def judge_brier(sign: float, half: bool | str, said: Responses, truth: Truth) -> Judged:
    """Brier score; half of it for two classes, as scikit-learn has it."""
    shares = _shares(said)
    doubts = _nobody(said) if said.shares is None else _loose(said)
    scale = 0.5 if half is True or (half == "auto" and shares.shape[1] < 3) else 1.0
    return sign * scale * brier_losses(shares, truth.target, truth.weight), doubts


def _shares(said: Responses) -> Floats:
    """Probabilities; of two classes scikit-learn sees the second one's and takes it from 1."""
    shares = probabilities(said.values, said.way) if said.shares is None else said.shares
    if shares.shape[1] == 2:
        shares[:, 0] = 1.0 - shares[:, 1]
    return shares


def judge_numbers(kind: str, sign: float, said: Responses, truth: Truth) -> Judged:
    """Metrics of predicted numbers."""
    weight = truth.weight / truth.weight.sum()
    away = truth.target.astype(np.float64) - said.values[:, 0]
    if kind == "absolute":
        return sign * (np.abs(away) @ weight), _nobody(said)
    squared = (away * away) @ weight
    return sign * from_squares(kind, squared, truth), _nobody(said)


def from_squares(kind: str, squared: Floats, truth: Truth) -> Floats:
    """R², mean squared error or its root, from mean squared errors."""
    if kind == "squared":
        return squared
    if kind == "root":
        return np.sqrt(squared)
    if len(truth.target) < 2:
        return np.full(len(squared), np.nan)
    if truth.variance == 0.0:
        return np.where(squared == 0.0, 1.0, 0.0)
    return np.asarray(1.0 - squared / truth.variance)


def judge_ranks(
    precision: bool,
    average: str,
    positive: int,
    sign: float,
    chances: bool,
    said: Responses,
    truth: Truth,
) -> Judged:
    """Area under the ROC curve or average precision; a mean over classes if there are more.

    ``chances`` says that rows are ranked by probabilities also where there are decision values.
    """
    if chances and not said.probable:
        said = _as_probable(said)
    classes = [positive] if truth.n_classes == 2 else list(range(len(truth.labels)))
    rankings = _rankings(said, classes)
    values, doubts = np.empty((len(classes), len(said.values))), _nobody(said)
    shares = np.empty(len(classes))
    for k, c in enumerate(classes):
        yes = np.asarray(truth.target == truth.labels[c])
        shares[k] = float(truth.weight[yes].sum())
        values[k], doubtful = _ranked(rankings[k], said, yes, truth.weight, precision)
        doubts |= doubtful
    if average == "weighted":
        return sign * (shares @ values) / shares.sum(), doubts
    return sign * values.mean(axis=0), doubts


def _as_probable(said: Responses) -> Responses:
    """Decision values as logarithms of odds, to be ranked by their probabilities."""
    values = said.values
    if values.shape[1] == 1:
        values = np.concatenate([np.zeros_like(values), values], axis=1)
    return replace(said, values=values, probable=True)


def _ranked(
    ranking: Ranking, said: Responses, yes: NDArray[np.bool_], weight: Floats, precision: bool
) -> Judged:
    """Rank; where neighbours are close, look again at which rows are really the same."""
    scores, spread, keys = ranking
    values, doubtful = rank_scores(scores, spread, keys, yes, weight, precision)
    doubts = doubtful > 0
    again = np.flatnonzero(doubts)
    if len(again):
        same, joined = np.where(keys[again] == 0, said.keys(again), keys[again]), scores[again]
        join_equals(joined, same)
        values[again], doubtful = rank_scores(joined, spread[again], same, yes, weight, precision)
        doubts[again] = doubtful > 0
    return values, doubts


def _rankings(said: Responses, classes: list[int]) -> list[Ranking]:
    """What rows are ranked by for each class."""
    if said.probable and said.shares is None:
        parts = ranked_shares(said.values, said.slack, said.way, classes[0])
        return [(parts[0][c], parts[1][c], parts[2][c]) for c in classes]
    nothing = np.zeros((len(said.values), said.values.shape[2]), dtype=np.uint64)
    if said.shares is not None and said.probable:
        # None, or all, of the votes is not rounded; but nearly all of them may be rounded to 1.
        alone = np.count_nonzero(said.shares, axis=1) == 1
        shares = [np.ascontiguousarray(said.shares[:, c]) for c in classes]
        sure = [((share == 0.0) | alone) & (said.slack <= LOOSE) for share in shares]
        return [
            (share, np.where(exact, -1.0, said.slack), nothing)
            for share, exact in zip(shares, sure, strict=True)
        ]
    return [(_decision(said.values, c), said.slack, nothing) for c in classes]


def _decision(values: Floats, c: int) -> Floats:
    """The decision values for a class."""
    if values.shape[1] > 2:
        return np.ascontiguousarray(values[:, c])
    if values.shape[1] == 2:
        return np.asarray(values[:, c] - values[:, 1 - c])
    return np.ascontiguousarray(values[:, 0] if c == 1 else -values[:, 0])


def _loose(said: Responses) -> NDArray[np.bool_]:
    """Whether rounding may change the probabilities of a row by more than their last digits."""
    return np.asarray((said.slack > LOOSE).any(axis=1))


def _nobody(said: Responses) -> NDArray[np.bool_]:
    return np.zeros(len(said.values), dtype=bool)
