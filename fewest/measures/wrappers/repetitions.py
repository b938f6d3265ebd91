"""Further repetitions of a cross-validation for the candidates whose mean is not precise yet."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Another repetition is added while the standard error of the mean is above this share of a unit.
STANDARD_ERROR = 0.01


def mean_over_repetitions(
    first: Floats,
    repetitions: int,
    again: Callable[[int, NDArray[np.intp]], Floats],
    unit: float = 1.0,
) -> Floats:
    """Return the mean of all fold values, with as many repetitions as each candidate needs.

    Parameters
    ----------
    first : float64 array of shape (candidates, folds)
    repetitions : int
        The most repetitions, the first included.
    again : function
        ``again(repetition, rows)`` gives the fold values of some candidates in a repetition.
    unit : float
        What the score is measured in: 1 for shares such as accuracy, the loss without any feature
        for losses, which have the units of the target.

    Examples
    --------
    >>> first = np.array([[0.5, 0.5], [0.0, 1.0]])
    >>> mean_over_repetitions(first, 2, lambda repetition, rows: np.ones((len(rows), 2)))
    array([0.5 , 0.75])
    """
    total, squares = first.sum(axis=1), (first**2).sum(axis=1)
    count = np.full(len(first), float(first.shape[1]))
    for repetition in range(1, repetitions):
        error = _standard_error(total, squares, count)
        more = np.flatnonzero(error > STANDARD_ERROR * unit)
        if not len(more):
            break
        folds = again(repetition, more)
        total[more] += folds.sum(axis=1)
        squares[more] += (folds**2).sum(axis=1)
        count[more] += folds.shape[1]
    mean: Floats = total / count
    return mean


def _standard_error(total: Floats, squares: Floats, count: Floats) -> Floats:
    spread = np.maximum(squares - total**2 / count, 0.0)
    error: Floats = np.sqrt(spread / np.maximum(count - 1.0, 1.0) / count)
    return error
