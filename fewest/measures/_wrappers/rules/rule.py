"""Base class of rules: what a model answers for every subset, learned from statistics of folds."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.class_weight import compute_sample_weight

from ...._kernels.scoring.probabilities import ODDS
from ....data._table import Table
from ..._steps import PART_BYTES, Steps
from ..metrics.metric import Floats, Ints, Judged, Metric, Responses, Truth
from ..sources.pipelines import Source

Bools = NDArray[np.bool_]

#: Values that are held at once: responses of a block of candidates.
BLOCK_VALUES = 1 << 18


class Counts(NamedTuple):
    """Rows that each candidate has right on each fold, and rows in doubt, (folds, candidates)."""

    right: Ints
    doubtful: Ints
    #: Further quantities of each candidate, by name, such as the number of leaves.
    goals: dict[str, Floats] = {}


@dataclass(frozen=True)
class Size:
    """What the work of a rule depends on, known before anything is bound."""

    rows: int  #: Number of rows of the table.
    columns: int  #: Number of columns of a typical candidate, dummies counted one by one.
    classes: int  #: Number of classes; 1 for a numeric target.
    folds: int  #: Number of folds, all repetitions counted.


class Rule(ABC):
    """The models of all candidates on every fold of a cross-validation.

    A rule is bound to a source once. It answers for batches of candidates and must not change
    while it does so (caches guarded by a lock are fine). It pickles. Candidates are masks over
    the features of the table; ``source.expand`` turns them into masks over columns.

    A subclass says which estimators it stands for in :meth:`refusal`, what a candidate costs in
    :meth:`cost`, and what the models answer in :meth:`respond`. It may override :meth:`judge`
    where a metric follows without the answers, and :meth:`count` where rows that are right can be
    counted for all folds at once. Neighbours of one candidate that share its solution do so there.
    """

    #: Whether the model takes nominal and unknown values itself, so that it needs a table of
    #: typed columns and not a source of numbers.
    takes_tables: ClassVar[bool] = False
    #: Whether it learns with weights of the rows.
    takes_weights: ClassVar[bool] = True
    #: Whether it counts rows that are right and answers for no other metric.
    counts_only: ClassVar[bool] = False
    #: Whether ``respond`` takes neighbours of one candidate as steps from it.
    shares_steps: ClassVar[bool] = False
    #: How many candidates one call should get.
    batch: int = 1024
    #: Sentences about the model on this table that a user should read with the result.
    notes: tuple[str, ...] = ()
    #: Names of the further quantities that ``count`` returns.
    goal_names: tuple[str, ...] = ()

    #: Number of values that the model gives per test row.
    outputs: int

    def __init__(self, model: Any, source: Source, weight: Floats | None) -> None:
        self.model, self.source, self.weight = model, source, weight
        #: Guards what is made when it is first asked for.
        self._lock = threading.RLock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.RLock()

    @classmethod
    @abstractmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return why this model must be trained on this table, in words; None if the rule can.

        It looks at the parameters of the model and at the kind of the target. Columns that the
        rule cannot take are no reason: candidates that hold one go to the referee.
        """

    @classmethod
    @abstractmethod
    def cost(cls, model: Any, size: Size) -> float:
        """Return the number of operations that one candidate takes, all folds together."""

    def respond(self, fold: int, candidates: Any) -> tuple[Responses, Bools]:
        """Return what the model of each candidate answers for the test rows of a fold.

        The second part marks candidates that only the estimator itself can answer for. A rule
        that only counts has no answers.
        """
        raise NotImplementedError

    def leave(self, fold: int, candidates: Any) -> tuple[Responses, Bools]:
        """Return no answers: all candidates are for the estimator."""
        m, rows = len(candidates), len(self.source.splits[fold][1])
        values = np.zeros((m, max(2, self.source.table.n_classes), rows))
        answers = Responses(values, np.zeros((m, rows)), True, ODDS, no_keys)
        return answers, np.ones(m, dtype=bool)

    @classmethod
    def blind(cls, source: Source, metric: Metric) -> str | None:
        """Return why nearly all folds would be in doubt by a metric, in words; None if not."""
        return None

    def judge(self, fold: int, batch: Bools | Steps, metric: Metric, truth: Truth) -> Judged:
        """Return the metric of each candidate on a fold, and whether it is in doubt."""
        size = self.block(batch, truth)
        values, doubts = np.empty(len(batch)), np.empty(len(batch), dtype=bool)
        for low in range(0, len(batch), size):
            part: Any = batch[low : low + size]
            answers, unsure = self.respond(
                fold, part if self.shares_steps else np.asarray(part, dtype=bool)
            )
            here = slice(low, low + size)
            values[here], open_rows = metric.judge(answers, truth)
            doubts[here] = open_rows | unsure
        return values, doubts

    def block(self, batch: Bools | Steps, truth: Truth) -> int:
        """Return for how many candidates responses are held at once."""
        most = BLOCK_VALUES // max(1, self.outputs * len(truth.target))
        return int(max(1, min(most, PART_BYTES // max(1, batch.shape[1]))))

    def count(self, batch: Bools | Steps) -> Counts | None:
        """Count rows that are right and rows in doubt, on all folds at once.

        The fast path of unweighted accuracy; None where accuracy is judged as any other metric.
        """
        return None

    def tolerance(self, metric: Metric) -> float:
        """Return how far a fold score may be from that of the estimator.

        Relative to the larger of 1 and its size. Metrics of labels are equal, because rows within
        rounding error go to the referee; other metrics share the rounding error of the answers.
        """
        rounding = np.sqrt(self.source.precision)
        return 0.0 if metric.asks == "labels" else float(10.0 * rounding)

    def free(self, fold: int, candidates: Bools, metric: Metric, truth: Truth) -> Bools:
        """Return which candidates have scores on a fold that the estimator's order of work decides.

        Such as which of equally near rows are neighbours: the audit does not compare them.
        """
        return np.zeros(len(candidates), dtype=bool)

    def training_weights(self, fold: int) -> Floats | None:
        """Return the weights of the training rows of a fold, those of classes included.

        None where every row counts once.
        """
        train, table = self.source.splits[fold][0], self.source.table
        own = None if self.weight is None else self.weight[train]
        by_class = getattr(self.model, "class_weight", None)
        if by_class is None or table.classes is None:
            return own
        labels = table.classes[table.target[train]]
        factor = np.asarray(compute_sample_weight(by_class, labels), dtype=np.float64)
        return factor if own is None else own * factor

    def labels(self, fold: int) -> Ints:
        """Return the classes that the training rows of a fold show, as codes of the table."""
        if self.source.table.classes is None:
            return np.empty(0, dtype=np.int64)
        train = self.source.splits[fold][0]
        return np.unique(self.source.table.target[train]).astype(np.int64)


class Patience:
    """Whether subsets are still trained, because binding a fold would take longer.

    Training a subset takes about the square of its size and what any training takes; binding
    takes the square of the number of features, ``factor`` times.
    """

    def __init__(self, source: Source, factor: int = 1) -> None:
        self.features = source.table.n_features
        self.left = [factor * self.features**2] * len(source.splits)

    def lasts(self, fold: int, subsets: Bools) -> bool:
        """Count the work of training some subsets; return whether it is less than that of binding.

        >>> from types import SimpleNamespace
        >>> table = SimpleNamespace(n_features=3)
        >>> patience = Patience(SimpleNamespace(table=table, splits=[0]))
        >>> [patience.lasts(0, np.array([[True, False, True]])) for _ in range(2)]
        [True, False]
        """
        if self.left[fold] > 0:
            self.left[fold] -= int((subsets.sum(axis=1) ** 2 + self.features).sum())
        return self.left[fold] > 0


class CountingRule(Rule):
    """A rule of accuracy alone, for models that take tables as they are."""

    takes_tables: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = False
    counts_only: ClassVar[bool] = True
    outputs = 0


def no_keys(some: Ints) -> NDArray[np.uint64]:
    """Return that no rows are known to be equal."""
    return np.zeros((1, 1), dtype=np.uint64)


def sparse_features(source: Source) -> Bools:
    """Return which features may reach the model as sparse dummies, which some models refuse."""
    found = np.zeros(source.table.n_features, dtype=bool)
    for branch in source.branches or ():
        if any(isinstance(step, OneHotEncoder) and step.sparse_output for step in branch.steps):
            found[list(branch.features)] = True
    return found
