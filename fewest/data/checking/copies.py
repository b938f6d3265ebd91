"""Columns that say the same: copies, copies in another unit, one-to-one copies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from .columns import constant_columns
from .finding import Finding, finding
from .look import Floats, Look

#: Columns are the same in another unit where 1 minus their correlation is below this.
UNLIKE = 1e-6
#: The number of projections that tell columns apart, and how far those of copies differ at most.
PROJECTIONS, NEAR = 3, 4.0
#: Fewer different values than this are in the same order by chance.
FEWEST_RANKS = 16
#: So many rows tell most columns apart.
HEAD = 256


def about_copies(look: Look, columns: NDArray[np.intp]) -> Iterator[Finding]:
    """Find pairs among the columns, each with the first column that says the same."""
    told: set[int] = set()
    numbers = columns[~look.table.nominal[columns]]
    ways = (
        ("copy", _equal(look, columns), "equals {}"),
        ("affine-copy", _affine(look, numbers), "is a multiple of {} plus a constant"),
        ("one-to-one", _same_parts(look, columns), "each of its values goes with one of {}"),
    )
    for kind, pairs, words in ways:
        for first, j in sorted(pairs, key=lambda pair: (pair[1], pair[0])):
            if j not in told:
                told.add(j)
                names = (look.names[j], look.names[first])
                yield finding(kind, names, words.format(names[1]))


def about_sparse(look: Look) -> Iterator[Finding]:
    """Find constants and copies in a sparse table, from what is stored."""
    values, constant = look.table.sparse, constant_columns(look.table)
    assert values is not None
    matrix, first = values.csc, dict[tuple[bytes, bytes], int]()
    for j, name in enumerate(look.names):
        if constant[j]:
            yield finding("constant", (name,), "the same value in every row")
            continue
        part = slice(matrix.indptr[j], matrix.indptr[j + 1])
        data, rows = matrix.data[part], matrix.indices[part]
        earlier = first.setdefault((rows.tobytes(), data.tobytes()), j)
        if earlier != j:
            yield finding("copy", (name, look.names[earlier]), f"equals {look.names[earlier]}")


def _grouped(keys: Iterable[tuple[int, bytes]]) -> Iterator[list[int]]:
    """The columns with the same key."""
    groups: dict[bytes, list[int]] = {}
    for j, key in keys:
        groups.setdefault(key, []).append(j)
    return (group for group in groups.values() if len(group) > 1)


def _equal(look: Look, columns: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """Pairs with the same values and levels in all rows."""
    across = look.across[:, :HEAD]
    for likely in _grouped((int(j), across[j].tobytes()) for j in columns):
        first: dict[tuple[object, bytes], int] = {}
        for j in likely:
            key = (look.table.levels[j], look.table.column(j).tobytes())
            earlier = first.setdefault(key, j)
            if earlier != j:
                yield earlier, j


def _affine(look: Look, columns: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """Pairs of numbers whose correlation is 1 or -1, up to rounding.

    Columns are projected on a few random directions; only those that fall on nearly the same
    place are compared, so that the work does not grow with the number of pairs.
    """
    columns = columns[look.distinct[columns] > 2]
    if len(columns) < 2:
        return
    z = _standardised(look.across[columns])
    directions = np.random.default_rng(0).normal(size=(z.shape[1], PROJECTIONS))
    places = z @ directions / np.sqrt(z.shape[1])
    places *= np.where(places[:, :1] < 0, -1.0, 1.0)
    order = np.argsort(places[:, 0], kind="stable")
    places, near = places[order], NEAR * np.sqrt(2 * UNLIKE)
    found: dict[int, int] = {}
    for shift in range(1, len(order)):
        close = np.abs(places[shift:] - places[:-shift]) < near
        if not close[:, 0].any():
            break
        for i in np.flatnonzero(close.all(axis=1)):
            a, b = sorted((int(order[i]), int(order[i + shift])))
            if 1 - abs(float(z[a] @ z[b])) / z.shape[1] < UNLIKE:
                found[b] = min(a, found.get(b, a))
    yield from ((int(columns[a]), int(columns[b])) for b, a in found.items())


def _standardised(values: Floats) -> Floats:
    """Rows with mean 0 and variance 1; unknown values are 0, so that gaps must agree too."""
    unknown = np.isnan(values)
    counts = np.maximum((~unknown).sum(axis=1, keepdims=True), 1)
    filled = np.where(unknown, 0.0, values)
    centred = np.where(unknown, 0.0, filled - filled.sum(axis=1, keepdims=True) / counts)
    norms = np.sqrt((centred**2).sum(axis=1, keepdims=True))
    return np.asarray(centred / np.where(norms > 0, norms, 1.0) * np.sqrt(values.shape[1]))


def _same_parts(look: Look, columns: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """Pairs that part the rows in the same way, or put them into the same or reverse order."""
    for likely in _grouped(_keys(look, columns, HEAD)):
        for group in _grouped(_keys(look, likely, len(look.rows))):
            yield from ((group[0], j) for j in group[1:])


def _keys(
    look: Look, columns: Iterable[int] | NDArray[np.intp], n_rows: int
) -> Iterator[tuple[int, bytes]]:
    """What a column has in common with its one-to-one copies, in the first rows."""
    for j in columns:
        values = look.across[j, :n_rows]
        if look.table.nominal[j] or look.distinct[j] <= FEWEST_RANKS:
            yield int(j), _renumbered(values).tobytes()
            continue
        ranks = np.unique(values, return_inverse=True)[1].astype(np.int32)
        top = ranks.max(initial=0)
        if top >= FEWEST_RANKS:
            yield int(j), min(ranks.tobytes(), (top - ranks).tobytes())


def _renumbered(values: Floats) -> NDArray[np.int32]:
    """The values as numbers in the order in which they first occur."""
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int32)
    place[np.argsort(first, kind="stable")] = np.arange(len(first))
    return place[codes]
