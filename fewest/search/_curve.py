"""The curve of score against size, judged on rows that the rankings have not seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

Floats = NDArray[np.float64]

#: The level of the test of the curve that there is anything to select, for all sizes together; with
#: that of the probes it makes 0.05.
LEVEL = 0.01
#: No feature is the answer only where it is enough in this share of the resamplings.
ABSENT = 0.95
#: The folds are cut into halves so often for the honest score.
HALVES = 30
#: The folds are resampled so often; an odd number, so that the median of the choices is one.
RESAMPLINGS = 201


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
    everything : float64 array of shape (folds,) or None
        The scores of all allowed features, also where so many may not be chosen.
    related : bool
        Whether features are related to the target by a test of their own. If not, and if the
        best point is not significantly better than no feature, the answer is no feature.
    related_without : list of bool
        The same on the training rows of each fold; by default as on all rows.
    supports : list of lists of int
        The features that the whole procedure chooses without each fold: those of its ranking, and
        as many as the other folds ask for.
    wanted : int or None
        The size that was asked for; it is chosen whatever the scores are.

    Examples
    --------
    >>> curve = Curve(np.array([1, 2, 4]), np.array([[0.5, 0.6], [0.8, 0.9], [0.8, 0.92]]), 0.02)
    >>> curve.size, curve.mean.round(2).tolist()
    (2, [0.55, 0.85, 0.86])
    """

    sizes: NDArray[np.int64]
    folds: Floats
    tolerance: float
    everything: Floats | None = None
    related: bool = True
    supports: list[list[int]] = field(default_factory=list)
    wanted: int | None = None
    related_without: list[bool] = field(default_factory=list)

    @property
    def mean(self) -> Floats:
        """Return the mean score of each point."""
        return np.asarray(self.folds.mean(axis=1))

    @property
    def chosen(self) -> int:
        """Return the position of the size that is enough."""
        return self._choice(self.folds, self.related)

    @property
    def size(self) -> int:
        """Return the median of the smallest sizes that are enough in resamplings of the folds."""
        return int(self.sizes[self.chosen])

    @property
    def without_fold(self) -> list[int]:
        """Return the position that is chosen without each fold."""
        count = self.folds.shape[1]
        if count < 2:
            return [self.chosen] * count
        related = self.related_without or [self.related] * count
        others = [np.delete(self.folds, fold, axis=1) for fold in range(count)]
        return [self._choice(*part) for part in zip(others, related, strict=True)]

    @property
    def honest(self) -> Floats:
        """Return an honest score per fold: the size is chosen by other folds.

        Neither the ranking nor the choice of the size has seen the rows of the fold, so that the
        mean estimates what the whole procedure is worth on new rows.
        """
        return self.judged(np.zeros(len(self.sizes)))

    def judged(self, excess: Floats) -> Floats:
        """Return the honest scores where each point is known to be too high by some excess.

        Random halves of the folds choose the size, and the others judge it. Folds share rows in
        training, so that all other folds choose nearly what all folds do, which flatters the score;
        halves differ more from each other, and their mean is steadier.
        """
        count, points = self.folds.shape[1], self.folds - excess[:, None]
        if count < 2:
            return np.asarray(points[self.chosen])
        related = np.array(self.related_without or [self.related] * count)
        rng, total, times = np.random.default_rng(0), np.zeros(count), np.zeros(count)
        for order in (rng.permutation(count) for _ in range(HALVES)):
            for part in (order, order[::-1]):
                choose, judge = np.split(part, [(count + 1) // 2])
                for known in np.unique(related[judge]):
                    own = judge[related[judge] == known]
                    total[own] += points[self._choice(self.folds[:, choose], bool(known)), own]
                times[judge] += 1
        return np.asarray(total / times)

    def _choice(self, folds: Floats, related: bool) -> int:
        """Return the median, over resamplings of the folds, of the smallest size that is enough.

        The best of many points is so by luck in part, and which one it is hangs on a few folds.
        To keep nothing where there is something costs most, so this needs the strongest evidence.
        """
        if self.wanted is not None:
            return int(np.flatnonzero(self.sizes == self.wanted)[0])
        guess = int(self.sizes[0] == 0 and len(self.sizes) > 1)
        if guess and not related:
            best = folds[folds.mean(axis=1).argmax()]
            if not _clearly_better(best - folds[0], LEVEL / (len(self.sizes) - 1)):
                return 0
        enough = self._enough(folds)
        if guess and enough[0].mean() < ABSENT:
            return 1 + int(np.median(self._enough(folds[1:]).argmax(axis=0)))
        return int(np.median(enough.argmax(axis=0)))

    def _enough(self, folds: Floats) -> NDArray[np.bool_]:
        """Return which points are within the tolerance of the best, in every resampling."""
        scores = folds @ resampled(folds.shape[1]).T
        return np.asarray(scores >= scores.max(axis=0) - self.tolerance - 1e-12)

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
            "everything": None if self.everything is None else self.everything.tolist(),
            "related": self.related,
            "related_without": self.related_without,
            "supports": self.supports,
            "wanted": self.wanted,
        }

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Curve:
        """Return the curve that :meth:`to_dict` described."""
        everything = plain.get("everything")
        return cls(
            np.array(plain["sizes"], dtype=np.int64),
            np.array(plain["folds"], dtype=np.float64),
            float(plain["tolerance"]),
            None if everything is None else np.array(everything, dtype=np.float64),
            bool(plain.get("related", True)),
            plain.get("supports") or [],
            plain.get("wanted"),
            plain.get("related_without") or [],
        )


def resampled(folds: int) -> Floats:
    """Return the weights of the folds in each resampling, one row each.

    The Bayesian bootstrap (Rubin, 1981): weights that are uniform over all that sum to 1.

    >>> resampled(4).sum(axis=1).round(9).tolist() == [1.0] * RESAMPLINGS
    True
    """
    return np.random.default_rng(0).dirichlet(np.ones(folds), RESAMPLINGS)


def _clearly_better(gaps: Floats, level: float) -> bool:
    """Return whether a point is significantly better than no feature.

    The one-sided paired t test with the correction for overlapping training parts (Nadeau and
    Bengio, 2003).
    """
    count = len(gaps)
    if count < 2 or gaps.mean() <= 0:
        return False
    error = np.sqrt((1.0 / count + 1.0 / (count - 1)) * gaps.var(ddof=1))
    return bool(error == 0 or stdtr(count - 1, -gaps.mean() / error) < level)
