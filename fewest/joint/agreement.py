"""How alike classifiers predict, two at a time, and the families that follow from it.

Kuncheva and Whitaker (2003).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from scipy.stats import binomtest

from .predictions import Predictions

Floats = NDArray[np.float64]


def agreement_matrices(predictions: Predictions) -> dict[str, Floats]:
    """Matrices over pairs of classifiers.

    Returns
    -------
    dict
        ``"agreement"``: share of rows with the same prediction; ``"kappa"``: Cohen's kappa,
        agreement beyond chance; ``"disagreement"``: share of rows that only one of the two gets
        right; ``"double-fault"``: share of rows that both get wrong; ``"q"``: Yule's Q of being
        right, 1 for classifiers that are right on the same rows, 0 for independent ones;
        ``"mcnemar"``: the p value of the exact test of McNemar that both are right as often,
        corrected for the number of pairs (Holm).
    """
    codes, right = predictions.codes, predictions.codes == predictions.target[:, None]
    n, k = codes.shape
    out = {name: np.eye(k) for name in ("agreement", "kappa", "q", "mcnemar")}
    out |= {name: np.zeros((k, k)) for name in ("disagreement", "double-fault")}
    for i in range(k):
        out["double-fault"][i, i] = 1.0 - right[:, i].mean()
        for j in range(i):
            pair = _pair(codes[:, i], codes[:, j], right[:, i], right[:, j])
            for name, value in pair.items():
                out[name][i, j] = out[name][j, i] = value
    pairs = np.tril_indices(k, -1)
    out["mcnemar"][pairs] = out["mcnemar"].T[pairs] = holm(out["mcnemar"][pairs])
    return out


def holm(p: Floats) -> Floats:
    """Return p values corrected for their number (Holm, 1979).

    >>> holm(np.array([0.01, 0.5, 0.02]))
    array([0.03, 0.5 , 0.04])
    """
    order = np.argsort(p, kind="stable")
    larger = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(larger, 1.0)
    return corrected


def _pair(
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    right_a: NDArray[np.bool_],
    right_b: NDArray[np.bool_],
) -> dict[str, float]:
    same = float((a == b).mean())
    top = int(max(a.max(), b.max())) + 1
    chance = float(np.bincount(a, minlength=top) @ np.bincount(b, minlength=top)) / len(a) ** 2
    both, neither = (right_a & right_b).sum(), (~right_a & ~right_b).sum()
    only_a, only_b = (right_a & ~right_b).sum(), (~right_a & right_b).sum()
    up, down = float(both * neither), float(only_a * only_b)
    return {
        "agreement": same,
        "kappa": (same - chance) / (1.0 - chance) if chance < 1.0 else 1.0,
        "disagreement": float((only_a + only_b) / len(a)),
        "double-fault": float(neither / len(a)),
        # Without a row on either diagonal the odds say nothing.
        "q": (up - down) / (up + down) if up + down > 0.0 else 0.0,
        "mcnemar": _mcnemar(int(only_a), int(only_b)),
    }


def _mcnemar(only_a: int, only_b: int) -> float:
    """Return the two-sided p value of the exact test."""
    if only_a == only_b:
        return 1.0
    return float(binomtest(only_a, only_a + only_b).pvalue)


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
