"""How alike classifiers predict, two at a time (Kuncheva and Whitaker, 2003)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
        right, 1 for classifiers that are right on the same rows, 0 for independent ones.
    """
    codes, right = predictions.codes, predictions.codes == predictions.target[:, None]
    n, k = codes.shape
    out = {name: np.eye(k) for name in ("agreement", "kappa", "q")}
    out |= {name: np.zeros((k, k)) for name in ("disagreement", "double-fault")}
    for i in range(k):
        out["double-fault"][i, i] = 1.0 - right[:, i].mean()
        for j in range(i):
            pair = _pair(codes[:, i], codes[:, j], right[:, i], right[:, j])
            for name, value in pair.items():
                out[name][i, j] = out[name][j, i] = value
    return out


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
    }
