"""Tests and intervals for scores on splits that share rows: one formula for all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import fdtrc, fdtri, ndtri, stdtr, stdtrit

Split = tuple[NDArray[np.intp], NDArray[np.intp]]

#: Repetitions and folds of a scheme such as ``"5x2cv"``.
SHAPE = re.compile(r"^(\d+)x(\d+)cv$")


@dataclass(frozen=True)
class Overlap:
    """Overlap of the splits, which a test must know.

    Parameters
    ----------
    share : float
        Test rows over training rows, the mean over the splits; 0 where no two splits have a row
        in common, so that their scores are independent.
    halves : bool
        Whether the splits are five repetitions of two halves that change places, which is what
        the 5×2cv F test asks for.

    Notes
    -----
    Scores on J splits that reuse rows are correlated. Nadeau and Bengio (2003, section 3)
    estimate the correlation as test rows / all rows of a split, so that the variance of the mean
    is σ² (1/J + test rows / training rows).
    """

    share: float
    halves: bool = False

    @staticmethod
    def of(splits: Sequence[Split]) -> Overlap:
        """Return the overlap of actual splits.

        >>> import numpy as np
        >>> a, b = np.arange(4), np.arange(4, 8)
        >>> Overlap.of([(a, b), (b, a)] * 5)
        Overlap(share=1.0, halves=True)
        """
        if not _any_row_in_common(splits):
            return Overlap(0.0)
        return Overlap(
            float(np.mean([len(test) / len(train) for train, test in splits])), _are_halves(splits)
        )

    @staticmethod
    def named(scheme: str, folds: int) -> Overlap:
        """Return the overlap of a scheme by its name, for saved results that do not hold it.

        >>> Overlap.named("5x2cv", 10), Overlap.named("1x5cv", 5)
        (Overlap(share=1.0, halves=True), Overlap(share=0.25, halves=False))
        """
        shape = SHAPE.match(scheme)
        parts = int(shape[2]) if shape else max(folds, 2)
        return Overlap(1 / (parts - 1), scheme == "5x2cv")

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return asdict(self)


def _any_row_in_common(splits: Sequence[Split]) -> bool:
    used = np.concatenate([np.unique(np.concatenate(split)) for split in splits])
    return len(np.unique(used)) < len(used)


def _are_halves(splits: Sequence[Split]) -> bool:
    if len(splits) != 10:
        return False
    pairs = zip(splits[::2], splits[1::2], strict=True)
    return all(_same(a[0], b[1]) and _same(a[1], b[0]) for a, b in pairs)


def _same(a: NDArray[np.intp], b: NDArray[np.intp]) -> bool:
    return np.array_equal(np.sort(a), np.sort(b))


#: Below this p value a difference is significant; intervals hold the rest.
LEVEL = 0.05
#: More rows than so many times those there are, no advice is given about.
MOST_TIMES = 100.0
#: The default margin for scores between 0 and 1: one percentage point.
POINT = 0.01


def standard_error(scores: ArrayLike, overlap: Overlap) -> float:
    """Return the standard error of the mean of scores on overlapping splits.

    Notes
    -----
    √(s² (1/J + share)) for the variance s² of J scores (Nadeau and Bengio, 2003). Every test and
    interval of fewest uses this error, apart from the 5×2cv F test.

    Examples
    --------
    >>> round(standard_error([0.8, 0.9, 0.8, 0.9], Overlap(0.25)), 4)
    0.0408
    """
    values = np.asarray(scores, dtype=float)
    return float(np.sqrt(values.var(ddof=1) * (1 / len(values) + overlap.share)))


def share_error(score: float, rows: int, metric: str | None) -> float:
    """Return the standard error of an accuracy as a share of independent rows; else 0.

    >>> share_error(0.5, 100, "accuracy"), share_error(0.5, 100, "roc_auc")
    (0.05, 0.0)
    """
    return float(np.sqrt(score * (1.0 - score) / rows)) if metric == "accuracy" else 0.0


#: Random halves of the rows behind the worth of guessing.
HALVES = 1000


def worth_of_guessing(classes: NDArray[np.intp], groups: ArrayLike | None = None) -> float:
    """Return an estimate of how often the guess of the most frequent class is right on new rows.

    The class is guessed from a random half of the rows, or of the groups, and judged on the other
    half: the mean over many halves. The share of the most frequent class is too high, because
    which class is guessed depends on the same rows, and so are stratified folds, in which test
    rows have the class frequencies of the training rows. It is never below an equal share of the
    classes.

    Examples
    --------
    >>> worth_of_guessing(np.array([0] * 52 + [1] * 48))
    0.5
    """
    rng, kinds = np.random.default_rng(0), int(classes.max()) + 1
    counts = np.bincount(classes, minlength=kinds)
    if groups is None:
        half = len(classes) // 2
        seen = rng.multivariate_hypergeometric(counts, half, HALVES, method="marginals")
    else:
        _, unit = np.unique(np.asarray(groups), return_inverse=True)
        units = np.zeros((unit.max() + 1, kinds), dtype=np.int64)
        np.add.at(units, (unit, classes), 1)
        orders = (rng.permutation(len(units)) for _ in range(HALVES))
        seen = np.array([units[order[: len(units) // 2]].sum(axis=0) for order in orders])
    other = counts - seen
    right = np.take_along_axis(other, seen.argmax(axis=1)[:, None], axis=1)[:, 0]
    worth = float((right / other.sum(axis=1)).mean())
    return max(worth, 1.0 / int(np.count_nonzero(counts)))


def interval(
    scores: ArrayLike,
    overlap: Overlap,
    freedom: int | None = None,
    least: float = 0.0,
) -> tuple[float, float]:
    """Return the 95 % interval of the mean of scores on overlapping splits.

    The degrees of freedom are one less than there are scores, unless there are fewer; ``least``
    is the least standard error.

    Examples
    --------
    >>> low, high = interval([0.8, 0.9, 0.8, 0.9], Overlap(0.25))
    >>> round(low, 3), round(high, 3)
    (0.72, 0.98)
    """
    values = np.asarray(scores, dtype=float)
    freedom = len(values) - 1 if freedom is None else min(freedom, len(values) - 1)
    half = float(stdtrit(freedom, 1 - LEVEL / 2) * max(standard_error(values, overlap), least))
    return float(values.mean()) - half, float(values.mean()) + half


def corrected_t_test(a: ArrayLike, b: ArrayLike, overlap: Overlap) -> float:
    """Two-sided p value of the corrected resampled t test that two methods are equally good.

    Examples
    --------
    >>> round(corrected_t_test([0.9, 0.8, 0.9], [0.8, 0.8, 0.7], Overlap(0.0)), 4)
    0.2254
    """
    difference = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    mean = float(difference.mean())
    error = standard_error(difference, overlap)
    if error == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * stdtr(len(difference) - 1, -abs(mean) / error))


def f_test_5x2cv(a: ArrayLike, b: ArrayLike) -> float:
    """p value of the combined 5×2cv F test (Alpaydin, 1999) that two methods are equally good.

    Parameters
    ----------
    a, b : ten scores each, the two folds of the first repetition first

    Notes
    -----
    f = Σᵢ Σⱼ pᵢⱼ² / (2 Σᵢ sᵢ²) with the differences pᵢⱼ and their variances sᵢ² in repetition
    i; F distributed with 10 and 5 degrees of freedom.

    Examples
    --------
    >>> f_test_5x2cv([0.9] * 10, [0.9] * 10)
    1.0
    """
    p = (np.asarray(a, dtype=float) - np.asarray(b, dtype=float)).reshape(5, 2)
    squares = float((p**2).sum())
    variances = float(((p - p.mean(axis=1, keepdims=True)) ** 2).sum())
    if squares == 0:
        return 1.0
    if variances == 0:
        return 0.0
    return float(fdtrc(10, 5, squares / (2 * variances)))


def difference_test(a: ArrayLike, b: ArrayLike, overlap: Overlap) -> tuple[float, str]:
    """p value and name of the test that fits the splits."""
    if overlap.halves:
        return f_test_5x2cv(a, b), "5×2cv F test"
    return corrected_t_test(a, b, overlap), "corrected paired t test"


@dataclass(frozen=True)
class Difference:
    """Difference between two methods on the same splits, and what may be said of it.

    Attributes
    ----------
    mean, low, high : float
        The mean difference and its 95 % interval.
    p_value, test : float, str
        Of the two-sided test that there is no difference.
    margin, p_not_worse : float
        Of the one-sided test that the first method is worse by the margin or more.
    verdict : "equivalent", "better", "worse", "not worse", "equal" or "undecided"
        "equivalent" where a difference of the margin or more can be excluded in both directions;
        "better" and "worse" where the test is significant and the interval agrees; "not worse"
        where a loss of the margin or more can be excluded; "equal" where every score is equal.
    more_rows : int or None
        About how many more rows would decide, if undecided and the difference stays the same.
    """

    mean: float
    low: float
    high: float
    p_value: float
    test: str
    margin: float
    p_not_worse: float
    verdict: str
    more_rows: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return asdict(self)


def difference(
    a: ArrayLike,
    b: ArrayLike,
    overlap: Overlap,
    margin: float = POINT,
    rows: int | None = None,
) -> Difference:
    """Test whether ``a`` is better or worse than ``b``, and whether it is not much worse.

    Interval and one-sided tests belong to the test that fits the splits: what the interval holds
    is what the test does not exclude. ``rows`` is how many rows there are.

    Examples
    --------
    >>> found = difference([0.9, 0.8, 0.9], [0.8, 0.8, 0.7], Overlap(0.0))
    >>> found.verdict, round(found.mean, 2)
    ('undecided', 0.1)
    """
    gaps = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    mean = float(gaps.mean())
    low, high = (_f_interval(gaps) if overlap.halves else None) or interval(gaps, overlap)
    p_value, test = difference_test(a, b, overlap)
    p_not_worse = _p_not_worse(gaps, overlap, margin)
    inside = max(p_not_worse, _p_not_worse(-gaps, overlap, margin)) < LEVEL
    verdict = "equivalent" if inside else _verdict(p_value, low, high, p_not_worse)
    verdict = verdict if gaps.any() else "equal"
    more = _more_rows(mean, (high - low) / 2, margin, rows) if verdict == "undecided" else None
    return Difference(mean, low, high, p_value, test, margin, p_not_worse, verdict, more)


def _more_rows(mean: float, half: float, margin: float, rows: int | None) -> int | None:
    """Return how many more rows make the interval decide; it shortens by their root.

    Either 0 leaves the interval, or a loss of the margin the one-sided one. More than a hundred
    times as many rows are no advice.
    """
    if rows is None:
        return None
    one_sided = ndtri(1 - LEVEL) / ndtri(1 - LEVEL / 2)
    enough = max(abs(mean), (mean + margin) / one_sided)
    times = (half / enough) ** 2 if enough > 0 else np.inf
    if not 1.0 < times <= MOST_TIMES:
        return None
    exact = rows * (times - 1.0)
    digit = 10.0 ** max(0, int(np.floor(np.log10(max(exact, 1.0)))) - 1)
    return int(np.ceil(exact / digit) * digit)


def is_steady(a: ArrayLike, b: ArrayLike, overlap: Overlap, margin: float, folds: int) -> bool:
    """Return whether the verdict is the same without any one repetition of the folds."""
    first, second = (np.asarray(v, dtype=float).reshape(-1, folds) for v in (a, b))
    verdict = difference(first.ravel(), second.ravel(), overlap, margin).verdict
    return all(
        difference(
            np.delete(first, r, axis=0).ravel(), np.delete(second, r, axis=0).ravel(), overlap,
            margin,
        ).verdict == verdict
        for r in range(len(first))
    )  # fmt: skip


def _f_interval(gaps: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the differences that the 5×2cv F test does not exclude; None if there is none."""
    pairs = gaps.reshape(5, 2)
    within = float(((pairs - pairs.mean(axis=1, keepdims=True)) ** 2).sum())
    mean = float(gaps.mean())
    room = 2 * float(fdtri(10, 5, 1 - LEVEL)) * within - float(((gaps - mean) ** 2).sum())
    if room < 0:
        return None
    half = float(np.sqrt(room / gaps.size))
    return mean - half, mean + half


def _p_not_worse(gaps: NDArray[np.float64], overlap: Overlap, margin: float) -> float:
    """One-sided p value that the mean difference is a loss of the margin or more."""
    mean = float(gaps.mean())
    if mean <= -margin or (overlap.halves and _f_interval(gaps) is None):
        return 1.0
    p, _ = difference_test(gaps + margin, np.zeros_like(gaps), overlap)
    # The F test has no side: its whole p value is the safe one.
    return p if overlap.halves else p / 2


def _verdict(p_value: float, low: float, high: float, p_not_worse: float) -> str:
    if p_value < LEVEL and low > 0:
        return "better"
    if p_value < LEVEL and high < 0:
        return "worse"
    return "not worse" if p_not_worse < LEVEL else "undecided"
