"""Rows that are right by margins rounded to 16 bits: most rows need no more to be told.

The margins of a row are measured in a unit of its own, so small that their sum over all features
fits. Sums of rounded margins are at most half a unit off for each feature; rows that this leaves
open are summed again in full. Rows and rivals lie as in :mod:`fewest._kernels.bayes.class_margins`.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from ..inner import hot
from .class_margins import NIBBLE, has

#: The sum of all magnitudes of a row, in its units; a tolerance may be one unit.
WHOLE = 32000.0
#: With more features rounding would leave too many rows open.
MOST = 8192
#: Entries of the tables of sums of a block: what the second cache holds.
TABLE = 1 << 17
#: With no more uses of a feature than this on average, tables of sums do not pay.
FEW = 8
#: Nor where candidates have fewer features than one in so many tables: most tables add nothing.
EMPTY = 4
#: Tables of sums over so few margins cost next to nothing, and ``judge`` need not be compiled.
SMALL = 1 << 16
#: Number of features in a packed number.
USED = np.array([k.bit_count() for k in range(16)])
#: Rows that are looked at together for open ones.
CHUNK = 64


def shorten(margins, base, tolerance):
    """Margins in units of 16 bits, those without any feature in the last row.

    Parameters
    ----------
    margins : float64 (features, rivals * rows)
    base, tolerance : float64 (rivals * rows,)

    Returns
    -------
    int16 (features + 1, rivals * rows)
        All zero where a margin is not finite or the tolerance is more than a unit.
    """
    d, size = margins.shape
    whole, short = np.empty(size), np.empty((d + 1, size), dtype=np.int16)
    fill_short(margins, base, tolerance, whole, short)
    return short


# Arrays are made outside, positions are unsigned, and rows are no slices: numba takes long to
# compile what makes or slices an array, and the check for a negative position would keep a loop
# from becoming vector code.


@njit(cache=True, nogil=True, error_model="numpy")
def fill_short(margins, base, tolerance, whole, short):
    """:func:`shorten` into arrays that are there."""
    d, size = margins.shape
    # Rounding may add half a unit for each feature.
    room = WHOLE - 0.5 * d
    for r in range(size):
        whole[r] = abs(base[r])
    for j in range(d):
        for r in range(size):
            whole[r] += abs(margins[j, r])
    for r in range(size):
        unit = room / whole[r]
        # False for what is no number, too.
        whole[r] = unit if unit > 0.0 and unit * tolerance[r] <= 1.0 and unit < 1e300 else 0.0
    for j in range(d + 1):
        for r in range(size):
            margin = margins[j, r] if j < d else base[r]
            short[j, r] = np.int16(np.rint(margin * whole[r])) if whole[r] > 0.0 else np.int16(0)


def rounding_pays(packed, n_features, size):
    """Whether candidates use their features often enough for tables of sums over ``size`` rows."""
    if n_features > MOST or n_features * size <= SMALL:
        return n_features <= MOST
    return int(USED[packed].sum()) > max(FEW * n_features, packed.size // EMPTY)


def judge_rounded(margins, base, tolerance, short, rivals, bounds, packed, right, doubtful):
    """``judge`` by rounded margins (see :func:`shorten`), and in full where they leave it open."""
    d, size = margins.shape
    width, room = table_room(size // rivals, packed.shape[1], rivals)
    members = np.empty((len(packed), d + 1), dtype=np.int64)
    sums, leads = np.empty(room, dtype=np.int16), np.empty((2, width), dtype=np.int16)
    judge_short(
        margins, base, tolerance, short, rivals, bounds, packed, members, sums, leads,
        np.empty(width, dtype=np.int64), right, doubtful,
    )  # fmt: skip


@register_jitable
def table_room(n, fours, rivals):
    """Rows in a block whose tables of sums fit the cache, and the length of these tables."""
    width = TABLE // (16 * fours * rivals) // 32 * 32
    width = width if width > 64 else 64
    width = width if width < n else n
    return width, 16 * fours * rivals * width


@njit(cache=True, nogil=True, error_model="numpy")
def judge_short(
    margins, base, tolerance, short, rivals, bounds, packed, members, sums, leads, rows, right,
    doubtful,
):  # fmt: skip
    """:func:`judge_rounded` with arrays to work in.

    Parameters
    ----------
    members : int64 (candidates, features + 1)
        The features of each candidate, and in the last place how many they are.
    sums : int16, of the length that :func:`table_room` tells
    leads : int16 (2, rows in a block)
        Sums over the features, and the smallest of them over the rivals.
    rows : int64 (rows in a block,)
        The open ones.
    """
    d, width = margins.shape[0], leads.shape[1]
    n = margins.shape[1] // rivals
    for i in range(len(packed)):
        _features(packed, i, members)
    for low in range(0, n, width):
        high = low + width if low + width < n else n
        _sums(short, n, low, high, rivals, width, sums)
        for i in range(len(packed)):
            near = members[i, d] // 2 + 3
            _least(short, n, low, high, rivals, packed, i, sums, leads)
            for f in range(len(bounds) - 1):
                first = bounds[f] if bounds[f] > low else low
                last = bounds[f + 1] if bounds[f + 1] < high else high
                certain, count = _count(leads, low, first, last, near, rows)
                right[f, i] += certain
                if count > 0:
                    certain, open_rows = _again(
                        margins, base, tolerance, n, rivals, members, i, rows, count
                    )
                    right[f, i] += certain
                    doubtful[f, i] += open_rows


@hot
def _features(packed, i, members):
    """List the features of a candidate, and how many they are."""
    d = members.shape[1] - 1
    count = 0
    for j in range(d):
        members[i, count] = j
        count += has(packed, i, j)
    members[i, d] = count


@hot
def _sums(short, n, low, high, rivals, width, sums):
    """Sums of all subsets of each four features over a block, at 16 * four + subset.

    There are ``width`` places for each rival.
    """
    d, size = short.shape[0] - 1, np.uint64(high - low)
    for first in range(0, d, NIBBLE):
        nothing = np.uint64(4 * first * rivals * width)
        for r in range(np.uint64(rivals * width)):
            sums[nothing + r] = 0
        for bit in range(NIBBLE if first + NIBBLE < d else d - first):
            row = np.uint64(first + bit)
            for s in range(1 << bit):
                for o in range(rivals):
                    known = np.uint64(((4 * first + s) * rivals + o) * width)
                    grown = np.uint64(((4 * first + s + (1 << bit)) * rivals + o) * width)
                    given = np.uint64(o * n + low)
                    for r in range(size):
                        sums[grown + r] = sums[known + r] + short[row, given + r]


@hot
def _least(short, n, low, high, rivals, packed, i, sums, leads):
    """The smallest lead over a rival, in units, of each row of a block."""
    last, size = np.uint64(short.shape[0] - 1), np.uint64(high - low)
    fours, width = packed.shape[1], leads.shape[1]
    for o in range(rivals):
        given = np.uint64(o * n + low)
        for r in range(size):
            leads[0, r] = short[last, given + r]
        k = 0
        while k + 4 <= fours:
            a = np.uint64(((np.int64(16 * k) + packed[i, k]) * rivals + o) * width)
            b = np.uint64(((np.int64(16 * k + 16) + packed[i, k + 1]) * rivals + o) * width)
            c = np.uint64(((np.int64(16 * k + 32) + packed[i, k + 2]) * rivals + o) * width)
            e = np.uint64(((np.int64(16 * k + 48) + packed[i, k + 3]) * rivals + o) * width)
            for r in range(size):
                leads[0, r] += sums[a + r] + sums[b + r] + sums[c + r] + sums[e + r]
            k += 4
        while k < fours:
            a = np.uint64(((np.int64(16 * k) + packed[i, k]) * rivals + o) * width)
            for r in range(size):
                leads[0, r] += sums[a + r]
            k += 1
        for r in range(size):
            leads[1, r] = leads[0, r] if o == 0 or leads[0, r] < leads[1, r] else leads[1, r]


@hot
def _count(leads, low, first, last, near, rows):
    """The number of rows that are surely right, and of those that are open, which it lists.

    Looks at the rows from ``first`` to ``last``; ``leads`` begins with row ``low``.
    """
    certain, count = 0, 0
    for start in range(first, last, CHUNK):
        stop = start + CHUNK if start + CHUNK < last else last
        more, wrong = 0, 0
        for r in range(np.uint64(start - low), np.uint64(stop - low)):
            more += leads[1, r] > near
            wrong += leads[1, r] < -near
        certain += more
        if more + wrong < stop - start:
            for r in range(start, stop):
                rows[count] = r
                count += -near <= leads[1, r - low] <= near
    return certain, count


@hot
def _again(margins, base, tolerance, n, rivals, members, c, rows, count):
    """Sum some rows in full: how many of them are surely right, and how many doubtful."""
    certain, wrong = 0, 0
    for k in range(count):
        sure, lost = 1, 0
        for o in range(rivals):
            r = o * n + rows[k]
            total = base[r]
            for m in range(members[c, members.shape[1] - 1]):
                total += margins[members[c, m], r]
            sure = sure if total > tolerance[r] else 0
            lost = 1 if total < -tolerance[r] else lost
        certain += sure
        wrong += lost
    return certain, count - certain - wrong
