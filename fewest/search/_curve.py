"""The curve of score against size, judged on rows that the rankings have not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Curve:
    """Scores of growing subsets on held-out folds.

    Parameters
    ----------
    sizes : int array of shape (points,), ascending
        Number of features at each point.
    folds : float64 array of shape (points, folds)
        The score of each point on each fold. The features of a point differ from fold to fold:
        they are the first ones of a ranking that was made without the rows of that fold.
    tolerance : float
        By how much a smaller size may be worse than the best point, in the units of the score.

    Examples
    --------
    >>> curve = Curve(np.array([1, 2, 4]), np.array([[0.5, 0.6], [0.8, 0.9], [0.8, 0.92]]), 0.02)
    >>> curve.size, curve.mean.round(2).tolist()
    (2, [0.55, 0.85, 0.86])
    """

    sizes: NDArray[np.int64]
    folds: Floats
    tolerance: float

    @property
    def mean(self) -> Floats:
        """Return the mean score of each point."""
        return np.asarray(self.folds.mean(axis=1))

    @property
    def chosen(self) -> int:
        """Return the position of the smallest size that keeps the best point."""
        return _smallest(self.sizes, self.folds, self.tolerance)

    @property
    def size(self) -> int:
        """Return the smallest size that is not worse than the best point by the tolerance."""
        return int(self.sizes[self.chosen])

    @property
    def honest(self) -> Floats:
        """Return an honest score per fold: the size is chosen without that fold.

        Neither the ranking nor the choice of the size has seen the rows of the fold, so that the
        mean estimates what the whole procedure is worth on new rows.
        """
        count = self.folds.shape[1]
        if count < 2:
            return np.asarray(self.folds[self.chosen])
        rest = (np.delete(self.folds, fold, axis=1) for fold in range(count))
        picks = [_smallest(self.sizes, others, self.tolerance) for others in rest]
        return np.array([self.folds[pick, fold] for fold, pick in enumerate(picks)])

    def interval(self, scores: Floats, level: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval of a mean over folds that share training rows.

        The variance is corrected for the overlap of the training parts (Nadeau and Bengio, 2003).
        """
        count = len(scores)
        if count < 2:
            return float("-inf"), float("inf")
        error = np.sqrt((1.0 / count + 1.0 / (count - 1)) * scores.var(ddof=1))
        reach = float(stdtrit(count - 1, 0.5 + level / 2.0) * error)
        return float(scores.mean()) - reach, float(scores.mean()) + reach

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, from which :meth:`of` makes the curve again."""
        return {
            "sizes": self.sizes.tolist(),
            "folds": self.folds.tolist(),
            "tolerance": float(self.tolerance),
        }

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Curve:
        """Return the curve that :meth:`to_dict` described."""
        return cls(
            np.array(plain["sizes"], dtype=np.int64),
            np.array(plain["folds"], dtype=np.float64),
            float(plain["tolerance"]),
        )


def _smallest(sizes: NDArray[np.int64], folds: Floats, tolerance: float) -> int:
    """Return the smallest size whose mean is within the tolerance of the best mean."""
    mean = folds.mean(axis=1)
    # A point without a score on some fold is no answer.
    best = np.nanmax(mean)
    near = np.flatnonzero(mean >= best - tolerance - 1e-12)
    return int(near[np.argmin(sizes[near])])
