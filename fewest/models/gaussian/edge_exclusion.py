"""Structures by tests of single edges: which partial correlations are not zero."""

from __future__ import annotations

import numpy as np
from scipy import stats

from ..networks.graph import Graph
from .base import Floats, as_numbers


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
