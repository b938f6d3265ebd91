"""The audit of fast scores: the estimator itself scores a few subsets on the same folds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Audit:
    """Fast scores of some subsets beside those of the trained estimator.

    Attributes
    ----------
    fast, trained : float64 arrays of shape (subsets, folds)
    tolerance : float
        How far a fold score may be from that of the estimator, relative to the larger of 1 and
        its size.
    stopped_early : bool
        Whether the estimator stopped before its optimum, so that the scores may differ: fast
        scores are those of the optimum.
    free : bool array of shape (subsets, folds) or None
        Folds that are not compared, because the order of work decides their scores: which of
        equally near rows are neighbours.
    """

    fast: Floats
    trained: Floats
    tolerance: float
    stopped_early: bool = False
    free: NDArray[np.bool_] | None = None

    @property
    def largest_difference(self) -> float:
        """Return the largest difference of a fold score; infinite where only one is known."""
        fast, trained = self.fast[~self._free], self.trained[~self._free]
        if (np.isnan(fast) != np.isnan(trained)).any():
            return float("inf")
        known = ~np.isnan(fast)
        return float(np.abs(fast - trained)[known].max(initial=0.0))

    @property
    def agrees(self) -> bool:
        """Return whether all fold scores are equal within the tolerance.

        >>> same = np.array([[0.5, 0.25]])
        >>> Audit(same, same, 1e-7).agrees, Audit(same, same + 0.1, 1e-7).agrees
        (True, False)
        """
        if self.stopped_early:
            return True
        allowed = self.tolerance * np.maximum(1.0, np.abs(self.trained))
        near = np.abs(self.fast - self.trained) <= allowed
        both = np.isnan(self.fast) & np.isnan(self.trained)
        return bool((near | both | self._free).all())

    @property
    def _free(self) -> NDArray[np.bool_]:
        return np.zeros(self.fast.shape, dtype=bool) if self.free is None else self.free

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for a result: mean scores of each subset, and the verdict."""
        return {
            "agrees": self.agrees,
            "stopped_early": self.stopped_early,
            "score": self.fast.mean(axis=1).tolist(),
            "trained": self.trained.mean(axis=1).tolist(),
            "largest_difference": self.largest_difference,
            "tolerance": self.tolerance,
            "folds_with_ties": int(self._free.sum()),
        }
