"""Folds of a cross-validation: made once, shared by all subsets, repeated while that helps."""

from __future__ import annotations

import copy
import numbers
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    check_cv,
)

from ..._errors import FewRowsWarning, InputError, brief
from ...data._table import Table, checked_weights

Split = tuple[NDArray[np.intp], NDArray[np.intp]]
#: Training and test rows of each fold.
Splits = Sequence[Split]
Floats = NDArray[np.float64]


class Folds(Sequence[Split]):
    """A sequence of (training rows, test rows) that keeps the test rows.

    Training rows that are all other rows, in their order, are made when they are asked for: ten
    folds of a million rows would take 80 MB, and their test rows take 4.

    Examples
    --------
    >>> folds = Folds([(np.array([1, 2]), np.array([0])), (np.array([0]), np.array([1, 2]))], 3)
    >>> [train.tolist() for train, _ in folds]
    [[1, 2], [0]]
    """

    def __init__(self, splits: Iterable[tuple[Any, Any]], n_rows: int) -> None:
        self.n_rows = n_rows
        short = np.int32 if n_rows < 2**31 else np.int64
        self._kept: list[tuple[NDArray[Any] | None, NDArray[Any]]] = []
        for train, test in splits:
            plain = np.array_equal(train, self._others(test))
            self._kept.append((None if plain else train.astype(short), test.astype(short)))

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, fold: Any) -> Any:
        train, test = self._kept[fold]
        rows = self._others(test) if train is None else train.astype(np.intp)
        return rows, test.astype(np.intp)

    def __iter__(self) -> Iterator[Split]:
        return (self[fold] for fold in range(len(self)))

    def _others(self, rows: NDArray[Any]) -> NDArray[np.intp]:
        rest = np.ones(self.n_rows, dtype=bool)
        rest[rows] = False
        return np.flatnonzero(rest)


def pooled_r2(scores: Floats, scoring: Any, table: Table, splits: Iterable[Split]) -> Floats:
    """Return R² of each part in units of the variance of all rows; other scores as they are.

    The variance of a few rows about their own mean is too small, and R² too low. So the mean over
    the parts (the last axis) becomes the R² of all predictions at once.
    """
    if scoring not in (None, "r2") or table.classes is not None or table.n_targets > 1:
        return scores
    weight = checked_weights(table.metadata.get("sample_weight"), table.n_rows)
    tests = [test for _, test in splits]
    whole = _variance(table.target, weight)
    own = np.array([_variance(table.target[test], weight[test]) for test in tests])
    sizes = np.array([weight[test].sum() for test in tests])
    share = own / whole * sizes / sizes.mean() if whole > 0 else np.ones(len(tests))
    return np.asarray(1 - (1 - scores) * share)


def _variance(values: Floats, weight: Floats) -> float:
    mean = np.average(values, weights=weight)
    return float(np.average((values - mean) ** 2, weights=weight))


def fold_of_rows(n: int, splits: Splits) -> NDArray[np.int64] | None:
    """The fold that tests each row (a number beyond the last for none); None if they overlap.

    Every fold must be trained on all rows that it does not test.

    >>> fold_of_rows(3, [(np.array([1, 2]), np.array([0])), (np.array([0]), np.array([1, 2]))])
    array([0, 1, 1])
    """
    fold = np.full(n, len(splits), dtype=np.int64)
    for number, (train, test) in enumerate(splits):
        used = np.zeros(n, dtype=bool)
        used[test] = True
        once = used.sum() == len(test) and not used[train].any()
        used[train] = True
        if not once or not used.all() or len(train) + len(test) != n:
            return None
        if (fold[test] < len(splits)).any():
            return None
        fold[test] = number
    return fold


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


__all__ = ["Split", "Splits", "given_splits", "past_splits", "pooled_r2", "repeated_splits"]

#: The scheme of Inza et al. (2000, section 4): ten folds, up to five shuffles.
FOLDS, REPETITIONS = 10, 5
#: The number of folds where every one of them is a training, without repetitions.
TRAINED_FOLDS = 5


class Repetitions(Sequence[Splits]):
    """The folds of each repetition, made when they are first asked for.

    Large tables need the first one only.
    """

    def __init__(self, table: Table, folds: int, seeds: list[int]) -> None:
        self.table, self.folds, self.seeds = table, folds, seeds
        self._made: list[Any] = [None] * len(seeds)

    def __len__(self) -> int:
        return len(self.seeds)

    def __getitem__(self, repetition: Any) -> Any:
        if self._made[repetition] is None:
            seed = self.seeds[repetition]
            self._made[repetition] = _shuffled(self.table, self.folds, seed)
        return self._made[repetition]


def repeated_splits(table: Table, rng: np.random.Generator, trained: bool = False) -> Repetitions:
    """Return the folds of every repetition that ``cv="auto"`` may need.

    ``trained`` says that every fold of every candidate is a training.
    """
    most, repetitions = (TRAINED_FOLDS, 1) if trained else (FOLDS, REPETITIONS)
    if "time" in table.metadata:
        # There is one order of time, and the first windows are small: fewer folds, once.
        return Repetitions(table, TRAINED_FOLDS, [0])
    folds = _folds_of_seeds(table, table.metadata.get("groups"), most)
    return Repetitions(table, folds, rng.integers(2**31, size=repetitions).tolist())


def given_splits(table: Table, cv: Any, rng: np.random.Generator, classifier: bool) -> Splits:
    """The folds of an int, a scikit-learn splitter, or an iterable of row indices."""
    y = table.target
    if "time" in table.metadata:
        return _parts(past_splits(table, cv), table.n_rows)
    try:
        splitter = _seeded(check_cv(cv, y, classifier=classifier), rng)
    except Exception:  # what an object of somebody else raises when it is listed
        raise InputError(
            '`cv` must be "auto", a number of folds from 2 on, a scikit-learn splitter or an '
            f"iterable of (training rows, test rows), but is {brief(cv)}."
        ) from None
    _check_given(table, splitter)
    groups = table.metadata.get("groups")
    rows = np.zeros((table.n_rows, 1))
    try:
        parts = _parts(splitter.split(rows, y, groups), table.n_rows)
    except InputError:
        raise
    except (ValueError, TypeError, IndexError) as error:
        raise InputError(f"`cv` must fit the table, but {brief(cv)} does not: {error}") from error
    if not parts:
        raise InputError(f"`cv` must give at least one fold, but {brief(cv)} gives none.")
    return parts


def past_splits(table: Table, cv: Any) -> list[Split]:
    """The splits of a number of windows, or of a TimeSeriesSplit, in the order of ``time``.

    Every training part is earlier than its test part: rows at the time of the first test row are
    in neither. Windows whose past has one class only are left out.
    """
    time = np.asarray(table.metadata["time"])
    order = np.argsort(time, kind="stable")
    splitter = TimeSeriesSplit(cv) if isinstance(cv, numbers.Integral) else cv
    found = []
    try:
        for past, window in splitter.split(order):
            train, test = order[past], order[window]
            train = np.sort(train[time[train] < time[test[0]]])
            if len(np.unique(table.target[train])) > 1:
                found.append((train, np.sort(test)))
    except ValueError as error:
        raise InputError(f"`cv` must fit the table, but {splitter!r} does not: {error}") from error
    if not found:
        raise InputError(
            "`time` must have several moments, with more than one class before the last of them, "
            "but has not; leave it out."
        )
    return found


def _shuffled(table: Table, folds: int, seed: int) -> Splits:
    if "time" in table.metadata:
        return _parts(past_splits(table, folds), table.n_rows)
    rows, groups = np.zeros((table.n_rows, 1)), table.metadata.get("groups")
    options = {"n_splits": folds, "shuffle": True, "random_state": seed}
    if table.classes is None:
        splitter = KFold(**options) if groups is None else GroupKFold(**options)
    else:
        splitter = StratifiedKFold(**options) if groups is None else StratifiedGroupKFold(**options)
    return _parts(splitter.split(rows, table.target, groups), table.n_rows)


def _parts(splits: Any, n_rows: int) -> Splits:
    with warnings.catch_warnings():
        # Small classes were told of once, with their names, by `warn_of_small_classes`.
        warnings.filterwarnings("ignore", message="The least populated class")
        return Folds((_checked(_rows(a), _rows(b), n_rows) for a, b in splits), n_rows)


def _folds_of_seeds(table: Table, groups: Any, wanted: int) -> int:
    """Return the wanted number of folds, or as many as the rows allow, with a warning."""
    what, most = "rows", table.n_rows
    if table.classes is not None:
        what, most = "rows in its largest class", int(np.bincount(table.target).max())
    if groups is not None:
        what, most = "`groups`", len(np.unique(groups))
    if most < 2:
        raise InputError(
            f'cv="auto" needs at least 2 {what}, but the table has {most}; give more rows.'
        )
    if most < wanted:
        warnings.warn(
            f'The table has {most} {what}, fewer than the {wanted} folds of cv="auto": '
            f"{most} folds are used.",
            FewRowsWarning,
            stacklevel=4,
        )
        return most  # The smaller classes have the same cause.
    if table.classes is not None and groups is None:
        warn_of_small_classes(table, wanted)
    return wanted


def _check_given(table: Table, splitter: Any) -> None:
    folds = getattr(splitter, "n_splits", None)
    if table.classes is None or not isinstance(splitter, StratifiedKFold) or folds is None:
        return
    if int(np.bincount(table.target).max()) < folds:
        label, count = _smallest_class(table)
        raise InputError(f"{_small_class(label, count, folds)} of `cv`; {_remedy(count)}.")
    warn_of_small_classes(table, folds)


def warn_of_small_classes(table: Table, folds: int = FOLDS) -> None:
    """Warn of a class that some folds have no row of, as in the experiments of the literature."""
    label, count = _smallest_class(table)
    if count < folds:
        warnings.warn(
            f"{_small_class(label, count, folds)}: some folds test no row of it; leave its rows "
            "out, or join it with another class.",
            FewRowsWarning,
            stacklevel=5,
        )


def _smallest_class(table: Table) -> tuple[object, int]:
    assert table.classes is not None
    counts = np.bincount(table.target, minlength=len(table.classes))
    counts = np.where(counts == 0, counts.max(), counts)
    rarest = int(counts.argmin())
    return table.classes[rarest : rarest + 1].tolist()[0], int(counts[rarest])


def _small_class(label: object, count: int, folds: int) -> str:
    rows = "1 row" if count == 1 else f"{count} rows"
    return f"Class {label!r} has {rows}, fewer than the {folds} folds"


def _remedy(count: int) -> str:
    if count < 2:
        return "leave its rows out, or join it with another class"
    return f"use fewer folds, for example cv={count}, or join it with another class"


def _seeded(splitter: Any, rng: np.random.Generator) -> Any:
    """A splitter that would draw from numpy's global state draws from ``rng`` instead."""
    if getattr(splitter, "random_state", 0) is None and getattr(splitter, "shuffle", True):
        splitter = copy.copy(splitter)
        splitter.random_state = int(rng.integers(2**31))
    return splitter


def _rows(rows: Iterable[int]) -> NDArray[np.intp]:
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp)


def _checked(train: NDArray[np.intp], test: NDArray[np.intp], n_rows: int) -> Split:
    used = np.concatenate([train, test])
    if not len(train) or not len(test) or used.min() < 0 or used.max() >= n_rows:
        raise InputError(
            f"Every fold of `cv` must have training rows and test rows between 0 and "
            f"{n_rows - 1}, but one has {len(train)} and {len(test)} rows from "
            f"{used.min() if len(used) else 'none'} to {used.max() if len(used) else 'none'}."
        )
    return train, test
