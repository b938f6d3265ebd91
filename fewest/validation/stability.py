"""How alike the subsets are that a selection gives on different training parts."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def _supports(supports: ArrayLike) -> NDArray[np.bool_]:
    z = np.asarray(supports, dtype=bool)
    if z.ndim != 2 or len(z) < 2:
        raise ValueError("`supports` must be a bool matrix of at least two subsets, a row each.")
    return z


def nogueira(supports: ArrayLike) -> float:
    """Stability corrected for chance; 1 is always the same subset, 0 what chance gives.

    Notes
    -----
    1 − mean over features of s_f² / (k̄/d · (1 − k̄/d)), with the unbiased variance s_f² of the
    selection of feature f and the mean size k̄ (Nogueira, Sechidis and Brown, 2018, eq. 4).

    Examples
    --------
    >>> nogueira([[1, 0, 0], [1, 0, 0]])
    1.0
    """
    z = _supports(supports)
    share = z.mean()
    if share in (0.0, 1.0):
        return 1.0
    return float(1 - z.var(axis=0, ddof=1).mean() / (share * (1 - share)))


def kuncheva(supports: ArrayLike) -> float:
    """Mean consistency index over pairs of subsets (Kuncheva, 2007).

    Notes
    -----
    (r − ab/d) / (min(a, b) − ab/d) for subsets of sizes a and b with r features in common; for
    equal sizes k this is Kuncheva's (r − k²/d) / (k − k²/d).
    """
    z = _supports(supports)
    d = z.shape[1]
    indices = []
    for s, t in combinations(z, 2):
        a, b, r = int(s.sum()), int(t.sum()), int((s & t).sum())
        expected = a * b / d
        most = min(a, b)
        indices.append(1.0 if most == expected else (r - expected) / (most - expected))
    return float(np.mean(indices))


def jaccard(supports: ArrayLike) -> float:
    """Mean over pairs of subsets of common features over all features of either."""
    z = _supports(supports)
    return float(np.mean([(s & t).sum() / max((s | t).sum(), 1) for s, t in combinations(z, 2)]))


def stabilities_of(supports: ArrayLike) -> dict[str, float]:
    """Return all measures of stability by name."""
    measures = {"nogueira": nogueira, "kuncheva": kuncheva, "jaccard": jaccard}
    return {name: measure(supports) for name, measure in measures.items()}
