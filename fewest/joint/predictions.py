"""What each classifier predicts for rows that it was not trained on."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from ..data.rows import take_rows
from ..errors import InputError

Split = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predicted classes, one row per row of the data, one column per classifier.

    Parameters
    ----------
    names : tuple of str
        The classifiers.
    classes : array of shape (n_classes,)
    codes : int64 array of shape (rows, classifiers)
        Positions of the predicted classes in ``classes``.
    target : int64 array of shape (rows,)
        The true classes.
    left_out : mapping of name to reason
        Classifiers that could not be trained on these data.
    """

    names: tuple[str, ...]
    classes: NDArray[Any]
    codes: NDArray[np.int64]
    target: NDArray[np.int64]
    left_out: Mapping[str, str]

    @property
    def accuracy(self) -> NDArray[np.float64]:
        """The share of rows that each classifier gets right."""
        right = self.codes == self.target[:, None]
        return np.asarray(right.mean(axis=0), dtype=np.float64)


def held_out_splits(
    target: NDArray[np.int64], scheme: Any, rng: np.random.Generator
) -> list[Split]:
    """The splits of a scheme: ``"2:1"``, a number of folds, or a splitter."""
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
    if isinstance(scheme, int) and not isinstance(scheme, bool) and scheme >= 2:
        splitter = StratifiedKFold(scheme, shuffle=True, random_state=seed)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The least populated class")
            return list(splitter.split(blank, target))
    if hasattr(scheme, "split") and not isinstance(scheme, str):
        return list(scheme.split(blank, target))
    raise InputError(
        '`scheme` must be "2:1", a number of folds of at least 2, or a splitter, '
        f"but is {scheme!r}."
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
    classes, target = np.unique(np.asarray(y), return_inverse=True)
    splits = held_out_splits(target, scheme, rng or np.random.default_rng(0))
    work = joblib.delayed(_predict)
    done = joblib.Parallel(n_jobs=n_jobs)(
        work(model, X, np.asarray(y), splits, classes) for model in classifiers.values()
    )
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
