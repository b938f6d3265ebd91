"""The inconsistency rate: the share of rows that a subset cannot distinguish from other classes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ...data.discretise import as_nominal
from ...data.table import Table
from ...data.weights import weighted_rows, whole_weights
from ...errors import InputError
from ...parameters import number
from ..base import Candidates, Measure, Scorer, Scores
from ..steps import Steps
from .contradictions import Contradictions, contradictions
from .cuts import Cuts, cuts_of
from .patterns import Patterns, patterns_of
from .scanned import scanned_inconsistency
from .within import first_within

if TYPE_CHECKING:
    from ...data.engine.stored import StoredTable


@dataclass
class Inconsistency(Measure):
    """Minus the inconsistency rate: 0 where no two rows of different classes look the same.

    Parameters
    ----------
    threshold : float, or None
        The rate that a subset may have; by default the rate of all features together.

    Notes
    -----
    The rate of a subset is the sum over the patterns p of its values of (n_p - the count of
    the most frequent class of p), divided by the number of rows (Dash and Liu, 2003, section 3.1).
    It never rises when a feature is added. Continuous features are first discretised (MDL);
    an unknown value is a value of its own.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.data.build import as_table
    >>> X = np.array([["a", "u"], ["a", "v"], ["b", "u"], ["b", "v"]])
    >>> scorer = Inconsistency().bind(as_table(X, [0, 1, 0, 1]))
    >>> scorer.score(np.array([[True, False], [False, True]])).value
    array([-0.5,  0. ])
    """

    name: ClassVar[str] = "inconsistency"
    source: ClassVar[str] = "Dash and Liu (2003), section 3.1"
    monotone: ClassVar[bool] = True
    reads: ClassVar[frozenset[str]] = frozenset({"sample_weight"})
    scans: ClassVar[bool] = True

    threshold: float | None = number(None, low=0.0, high=1.0, optional=True)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count the distinct rows once; the threshold comes from all features if not given."""
        self.check_parameters()
        if not table.in_memory:
            return scanned_inconsistency(cast("StoredTable", table), self.threshold)
        _refuse(table)
        patterns = patterns_of(*_counted(table))
        full = int(patterns.counts(np.ones((1, table.n_features), dtype=bool))[0])
        allowed = self._allowed(full, patterns.n_rows)
        if full:
            _warn_of_contradictions(patterns.n_rows, full, allowed)
        return InconsistencyScorer(patterns, cuts_of(patterns, allowed, full))

    def _allowed(self, full: int, n_rows: int) -> int:
        if self.threshold is None:
            return full
        allowed = int(np.floor(self.threshold * n_rows + 1e-9))
        if allowed < full:
            raise InputError(
                f"`threshold` of Inconsistency must be at least {full / n_rows:.6g}, the rate of "
                f"all features together, but is {self.threshold:g}; leave it out to use that rate."
            )
        return allowed

    def explain(self, table: Table, subset: NDArray[np.bool_]) -> Contradictions:
        """The rows that contradict each other under ``subset``, and the rate by class."""
        _refuse(table)
        nominal, weight = _counted(table)
        return contradictions(nominal, np.asarray(subset, dtype=bool), weight)


class InconsistencyScorer(Scorer):
    """The inconsistency rate over the distinct rows of one table."""

    batch = 512

    def __init__(self, patterns: Patterns, cuts: Cuts) -> None:
        self.patterns = patterns
        self.threshold = -cuts.allowed / patterns.n_rows
        self._cuts = cuts
        # Where pairs of rows give cuts, hitting these is faster.
        self.looks_within = cuts.majority is None

    def score(self, candidates: Candidates) -> Scores:
        """Minus the rate of each subset; the counts as the goal ``inconsistencies``."""
        return self._scores(self.patterns.counts(np.asarray(candidates, dtype=bool)))

    def score_steps(self, steps: Steps) -> Scores:
        """The same for neighbours of one subset, whose rows are grouped once."""
        if not (steps.gains > 0).all():
            return super().score_steps(steps)
        return self._scores(self.patterns.counts_with(steps.base, steps.units))

    def _scores(self, counts: NDArray[np.int64]) -> Scores:
        rate = counts / self.patterns.n_rows
        return Scores(0.0 - rate, goals={"inconsistencies": counts.astype(np.float64)})

    def cuts(self, candidate: NDArray[np.bool_], limit: int = 1) -> NDArray[np.bool_]:
        """Small sets of features of which every subset within the threshold has one."""
        return self._cuts.of(np.asarray(candidate, dtype=bool), limit)

    def within(
        self,
        base: NDArray[np.bool_],
        free: NDArray[np.bool_],
        most: int,
        threads: int,
        stop: NDArray[np.int64],
    ) -> NDArray[np.bool_] | None:
        """A subset of ``base`` and ``most`` of the ``free`` features within the threshold."""
        return first_within(self.patterns, self._cuts.allowed, base, free, most, threads, stop)


def _counted(table: Table) -> tuple[Table, NDArray[np.int32] | None]:
    """The table with nominal features only, and how many rows each row stands for."""
    table, weight = weighted_rows(table)
    nominal = as_nominal(table, weight=weight)
    return nominal, None if weight is None else whole_weights(weight, Inconsistency.name)


def _refuse(table: Table) -> None:
    if table.classes is None:
        raise InputError(
            "The measure `inconsistency` needs classes, but the target is a number: "
            "discretise the target first."
        )
    if table.n_rows == 0:
        raise InputError("The table has 0 rows; give at least one row.")
    if table.n_features == 0:
        raise InputError("The table has no features; give at least one column.")
    if table.target.min() == table.target.max():
        raise InputError(
            f"The target has only one class, {table.classes[table.target[0]]}: every subset, even "
            "the empty one, is consistent; give rows of at least two classes."
        )


def _warn_of_contradictions(n_rows: int, full: int, allowed: int) -> None:
    warnings.warn(
        f"{full} of {n_rows} rows contradict others that are the same in every feature: "
        f"no subset can be below a rate of {full / n_rows:.6g}; the threshold is "
        f"{allowed / n_rows:.6g}.",
        UserWarning,
        stacklevel=3,
    )
