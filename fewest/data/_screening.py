"""What a look at the table shows before any search: identifiers, constants, copies, commas."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._sparse_values import SparseValues
from ._table import Table

#: Fewer rows than this say nothing about identifiers.
FEWEST_ROWS = 10
#: How many names a note lists.
LISTED = 5
#: The first rows of a column tell most columns apart.
HEAD = 1024
_WITH_COMMA = re.compile(r"[-+]?\d[\d.]*,\d+")
_NUMBER = re.compile(r"[-+]?\d[\d.]*(,\d+)?")


@dataclass(frozen=True)
class Screening:
    """What was seen, as positions of features.

    ``identifiers`` are nominal features with another value in every row; ``row_numbers`` are
    numbers that grow by the same step from row to row; ``copies`` are pairs of a feature and an
    earlier one with the same values; ``not_counted`` are the names of columns that a
    table outside memory leaves out.
    """

    identifiers: tuple[int, ...] = ()
    row_numbers: tuple[int, ...] = ()
    constants: tuple[int, ...] = ()
    copies: tuple[tuple[int, int], ...] = ()
    with_commas: tuple[int, ...] = ()
    not_counted: tuple[str, ...] = ()

    def notes(self, names: Sequence[str], left_out: Sequence[int] = ()) -> list[str]:
        """One sentence for each kind of finding; ``left_out`` are identifiers left out."""
        if self == Screening():
            return []
        kept = [j for j in self.identifiers if j not in left_out]
        copies = [f"{names[j]} ({names[first]})" for j, first in self.copies]
        found = [
            (_listed(left_out, names), LEFT_OUT),
            (_listed(kept, names), KEPT),
            (_listed(self.row_numbers, names), ROW_NUMBERS),
            (_listed(self.constants, names), CONSTANTS),
            (_short(copies), COPIES),
            (_listed(self.with_commas, names), WITH_COMMAS),
            (_short(self.not_counted), NOT_COUNTED),
        ]
        return [sentence.format(listed) for listed, sentence in found if listed]


LEFT_OUT = (
    "Left out as identifiers, because every row has another value: {}. Name them in `include` to "
    "keep them."
)
KEPT = "Looks like an identifier, because every row has another value: {}."
ROW_NUMBERS = (
    "Looks like a row number, because it grows by the same step from row to row: {}. Exclude it "
    "unless the order of the rows means something."
)
CONSTANTS = "Has the same value in every row: {}."
COPIES = "Has the same values as an earlier feature (in brackets): {}."
NOT_COUNTED = "Left out, because it has too many different labels to count them in pairs: {}."
WITH_COMMAS = (
    "Holds numbers written with a comma, which are read as labels: {}. Write them with a decimal "
    "point to use them as numbers."
)


def screen(table: Table) -> Screening:
    """Look at every column of a table once.

    Examples
    --------
    >>> from fewest.data import as_table
    >>> rows = [[f"name {i}", "1,5", 7.0, i % 3] for i in range(12)]
    >>> seen = screen(as_table(rows, [i % 2 for i in range(12)]))
    >>> seen.identifiers, seen.constants, seen.with_commas
    ((0,), (1, 2), (1,))
    """
    if table.sparse is not None:
        return _screen_sparse(table.sparse)
    columns = range(table.n_features)
    constant = _constants(table.values)
    return Screening(
        identifiers=tuple(j for j in columns if _is_identifier(table, j)),
        row_numbers=_row_numbers(table),
        constants=tuple(np.flatnonzero(constant).tolist()),
        copies=_copies(table, np.flatnonzero(~constant).tolist()),
        with_commas=tuple(j for j in columns if _has_commas(table.levels[j])),
    )


def _screen_sparse(values: SparseValues) -> Screening:
    """Constants and copies, from what is stored."""
    matrix, constants, copies = values.csc, [], []
    first: dict[tuple[bytes, bytes], int] = {}
    for j in range(values.shape[1]):
        part = slice(matrix.indptr[j], matrix.indptr[j + 1])
        data, rows = matrix.data[part], matrix.indices[part]
        if not len(data) or (len(data) == len(values) and (data == data[0]).all()):
            constants.append(j)
            continue
        earlier = first.setdefault((rows.tobytes(), data.tobytes()), j)
        if earlier != j:
            copies.append((j, earlier))
    return Screening(constants=tuple(constants), copies=tuple(copies))


def _is_identifier(table: Table, j: int) -> bool:
    levels, n = table.levels[j], table.n_rows
    if levels is None or n < FEWEST_ROWS or len(levels) < n:
        return False
    return len(np.unique(table.values[:, j])) == n and not np.isnan(table.values[:, j]).any()


def _row_numbers(table: Table) -> tuple[int, ...]:
    if table.n_rows < FEWEST_ROWS:
        return ()
    first = table.block(slice(0, 2))
    step = first[1] - first[0]
    # Two rows rule out nearly all columns.
    likely = np.flatnonzero(~table.nominal & (step > 0.0) & (step % 1.0 == 0.0)).tolist()
    return tuple(j for j in likely if (np.diff(table.column(j)) == step[j]).all())


def _constants(values: NDArray[np.floating[Any]]) -> NDArray[np.bool_]:
    """Columns that hold one value only, or none."""
    constant = _constant(values[:HEAD], values[0])
    likely = np.flatnonzero(constant)
    constant[likely] = _constant(values[:, likely], values[0, likely])
    return constant


def _constant(values: NDArray[np.floating[Any]], first: NDArray[Any]) -> NDArray[np.bool_]:
    constant = (values == first).all(axis=0)
    unknown = np.flatnonzero(np.isnan(first))
    constant[unknown] = np.isnan(values[:, unknown]).all(axis=0)
    return np.asarray(constant)


def _copies(table: Table, columns: list[int]) -> tuple[tuple[int, int], ...]:
    """Features equal to an earlier one in kind and values, of the given columns."""
    alike: dict[tuple[object, int], list[int]] = {}
    across = np.ascontiguousarray(table.values[:HEAD].T)
    for j in columns:
        alike.setdefault((table.levels[j], hash(across[j].tobytes())), []).append(j)
    found = [pair for group in alike.values() for pair in _copies_among(table, group)]
    return tuple(sorted(found))


def _copies_among(table: Table, columns: list[int]) -> list[tuple[int, int]]:
    """The copies among columns that begin with the same values."""
    first: dict[int, int] = {}
    found = []
    for j in columns if len(columns) > 1 else ():
        column = table.values[:, j]
        earlier = first.setdefault(hash(column.tobytes()), j)
        if earlier != j and np.array_equal(column, table.values[:, earlier], equal_nan=True):
            found.append((j, earlier))
    return found


def _has_commas(levels: tuple[object, ...] | None) -> bool:
    if not levels or not all(isinstance(v, str) for v in levels):
        return False
    texts = [str(v).strip() for v in levels]
    commas = any(_WITH_COMMA.fullmatch(text) for text in texts)
    return commas and all(_NUMBER.fullmatch(text) for text in texts)


def _listed(features: Sequence[int], names: Sequence[str]) -> str:
    return _short([names[j] for j in features])


def _short(names: Sequence[str]) -> str:
    shown = ", ".join(names[:LISTED])
    return shown if len(names) <= LISTED else f"{shown} and {len(names) - LISTED} more"
