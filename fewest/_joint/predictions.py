"""Predictions of each classifier for rows that it was not trained on."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from scipy.stats import binomtest
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from .._errors import InputError, brief
from .._workers import workers
from ..data._as_table import as_target
from ..data._rows import take_rows

Split = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predicted classes, one row per row of the data, one column per classifier.

    names: the classifiers.
    classes (n_classes,)
    codes (rows, classifiers): positions of the predicted classes in ``classes``.
    target (rows,): the true classes.
    left_out: mapping of name to reason; classifiers that could not be trained on these data.
    """

    names: tuple[str, ...]
    classes: NDArray[Any]
    codes: NDArray[np.int64]
    target: NDArray[np.int64]
    left_out: Mapping[str, str]

    @property
    def accuracy(self) -> NDArray[np.float64]:
        """Share of rows that each classifier gets right."""
        right = self.codes == self.target[:, None]
        return np.asarray(right.mean(axis=0), dtype=np.float64)


def held_out_splits(
    target: NDArray[np.int64], scheme: Any, rng: np.random.Generator
) -> list[Split]:
    """Return the splits of a scheme: ``"2:1"``, a number of folds, or a splitter."""
    seed = int(rng.integers(2**31 - 1))
    blank = np.zeros((len(target), 1))
    if scheme == "2:1":
        smallest = np.bincount(target)[np.unique(target)].min()
        if smallest >= 2:
            splitter: Any = StratifiedShuffleSplit(1, test_size=1 / 3, random_state=seed)
            return list(splitter.split(blank, target))
        order = rng.permutation(len(target))
        third = -(-len(target) // 3)
        return [(np.sort(order[third:]), np.sort(order[:third]))]
    whole = isinstance(scheme, int) and not isinstance(scheme, bool)
    if whole and 2 <= scheme <= np.bincount(target).max():
        splitter = StratifiedKFold(scheme, shuffle=True, random_state=seed)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The least populated class")
            return list(splitter.split(blank, target))
    if hasattr(scheme, "split") and not isinstance(scheme, str | bytes | bytearray):
        return list(scheme.split(blank, target))
    raise InputError(
        '`scheme` must be "2:1", a number of folds from 2 to the rows of the largest class, or '
        "a splitter, "
        f"but is {brief(scheme)}."
    )


def predict_held_out(
    classifiers: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    scheme: Any = "2:1",
    n_jobs: int | None = None,
    rng: np.random.Generator | None = None,
) -> Predictions:
    """Train each classifier on every training part, and predict the part left out.

    A classifier that cannot be trained (because of unknown values, for example) is left out,
    with its reason.
    """
    if len(classifiers) < 2:
        raise InputError(
            f"`classifiers` must hold at least 2 classifiers, but holds {len(classifiers)}."
        )
    if not hasattr(X, "__len__") or isinstance(X, str):
        raise InputError(f"`X` must be a table with one row per value of y, but is {brief(X)}.")
    target, classes, y = as_target(
        y, X.shape[0] if hasattr(X, "shape") else len(X), "classification"
    )
    classes = np.asarray(classes)
    splits = held_out_splits(target, scheme, rng or np.random.default_rng(0))
    work = joblib.delayed(_predict)
    done = workers(n_jobs)(work(model, X, y, splits, classes) for model in classifiers.values())
    pairs = list(zip(classifiers, done, strict=True))
    left_out = {name: found for name, found in pairs if isinstance(found, str)}
    columns = [found for _, found in pairs if not isinstance(found, str)]
    names = tuple(name for name, found in pairs if not isinstance(found, str))
    if len(names) < 2:
        reasons = "; ".join(f"{name}: {why}" for name, why in left_out.items())
        raise InputError(f"Fewer than 2 classifiers could be trained: {reasons}")
    tested = np.concatenate([test for _, test in splits])
    return Predictions(names, classes, np.column_stack(columns), target[tested], left_out)


def _predict(
    model: Any, X: Any, y: NDArray[Any], splits: list[Split], classes: NDArray[Any]
) -> NDArray[np.int64] | str:
    parts = []
    for train, test in splits:
        try:
            fitted = clone(model).fit(take_rows(X, train), y[train])
            found = fitted.predict(take_rows(X, test))
        except (ValueError, TypeError) as problem:
            return str(problem).strip().splitlines()[0]
        parts.append(np.searchsorted(classes, found).astype(np.int64))
    return np.concatenate(parts)


Floats = NDArray[np.float64]


def agreement_matrices(predictions: Predictions) -> dict[str, Floats]:
    """Return matrices over pairs of classifiers.

    Returns dict: ``"agreement"``: share of rows with the same prediction; ``"kappa"``: Cohen's
        kappa, agreement beyond chance; ``"disagreement"``: share of rows that only one of the two
        gets right; ``"double-fault"``: share of rows that both get wrong; ``"q"``: Yule's Q of
        being right, 1 for classifiers that are right on the same rows, 0 for independent ones;
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

    names: the classifiers.
    agreement: matrix of the shares of rows on which they agree.
    threshold: classifiers whose mean disagreement is at most this are one family; by default half
        of the mean disagreement of all pairs.
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
