"""Families of classifiers, found by how often they agree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform


def find_families(
    names: Sequence[str], agreement: NDArray[np.float64], *, threshold: float | None = None
) -> dict[str, list[str]]:
    """Cluster classifiers by agreement (average linkage).

    Parameters
    ----------
    names : the classifiers
    agreement : matrix of the shares of rows on which they agree
    threshold : float, optional
        Classifiers whose mean disagreement is at most this are one family; by default half of
        the mean disagreement of all pairs.

    Examples
    --------
    >>> agreement = np.array([[1.0, 0.95, 0.6], [0.95, 1.0, 0.6], [0.6, 0.6, 1.0]])
    >>> find_families(["a", "b", "c"], agreement)
    {'family 1': ['a', 'b'], 'family 2': ['c']}
    """
    apart = np.clip(1.0 - agreement, 0.0, 1.0)
    np.fill_diagonal(apart, 0.0)
    pairs = squareform(apart, checks=False)
    cut = float(pairs.mean()) / 2.0 if threshold is None else threshold
    labels = fcluster(linkage(pairs, "average"), cut, "distance")
    found: dict[int, list[str]] = {}
    for name, label in zip(names, labels, strict=True):
        found.setdefault(int(label), []).append(name)
    return {f"family {i}": members for i, members in enumerate(found.values(), 1)}
