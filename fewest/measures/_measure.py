"""Base classes of measures: bound to a table once, a measure scores batches of candidates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._parameters import Parameters
from ..data._table import Table
from ._abilities import Allowed, Audit, Importances, Proof, Question
from ._steps import Steps

#: A batch of candidates; for subsets a bool matrix, one row per subset, one column per feature.
Candidates = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of a batch, one entry per candidate, higher is better.

    Parameters
    ----------
    value : float64 array of shape (m,)
    folds : float64 array of shape (m, k), or None
        The values by fold where the measure is an estimate over folds (paired tests use them).
    goals : mapping of name to float64 array of shape (m,)
        Further quantities of each candidate (``"accuracy"``, ``"leaves"``, ...), for
        searches and choices over several goals. The name of a goal says which way is better.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.measures import Scores
    >>> scores = Scores(np.array([0.5, 0.7]))
    >>> float(scores.value.max())
    0.7
    """

    value: NDArray[np.float64]
    folds: NDArray[np.float64] | None = None
    goals: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.value)

    def take(self, rows: NDArray[Any]) -> Scores:
        """Return the scores of these candidates, in this order."""
        return Scores(
            self.value[rows],
            None if self.folds is None else self.folds[rows],
            {name: goal[rows] for name, goal in self.goals.items()},
        )

    @staticmethod
    def join(parts: list[Scores]) -> Scores:
        """Join consecutive parts into one batch."""
        first = parts[0]
        return Scores(
            np.concatenate([p.value for p in parts]),
            None if first.folds is None else np.concatenate([_folds(p) for p in parts]),
            {g: np.concatenate([p.goals[g] for p in parts]) for g in first.goals},
        )


def _folds(part: Scores) -> NDArray[np.float64]:
    assert part.folds is not None
    return part.folds


#: Operations of one call, a second or two at most: between calls an interrupt is heard.
OPERATIONS_PER_CALL = 2e9


def short_batch(most: int, operations: float) -> int:
    """Return how many candidates of so many operations one call should get.

    >>> short_batch(512, 1e8), short_batch(512, 100.0), short_batch(512, 1e12)
    (20, 512, 2)
    """
    return max(2, min(most, int(OPERATIONS_PER_CALL / max(1.0, operations))))


class Scorer(ABC):
    """Measure bound to a table.

    ``score`` is called from several threads or processes at once, on parts of a batch: it must
    not change the scorer (caches guarded by a lock are fine), and the score of a candidate must
    not depend on what else is in the batch. A scorer pickles.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.measures import resolve_measure
    >>> from fewest.testing import toy_table
    >>> table = toy_table()
    >>> scorer = resolve_measure("cfs").bind(table)
    >>> scorer.score(np.ones((1, table.n_features), dtype=bool)).value.shape
    (1,)
    """

    #: Candidates per call: 1 where each costs much, more where batches pay.
    batch: int = 1024
    #: "threads" where scoring releases the interpreter lock, "processes" where it does not.
    prefer: str = "threads"
    #: Number of operations per candidate, estimated without a clock: searches are picked by it.
    operations: float = 0.0
    #: For a monotone measure, the value that a subset must reach.
    threshold: float | None = None
    #: The names of the goals that every batch has, also one of empty subsets.
    goal_names: tuple[str, ...] = ()
    #: Remarks made while binding, to be shown with the result, one sentence each.
    notes: tuple[str, ...] = ()

    @abstractmethod
    def score(self, candidates: Candidates) -> Scores:
        """Score every row of ``candidates``, a bool matrix of shape (m, features)."""

    def on_rows(
        self, rows: NDArray[np.bool_], trained: NDArray[np.bool_] | None = None
    ) -> Scorer | None:
        """Return the same cross-validation, judged on some of the rows only.

        None where the score is no mean over rows or folds of models, or where new candidates
        would need training that takes long. Both masks have one entry per row; ``trained`` are
        the rows that models may be trained on, by default all.
        """
        return None

    def audit(self, candidates: NDArray[np.bool_]) -> Audit | None:
        """Score a few candidates by training the estimator, and compare with the fast scores.

        None where there is nothing to compare: a filter, or an estimator that is trained anyway.
        """
        return None

    def score_steps(self, steps: Steps) -> Scores:
        """Score a batch of neighbours of one candidate.

        The scores are those of :meth:`score`. The default writes the candidates out; a scorer
        that can share the work on the base does so here.
        """
        parts = [self.score(np.asarray(part)) for part in steps.parts(self.batch)]
        return Scores.join(parts) if parts else self.score(np.asarray(steps))

    def cuts(self, candidate: NDArray[np.bool_], limit: int = 1) -> NDArray[np.bool_]:
        """Return masks of which every subset that reaches the threshold holds at least one feature.

        Called for a candidate that fails the threshold; every mask returned is disjoint from
        it. For any monotone measure the features outside the candidate are such a mask: this
        is the default. A measure that knows more returns up to ``limit`` smaller masks;
        ``limit=0`` requests all it can give at once.
        """
        return ~np.asarray(candidate, dtype=bool)[None, :]

    #: Whether :meth:`raced` can be called.
    races: bool = False

    def raced(self, value: float, folds: NDArray[np.float64]) -> Scorer:
        """Return a scorer that drops candidates which cannot catch up with this value.

        Called before each batch with the best candidate so far and its folds, if ``races`` is set.
        """
        raise NotImplementedError

    #: Whether :meth:`find_subset` can be called.
    finds_subsets: bool = False

    def find_subset(
        self,
        base: NDArray[np.bool_],
        free: NDArray[np.bool_],
        most: int,
        threads: int,
        stop: NDArray[np.int64],
    ) -> NDArray[np.bool_] | None:
        """Find a subset of ``base`` and ``most`` of ``free`` that reaches the threshold.

        None if there is none. For a monotone measure that examines all these subsets faster
        than it scores them; a search calls it only if ``finds_subsets`` is set. Gives up, with
        None, when ``stop[0]`` is set meanwhile. The answer does not depend on ``threads``.
        """
        raise NotImplementedError

    #: What a search may ask beside scores: "importances", "l1_path", "proxy" and "probes".
    advises: tuple[str, ...] = ()

    def importances(self, question: Question) -> Importances:
        """Return how much each feature of a subset matters to a model that is trained on it.

        A search calls it only if "importances" is in ``advises``. The answer depends on the
        question alone.
        """
        raise NotImplementedError

    #: What the score is measured in: 1, or for a loss its value without any feature.
    unit: float = 1.0

    def pooled(self, folds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return fold scores (the last axis) in one unit, so that their mean is the score."""
        return folds

    def proxy(self, fold: int) -> Scorer:
        """Return a scorer of a model in closed form on the training rows of a fold.

        A search that lets many subsets vote on the features calls it if "proxy" is in
        ``advises``; -1 is all rows.
        """
        raise NotImplementedError

    def l1_path(self, model: str, most: int) -> NDArray[np.bool_]:
        """Return the subsets with coefficients on the path of a model with an L1 penalty.

        From few features to many, one row per subset; at most ``most`` features are needed,
        so that the path may end there. A search calls it only if "l1_path" is in ``advises``.
        """
        raise NotImplementedError

    #: Whether :meth:`best_subsets` can be called.
    proves_best: bool = False

    def best_subsets(self, allowed: Allowed) -> Proof:
        """Return a search for the subsets with the highest values, with a proof at its end.

        For a measure that can exclude many subsets at once; a search calls it only if
        ``proves_best`` is set.
        """
        raise NotImplementedError


def refuse_unread(names: Collection[str], read: Collection[str], reader: str) -> None:
    """Raise a sentence for metadata that ``reader`` does not read."""
    for name in names:
        if name not in read:
            listed = ", ".join(sorted(read))
            instead = f"it reads {listed}; check the spelling, or leave" if read else "leave"
            raise InputError(f"`{name}` is not used by {reader}: {instead} `{name}` out.")


def score_batch(scorer: Scorer, batch: Candidates | Steps) -> Scores:
    """Score a batch, be it a matrix or steps.

    Steps that add and others are scored apart: most scorers share the base of the former only.
    """
    if not isinstance(batch, Steps):
        return scorer.score(batch)
    adds = batch.gains > 0
    if adds.all() or not adds.any():
        return scorer.score_steps(batch)
    parts = np.flatnonzero(adds), np.flatnonzero(~adds)
    scores = Scores.join([scorer.score_steps(batch[part]) for part in parts])
    return scores.take(np.argsort(np.concatenate(parts)))


class Measure(Parameters, ABC):
    """Base class of measures: a number for every subset of features, higher is better.

    Subclasses are dataclasses whose fields are their parameters; they hold no data.

    Examples
    --------
    >>> from fewest.measures import Measure, resolve_measure
    >>> cfs = resolve_measure("cfs")
    >>> isinstance(cfs, Measure), cfs.get_params()["bins"]
    (True, 10)
    """

    #: The name on the command line and in strings.
    name: ClassVar[str]
    #: Author, year and section of the document it comes from.
    source: ClassVar[str] = ""
    #: Whether a superset never scores worse; then the bound scorer has a threshold and cuts.
    monotone: ClassVar[bool] = False
    #: Whether the bound scorer can prove its best subsets (:meth:`Scorer.best_subsets`).
    proves_best: ClassVar[bool] = False
    #: What it needs of the table.
    needs_classes: ClassVar[bool] = True
    #: The metadata of rows that it reads, such as ``sample_weight``.
    reads: ClassVar[frozenset[str]] = frozenset()

    @property
    def estimator(self) -> Any:
        """Scikit-learn estimator whose score this is; None for measures without one."""
        return None

    @property
    def title(self) -> str:
        """Name in results and reports: its own, or that of the estimator."""
        return self.name

    @property
    def task(self) -> str | None:
        """Required kind of target: "classification", "regression", or None for any."""
        return "classification" if self.needs_classes else None

    def check_metadata(self, names: Collection[str]) -> None:
        """Raise a sentence for metadata of rows that the measure would ignore."""
        refuse_unread(names, self.reads, f"the measure `{self.title}`")

    #: Whether it can be bound to a table outside memory, from counts or sums that scans give.
    scans: ClassVar[bool] = False

    def check_scans(self) -> None:
        """Raise a sentence if the measure needs the rows in memory."""
        if not self.scans:
            raise InputError(
                f"The measure `{self.title}` needs the rows in memory, but they stay where they "
                "are; load a sample of them, or use a measure that counts, such as mrmr, cfs, "
                "mdl-fs or inconsistency."
            )

    @abstractmethod
    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Do all work that depends on the data alone, and return the scorer.

        ``rng`` draws whatever is random (the folds); without it, seed 0.
        """

    def bind_for(
        self, table: Table, masks: NDArray[np.bool_], rng: np.random.Generator | None = None
    ) -> tuple[Scorer, NDArray[np.bool_]]:
        """Bind to the table for some candidates only; return the scorer and what it is to score."""
        return self.bind(table, rng), masks

    def left_out(self, table: Table, subset: NDArray[np.bool_]) -> dict[str, str]:
        """Return why each feature outside the subset is outside, where the measure can tell."""
        return {}
