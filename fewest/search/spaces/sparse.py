"""Short identities of subsets of very many units: the numbers of the units that are in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...measures.steps import Steps

Bits = NDArray[np.bool_]
NUMBER = np.dtype("<u4")


def sparse_rows(rows: Bits) -> list[bytes]:
    """One identity per row; the shorter of its numbers and its bits.

    >>> sparse_rows(np.arange(300)[None] == 7)
    [b'n\\x07\\x00\\x00\\x00']
    """
    return [_identity(np.flatnonzero(row), row) for row in rows]


def sparse_steps(steps: Steps) -> list[bytes]:
    """The identities of steps, from the numbers of the base with one more or one less."""
    inside = np.flatnonzero(steps.base).astype(NUMBER)
    if _is_long(len(inside) + 1, len(steps.base)):
        parts = (sparse_rows(np.asarray(part, dtype=bool)) for part in steps.parts())
        return [identity for part in parts for identity in part]
    told, width = inside.tobytes(), NUMBER.itemsize
    place = (width * np.searchsorted(inside, steps.units)).tolist()
    numbers = steps.units.astype(NUMBER).tobytes()
    found = []
    for i, (at, gain) in enumerate(zip(place, steps.gains.tolist(), strict=True)):
        number = numbers[width * i : width * (i + 1)] if gain > 0 else b""
        after = at + width if gain < 0 else at
        found.append(b"n" + told[:at] + number + told[after:])
    return found


def _identity(inside: NDArray[np.intp], row: Bits) -> bytes:
    if _is_long(len(inside), len(row)):
        return b"b" + np.packbits(row).tobytes()
    return b"n" + inside.astype(NUMBER).tobytes()


def _is_long(count: int, n_units: int) -> bool:
    """Whether the bits are shorter than so many numbers; the same for neighbours of a subset."""
    return count * NUMBER.itemsize * 8 > n_units
