"""Fold scores by any metric, from what the twins of a model say of the test rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...data.table import Table
from ..base import Candidates, Scorer, Scores
from .metrics.metric import Floats, Ints, Judged, Metric, Responses, Truth
from .splits import Split
from .wrapped import WrappedScorer

#: Values that are held at once: responses of a block of candidates.
BLOCK = 1 << 18


class TestedRows(Protocol):
    """The test rows of a fold, and the classes that its training rows show."""

    rows: NDArray[np.intp]
    labels: Ints


class FoldTwin(ABC):
    """A model trained on the rows of one fold, for every candidate at once."""

    #: The test rows, in the order of the responses.
    rows: NDArray[np.intp]
    #: The classes that the training rows show, as codes of the table.
    labels: Ints
    #: Number of responses per row.
    outputs: int
    #: Whether a model is trained for every candidate, which takes longer than a call is worth.
    trains: bool = False
    #: "threads" where the work releases the interpreter lock, "processes" where it does not.
    prefer: str = "threads"

    @abstractmethod
    def respond(self, candidates: NDArray[np.bool_]) -> tuple[Responses, NDArray[np.bool_]]:
        """What the model of each candidate says, and which candidates it cannot tell of."""

    def exact(self, candidate: NDArray[np.bool_]) -> tuple[Floats, Floats] | None:
        """Values and probabilities of one candidate, with the very arithmetic of the classifier.

        Both of shape (rows, classes); None where only the classifier itself can tell.
        """
        return None

    def exact_all(self, candidates: NDArray[np.bool_]) -> list[tuple[Floats, Floats] | None]:
        """The same for several candidates, where that takes less than one after the other."""
        return [self.exact(candidate) for candidate in candidates]

    def judge(self, candidates: NDArray[np.bool_], metric: Metric, truth: Truth) -> Judged:
        """The metric of each candidate, and whether it is in doubt."""
        said, unsure = self.respond(candidates)
        values, doubts = metric.judge(said, truth)
        return values, doubts | unsure


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights of all rows of a table, for training and for scoring; None is 1 for each."""

    train: Floats | None = None
    test: Floats | None = None


class ResponseScorer(Scorer):
    """Scores candidates by a metric of their responses; doubtful folds go to a referee.

    Folds are in doubt where two classes are equal up to rounding, where a matrix is nearly
    singular, and where a fold lacks a class that the metric needs. The referee repeats the very
    arithmetic of the classifier, after a test that it gives the same bits as the classifier on
    this table, or else trains the estimator itself.
    """

    #: The empty subset is scored by the estimator.
    asks_when_empty = True

    def __init__(
        self,
        folds: Sequence[FoldTwin],
        table: Table,
        metric: Metric,
        slow: WrappedScorer,
        weights: Weights,
        batch: int = 1024,
    ) -> None:
        self.folds = list(folds)
        self.metric = metric
        self.slow = slow
        self.trains, self.prefer = self.folds[0].trains, self.folds[0].prefer
        self.batch = 1 if self.trains else batch
        self.truths = [truth_of(table, fold, weights) for fold in folds]
        self.trusted = not self.trains and repeats(self.folds[0], table, slow)

    def score(self, candidates: Candidates) -> Scores:
        """The fold scores of every candidate (each with at least one feature)."""
        candidates = np.ascontiguousarray(candidates, dtype=bool)
        folds = np.empty((len(candidates), len(self.folds)))
        for number, (fold, truth) in enumerate(zip(self.folds, self.truths, strict=True)):
            values, doubts = self._fold(fold, truth, candidates)
            if doubts.any():
                values[doubts] = self.referee(candidates[doubts], number)
            folds[:, number] = values
        return Scores(folds.mean(axis=1), folds)

    def folds_of(self, candidate: NDArray[np.bool_], folds: Iterable[int]) -> list[float]:
        """The scores of one candidate on some folds."""
        found = []
        for number in folds:
            values, doubts = self._fold(self.folds[number], self.truths[number], candidate[None])
            value = self.referee(candidate[None], number)[0] if doubts[0] else values[0]
            found.append(float(value))
        return found

    def referee(self, candidates: NDArray[np.bool_], number: int) -> Floats:
        """The scores of candidates on one fold, as the estimator itself would have them."""
        truth, scores = self.truths[number], np.empty(len(candidates))
        trusted = self.trusted and not self.metric.lacks(truth)
        exact = self.folds[number].exact_all(candidates) if trusted else [None] * len(candidates)
        told = [i for i, known in enumerate(exact) if known is not None]
        for i in sorted(set(range(len(exact))) - set(told)):
            scores[i] = self.slow.folds_of(candidates[i], [number])[0]
        if told:
            pairs = [known for known in exact if known is not None]
            values, shares = (
                np.stack([part.T for part in parts]) for parts in zip(*pairs, strict=True)
            )
            surely = np.full((len(told), len(truth.target)), -1.0)
            said = Responses(values, surely, True, 0, _no_keys, shares)
            scores[told] = self.metric.judge(said, truth)[0]
        return scores

    def _fold(self, fold: FoldTwin, truth: Truth, candidates: NDArray[np.bool_]) -> Judged:
        if self.metric.lacks(truth):
            everyone = np.ones(len(candidates), dtype=bool)
            return np.empty(len(candidates)), everyone
        size = max(1, BLOCK // max(1, fold.outputs * len(fold.rows)))
        parts = [
            fold.judge(candidates[low : low + size], self.metric, truth)
            for low in range(0, len(candidates), size)
        ]
        values, doubts = zip(*parts, strict=True)
        return np.concatenate(values), np.concatenate(doubts)

    def doubted(self, candidates: Candidates) -> float:
        """Share of the folds of these candidates that go to the referee."""
        candidates = np.ascontiguousarray(candidates, dtype=bool)
        doubts = [
            self._fold(f, t, candidates)[1] for f, t in zip(self.folds, self.truths, strict=True)
        ]
        return float(np.mean(doubts))


def _no_keys(some: Ints) -> NDArray[np.uint64]:
    return np.zeros((1, 1), np.uint64)


def repeats(fold: FoldTwin, table: Table, slow: WrappedScorer) -> bool:
    """Whether the exact arithmetic of a twin gives what the estimator gives, to the last bit."""
    half = np.arange(table.n_features) % 2 == 0
    for candidate in (half, ~half | (table.n_features == 1)):
        known = fold.exact(candidate)
        if known is None or not np.array_equal(known[1], slow.probabilities(candidate, 0)):
            return False
    return True


def truth_of(table: Table, fold: TestedRows, weights: Weights) -> Truth:
    """The target and the weights of the test rows of a fold."""
    weight = np.ones(len(fold.rows)) if weights.test is None else weights.test[fold.rows]
    target = np.ascontiguousarray(table.target[fold.rows])
    return Truth(target, np.ascontiguousarray(weight), fold.labels, table.n_classes)


def trained_labels(table: Table, split: Split) -> Ints:
    """The classes that the training rows show."""
    seen: Ints = np.unique(table.target[split[0]]).astype(np.int64)
    return seen
