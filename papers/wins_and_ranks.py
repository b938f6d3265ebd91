"""Methods against each other over many domains: means, wins and losses, ranks."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, wilcoxon

Floats = NDArray[np.float64]
#: From domain to the figures of each split, shape (splits, figures).
ByDomain = Mapping[str, Floats]

TEST_LEVEL = 0.05


def wins_and_losses(mine: ByDomain, theirs: ByDomain, signs: Floats) -> NDArray[np.int64]:
    """Count the domains on which each figure is better and worse, shape (figures, 2).

    Parameters
    ----------
    mine, theirs : the same splits of the same domains
    signs : 1 where more of a figure is better, -1 where less is

    Notes
    -----
    Wilcoxon's signed-rank test over the splits of a domain, p < 0.05.

    Examples
    --------
    >>> better = {"a": np.arange(50.0)[:, None], "b": np.ones((50, 1))}
    >>> worse = {"a": np.arange(50.0)[:, None] - 1, "b": np.ones((50, 1))}
    >>> wins_and_losses(better, worse, np.array([1.0])).tolist()
    [[1, 0]]
    """
    counts = np.zeros((len(signs), 2), dtype=np.int64)
    for domain, figures in mine.items():
        for k, gap in enumerate((signs * (figures - theirs[domain])).T):
            if _differs(gap):
                counts[k, 0 if gap.mean() > 0 else 1] += 1
    return counts


def mean_ranks(methods: list[ByDomain], signs: Floats) -> Floats:
    """Rank each method by each figure, averaged over the domains; 1 is best.

    Methods that are equal share the best of their ranks.

    Examples
    --------
    >>> first, second = {"a": np.array([[2.0], [2.0]])}, {"a": np.array([[1.0], [1.0]])}
    >>> mean_ranks([first, second, first], np.array([1.0])).tolist()
    [[1.0], [3.0], [1.0]]
    """
    ranks = []
    for domain in methods[0]:
        means = np.array([method[domain].mean(axis=0) for method in methods])
        ranks.append(rankdata(-signs * means, axis=0, method="min"))
    return np.asarray(np.mean(ranks, axis=0))


def _differs(gap: Floats) -> bool:
    if not gap.any() or len(gap) < 2:
        return False
    with warnings.catch_warnings():
        # Few or tied differences: the normal approximation is meant.
        warnings.simplefilter("ignore")
        return bool(wilcoxon(gap).pvalue < TEST_LEVEL)
