"""Rows that are right by margins rounded to 16 bits: most rows need no more to be told.

The margins of a row are measured in a unit of its own, so small that their sum over all features
fits. Sums of rounded margins are at most half a unit off for each feature; rows that this leaves
open are summed again in full. Rows and rivals lie as in :mod:`fewest.kernels.bayes.margins`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot
from .margins import NIBBLE, count_rows, has

#: The sum of all magnitudes of a row, in its units; a tolerance may be one unit.
WHOLE = 32000.0
#: With more features rounding would leave too many rows open.
MOST = 8192
#: Entries of the tables of sums of a block: what the second cache holds.
TABLE = 1 << 17
#: With no more uses of a feature than this on average, tables of sums do not pay.
FEW = 8
#: Tables of sums over so few margins cost next to nothing, and ``judge`` need not be compiled.
SMALL = 1 << 16
#: Number of features in a packed number.
USED = np.array([k.bit_count() for k in range(16)])
#: Rows that are looked at together for open ones.
CHUNK = 64


@njit(cache=True, nogil=True, error_model="numpy")
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
    # Rounding may add half a unit for each feature.
    room = WHOLE - 0.5 * d
    whole, short = np.empty(size), np.empty((d + 1, size), dtype=np.int16)
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
    return short


def rounding_pays(packed, n_features, size):
    """Whether candidates use their features often enough for tables of sums over ``size`` rows."""
    if n_features > MOST or n_features * size <= SMALL:
        return n_features <= MOST
    return int(USED[packed].sum()) > FEW * n_features


@njit(cache=True, nogil=True, error_model="numpy")
def judge_rounded(margins, base, tolerance, short, rivals, bounds, packed, chosen, right, doubtful):
    """``judge`` by rounded margins (see :func:`shorten`), and in full where they leave it open."""
    d, size = margins.shape
    n, fours = size // rivals, packed.shape[1]
    members = np.empty((len(chosen), d), dtype=np.int64)
    counts = np.empty(len(chosen), dtype=np.int64)
    for c in range(len(chosen)):
        counts[c] = _features(packed, chosen[c], c, members)
    width = min(n, max(64, TABLE // (16 * fours * rivals) // 32 * 32))
    sums = np.empty((16 * fours, rivals * width), dtype=np.int16)
    least, total = np.empty(width, dtype=np.int16), np.empty(width, dtype=np.int16)
    rows = np.empty(width, dtype=np.int64)
    full, slack = np.empty(rivals * width), np.empty(rivals * width)
    sure, lost = np.empty(width), np.empty(width)
    for low in range(0, n, width):
        rest = min(width, n - low)
        _sums(short, n, low, rest, rivals, sums)
        for c in range(len(chosen)):
            i = chosen[c]
            _least(short, n, low, rest, rivals, packed, i, sums, total, least)
            for f in range(len(bounds) - 1):
                first, last = max(bounds[f], low), min(bounds[f + 1], low + rest)
                certain, count = _count(least, low, first, last, counts[c] // 2 + 3, rows)
                right[f, i] += certain
                if count > 0:
                    _again(
                        margins, base, tolerance, n, rivals, members, c, counts[c], rows, count,
                        full, slack,
                    )  # fmt: skip
                    certain, open_rows = count_rows(
                        full, slack, rivals, count, 0, count, sure, lost
                    )
                    right[f, i] += certain
                    doubtful[f, i] += open_rows


@hot
def _features(packed, i, c, members):
    """List the features of a candidate; how many they are."""
    count = 0
    for j in range(members.shape[1]):
        members[c, count] = j
        count += has(packed, i, j)
    return count


# Positions are unsigned below, and rows are no slices: numba compiles slices slowly, and the check
# for a negative position would keep a loop from becoming vector code.


@hot
def _sums(short, n, low, rest, rivals, sums):
    """Sums of all subsets of each four features over a block, row 16 * four + subset."""
    d, width = short.shape[0] - 1, sums.shape[1] // rivals
    for first in range(0, d, NIBBLE):
        for r in range(sums.shape[1]):
            sums[4 * first, r] = 0
        for bit in range(min(NIBBLE, d - first)):
            for s in range(1 << bit):
                known, grown = 4 * first + s, 4 * first + s + (1 << bit)
                for o in range(rivals):
                    begin, given = np.uint64(o * width), np.uint64(o * n + low)
                    for r in range(np.uint64(rest)):
                        sums[grown, begin + r] = (
                            sums[known, begin + r] + short[first + bit, given + r]
                        )


@hot
def _least(short, n, low, rest, rivals, packed, i, sums, total, least):
    """The smallest lead over a rival, in units, of each row of a block."""
    d, fours, width = short.shape[0] - 1, packed.shape[1], sums.shape[1] // rivals
    for o in range(rivals):
        begin, given = np.uint64(o * width), np.uint64(o * n + low)
        for r in range(np.uint64(rest)):
            total[r] = short[d, given + r]
        k = 0
        while k + 4 <= fours:
            a, b = 16 * k + int(packed[i, k]), 16 * k + 16 + int(packed[i, k + 1])
            c, e = 16 * k + 32 + int(packed[i, k + 2]), 16 * k + 48 + int(packed[i, k + 3])
            for r in range(np.uint64(rest)):
                total[r] += (
                    sums[a, begin + r]
                    + sums[b, begin + r]
                    + sums[c, begin + r]
                    + sums[e, begin + r]
                )
            k += 4
        while k < fours:
            a = 16 * k + int(packed[i, k])
            for r in range(np.uint64(rest)):
                total[r] += sums[a, begin + r]
            k += 1
        for r in range(np.uint64(rest)):
            least[r] = total[r] if o == 0 or total[r] < least[r] else least[r]


@hot
def _count(least, low, first, last, near, rows):
    """The number of rows that are surely right, and of those that are open, which it lists.

    Looks at the rows from ``first`` to ``last``; ``least`` begins with row ``low``.
    """
    certain, count = 0, 0
    for start in range(first, last, CHUNK):
        stop = min(start + CHUNK, last)
        more, wrong = 0, 0
        for r in range(np.uint64(start - low), np.uint64(stop - low)):
            more += least[r] > near
            wrong += least[r] < -near
        certain += more
        if more + wrong < stop - start:
            for r in range(start, stop):
                rows[count] = r
                count += abs(np.int64(least[r - low])) <= near
    return certain, count


@hot
def _again(margins, base, tolerance, n, rivals, members, c, used, rows, count, full, slack):
    """Sum some rows in full."""
    for o in range(rivals):
        for k in range(count):
            r = o * n + rows[k]
            total = base[r]
            for m in range(used):
                total += margins[members[c, m], r]
            full[o * count + k], slack[o * count + k] = total, tolerance[r]
