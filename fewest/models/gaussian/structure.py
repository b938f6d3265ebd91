"""Structures of Gaussian networks: by Algorithm B, and by tests of single edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ..networks.graph import Graph
from .base import LEAST_VARIANCE, Floats, as_numbers
from .scores import GaussianScore

#: Gains smaller than this are rounding.
LEAST_GAIN = 1e-9


def learn_gaussian_b(score: GaussianScore, max_parents: int | None = None) -> Graph:
    """The graph that Algorithm B finds from the empty one.

    Notes
    -----
    Buntine (1991); Larrañaga et al. (1999). After an arc only the gains of its child change.
    Equal gains are decided for the smaller child, then the smaller parent.

    Examples
    --------
    >>> a, b = np.random.default_rng(0).normal(size=(2, 100))
    >>> learn_gaussian_b(GaussianScore.of(np.column_stack([a, b, a + b]))).arcs
    [(2, 0), (1, 0), (2, 1)]
    """
    d = len(score.matrix)
    most = d - 1 if max_parents is None else max_parents
    parents: list[list[int]] = [[] for _ in range(d)]
    reaches = np.eye(d, dtype=bool)
    gains = np.array([_gains(score, child, []) for child in range(d)]).reshape(d, d)
    while d:
        child, parent = np.unravel_index(_first_largest(gains), gains.shape)
        if not gains[child, parent] > LEAST_GAIN:
            break
        gains[child, parent] = -np.inf
        if reaches[child, parent]:  # the arc would close a cycle, now and for ever
            continue
        parents[child].append(int(parent))
        reaches |= reaches[:, [parent]] & reaches[[child], :]
        struck = np.isneginf(gains[child])
        full = len(parents[child]) >= most
        gains[child] = -np.inf if full else _gains(score, int(child), parents[child])
        gains[child, struck] = -np.inf
    return Graph(tuple(tuple(p) for p in parents))


def _gains(score: GaussianScore, child: int, parents: list[int]) -> Floats:
    """How much each further parent adds to the score of a child."""
    rest, log_determinant = score.given(parents)
    p, own = len(parents), rest[child, child]
    other = np.maximum(np.diag(rest), LEAST_VARIANCE)
    with_it = score.value(p + 1, own - rest[child] ** 2 / other, log_determinant + np.log(other))
    gains: Floats = with_it - score.value(p, own, log_determinant)
    gains[[child, *parents]] = -np.inf
    # A variable that the parents determine says nothing new.
    gains[other <= 1e-12 * np.diag(score.matrix)] = -np.inf
    return gains


def _first_largest(gains: NDArray[np.float64]) -> int:
    """The first of the gains that differ from the largest by rounding only."""
    return int(np.flatnonzero(gains.ravel() >= gains.max() - LEAST_GAIN)[0])


def exclusion_p_values(rows: Floats) -> Floats:
    """The p value of every edge: of no partial correlation between two variables.

    Notes
    -----
    The likelihood ratio statistic -N log(1 - r²) of the partial correlation r given all other
    variables, against a chi-squared distribution with one degree of freedom (Smith and
    Whittaker, 1998; Inza, 2002, section 3.4.3.1).

    Examples
    --------
    >>> a, b = np.random.default_rng(0).normal(size=(2, 200))
    >>> exclusion_p_values(np.column_stack([a, a + b]))[0, 1] < 1e-9
    np.True_
    """
    given = as_numbers(rows)
    precision = np.linalg.pinv(np.atleast_2d(np.cov(given, rowvar=False)))
    size = np.sqrt(np.maximum(np.diag(precision), 0.0))
    outer = np.outer(size, size)
    partial = np.divide(-precision, outer, out=np.zeros_like(precision), where=outer > 0)
    left = np.clip(1 - partial**2, 1e-300, 1.0)
    np.fill_diagonal(left, 1.0)
    p: Floats = stats.chi2.sf(-len(given) * np.log(left), 1)
    return p


def learn_by_exclusion(rows: Floats, significance: float = 0.05) -> Graph:
    """The graph of the edges that cannot be excluded, each from the earlier to the later variable.

    >>> a, b = np.random.default_rng(0).normal(size=(2, 200))
    >>> learn_by_exclusion(np.column_stack([a, a + b, b * 0 + 1])).arcs
    [(0, 1)]
    """
    p = exclusion_p_values(rows)
    kept = np.triu(p < significance, 1)
    return Graph(tuple(tuple(np.flatnonzero(kept[:, child]).tolist()) for child in range(len(p))))
