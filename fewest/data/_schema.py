"""Schema: which columns are nominal, their levels, and how values become numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from ._columns import Column, Columns, is_unknown, read_columns
from ._feature_names import Features, feature_positions
from ._rows import row_blocks

Values = NDArray[np.floating[Any]]

#: Codes below this are exact in float32.
FLOAT32_EXACT_BELOW = 2**24


@dataclass(frozen=True)
class Schema:
    """Names and kinds of the columns of a table; turns any table like it into numbers.

    Parameters
    ----------
    names : tuple of str
        One name per column; ``x0``, ``x1``, ... for arrays.
    levels : tuple
        For each column its nominal values in the order of their codes, or None if continuous.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.5, "red"], [2.5, "blue"], [np.nan, "red"]], dtype=object)
    >>> schema = Schema.learn(X)
    >>> schema.levels
    (None, ('blue', 'red'))
    >>> schema.encode(np.array([[0.5, "blue"], [1.5, "green"]], dtype=object))
    array([[0.5, 0. ],
           [1.5, nan]])
    """

    names: tuple[str, ...]
    levels: tuple[tuple[object, ...] | None, ...]

    @classmethod
    def learn(cls, X: Any, nominal: Features | None = None) -> Schema:
        """Learn the schema of ``X``.

        Strings, objects, categories and booleans are nominal, numbers are continuous unless
        ``nominal`` chooses their column (by name, position, slice, pattern, ...). In an array
        of objects, a column with fractional numbers is continuous. Declared categories keep
        their order (also those that do not occur), other levels are sorted.
        """
        return learn_encode(X, nominal)[0]

    def encode(self, X: Any) -> NDArray[np.float64]:
        """Encode the values of ``X`` as numbers: level codes for nominal columns, NaN for unknown.

        A level that was not there when the schema was learned is unknown.
        """
        found = read_columns(X)
        self._check(found)
        return self._encode(found)

    @property
    def kinds(self) -> tuple[str, ...]:
        """``"nominal"`` or ``"continuous"`` for each column."""
        return tuple("continuous" if v is None else "nominal" for v in self.levels)

    def _check(self, found: Columns) -> None:
        if len(found.names) != len(self.names):
            raise InputError(
                f"`X` must have the {len(self.names)} columns it had when it was learned, "
                f"but has {len(found.names)}."
            )
        generated = self.names == tuple(f"x{j}" for j in range(len(self.names)))
        if found.named and not generated and found.names != self.names:
            old, new = next((a, b) for a, b in zip(self.names, found.names, strict=True) if a != b)
            raise InputError(
                f"The columns of `X` must be those it was learned with, in the same order, but "
                f"{new!r} stands in the place of {old!r}."
            )

    def _encode(self, found: Columns) -> NDArray[np.float64]:
        """Return a new array of float64."""
        out = np.empty((found.n_rows, len(self.names)), dtype=np.float64)
        self._fill(out, found)
        return out

    def _stored(self, found: Columns) -> Values:
        """Return the user's array if it is one of floats, else a new one of the smallest type."""
        if found.matrix is not None and not any(levels is not None for levels in self.levels):
            _refuse_infinite(found.matrix, self)
            return found.matrix
        kind = _type_of(found, self.levels)
        out: Values = np.empty((found.n_rows, len(self.names)), dtype=kind)
        self._fill(out, found)
        return out

    def _fill(self, out: Values, found: Columns) -> None:
        for j, (name, levels) in enumerate(zip(self.names, self.levels, strict=True)):
            column = found.columns[j]
            if levels is not None:
                out[:, j] = _codes(column, levels, name)
            elif column.numbers is not None:
                out[:, j] = column.numbers
            else:
                out[:, j] = _numbers(column, name)
        _refuse_infinite(out, self)


def learn_encode(X: Any, nominal: Features | None = None) -> tuple[Schema, NDArray[np.float64]]:
    """Return the schema of ``X`` and its encoded values, reading it once."""
    found = read_columns(X)
    schema = schema_of(found, nominal)
    return schema, schema._encode(found)


def learn_store(X: Any, nominal: Features | None = None) -> tuple[Schema, Values]:
    """Do as :func:`learn_encode`, without a copy where ``X`` is an array of floats.

    float32 stays float32. The values must not be changed: they may be the user's own.
    """
    found = read_columns(X)
    schema = schema_of(found, nominal)
    return schema, schema._stored(found)


def schema_of(found: Columns, nominal: Features | None = None) -> Schema:
    """Return the schema of columns that have been read already."""
    chosen = feature_positions(nominal, found.names, "nominal")
    levels = tuple(
        _levels(column, name, j in chosen)
        for j, (name, column) in enumerate(zip(found.names, found.columns, strict=True))
    )
    return Schema(found.names, levels)


def _levels(column: Column, name: str, nominal: bool) -> tuple[object, ...] | None:
    if column.levels is not None:
        return column.levels
    if column.numbers is None:
        assert column.labels is not None
        return sorted_levels(column.labels, name)
    if not nominal:
        return None
    known = np.unique(column.numbers[~np.isnan(column.numbers)])
    return tuple(int(v) if v % 1 == 0 else v for v in known.tolist())


def sorted_levels(labels: Iterable[object], name: str) -> tuple[object, ...]:
    try:
        known = [v for v in set(labels) if not is_unknown(v)]
        return tuple(sorted(known, key=lambda v: (type(v).__name__, v)))
    except InputError:
        raise
    except Exception:  # objects of a stranger may raise anything
        raise InputError(
            f"Column {name!r} of `X` must hold numbers or labels, but holds objects that "
            "cannot be compared (lists, dictionaries, complex numbers); make them strings."
        ) from None


def _codes(column: Column, levels: tuple[object, ...], name: str) -> NDArray[np.float64]:
    code_of = {level: float(code) for code, level in enumerate(levels)}
    if column.codes is not None:
        assert column.levels is not None
        # The last entry answers for the negative codes, which mean unknown.
        known = np.array([code_of.get(v, np.nan) for v in column.levels] + [np.nan])
        if levels and np.isnan(known).all():
            _refuse_other_kind(column.levels, levels, name)
        return known[column.codes.astype(np.int64)]
    labels = column.labels if column.numbers is None else column.numbers.tolist()
    assert labels is not None
    codes = np.fromiter(map(code_of.get, labels, repeat(np.nan)), np.float64, len(labels))
    if levels and np.isnan(codes).all():
        _refuse_other_kind(labels, levels, name)
    return codes


def _refuse_other_kind(labels: Iterable[object], levels: tuple[object, ...], name: str) -> None:
    """Refuse labels of another type (1 is not "1") instead of calling all of them unknown."""
    strings = {isinstance(v, str) for v in labels if not is_unknown(v)}
    learned = {isinstance(v, str) for v in levels}
    if strings and not strings & learned:
        was, now = ("strings", "none") if True in learned else ("no strings", "strings")
        raise InputError(
            f"Column {name!r} of `X` must hold labels as it did when it was learned, "
            f"but those were {was} and these are {now}."
        )


def _numbers(column: Column, name: str) -> NDArray[np.float64]:
    labels = column.levels if column.codes is not None else column.labels
    try:
        values = [np.nan if is_unknown(v) else float(v) for v in labels]  # type: ignore
    except (TypeError, ValueError):
        raise InputError(
            f"Column {name!r} of `X` must hold numbers, as it did when it was learned, "
            f"but holds labels."
        ) from None
    return np.array(values) if column.codes is None else np.array([*values, np.nan])[column.codes]


def _type_of(found: Columns, levels: tuple[tuple[object, ...] | None, ...]) -> type:
    """Return float32 where all numbers are, and codes fit; else float64."""
    numbers = [c.numbers for c, own in zip(found.columns, levels, strict=True) if own is None]
    codes = [len(own) for own in levels if own is not None]
    short = bool(numbers) and all(c is not None and c.dtype == np.float32 for c in numbers)
    return np.float32 if short and max(codes, default=0) < FLOAT32_EXACT_BELOW else np.float64


def _refuse_infinite(values: Values, schema: Schema) -> None:
    for rows in row_blocks(len(values)):
        infinite = np.isinf(values[rows])
        if not infinite.any():
            continue
        row, j = np.argwhere(infinite)[0] + (rows.start, 0)
        raise InputError(
            f"`X` must hold finite numbers (NaN where unknown), but column {schema.names[j]!r} "
            f"has an infinite value in row {row}; replace infinity by NaN or a number."
        )
