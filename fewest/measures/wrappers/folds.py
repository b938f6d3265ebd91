"""Training and test rows of the folds of a cross-validation, in little memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Split = tuple[NDArray[np.intp], NDArray[np.intp]]
#: Training and test rows of each fold.
Splits = Sequence[Split]


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
