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
        margin = margins[j]
        for r in range(size):
            whole[r] += abs(margin[r])
    for r in range(size):
        unit = room / whole[r]
        # False for what is no number, too.
        whole[r] = unit if unit > 0.0 and unit * tolerance[r] <= 1.0 and unit < 1e300 else 0.0
    for j in range(d + 1):
        margin, own = margins[j] if j < d else base, short[j]
        for r in range(size):
            own[r] = np.int16(np.rint(margin[r] * whole[r])) if whole[r] > 0.0 else np.int16(0)
    return short


def rounding_pays(packed, n_features):
    """Whether candidates use their features often enough for tables of sums."""
    return n_features <= MOST and int(USED[packed].sum()) > FEW * n_features


@njit(cache=True, nogil=True, error_model="numpy")
def judge_rounded(margins, base, tolerance, short, rivals, packed, chosen, right, doubtful):
    """``judge`` by rounded margins (see :func:`shorten`), and in full where they leave it open."""
    d, size = margins.shape
    n, fours = size // rivals, packed.shape[1]
    members = np.empty((len(chosen), d), dtype=np.int64)
    counts = np.empty(len(chosen), dtype=np.int64)
    for c in range(len(chosen)):
        counts[c] = _features(packed, chosen[c], members[c])
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
            _least(short[d], n, low, rest, rivals, packed[i], sums, total, least)
            certain, count = _count(least[:rest], np.int16(counts[c] // 2 + 3), low, rows)
            right[i] += certain
            if count > 0:
                _again(
                    margins, base, tolerance, n, rivals, members[c, : counts[c]], i,
                    rows[:count], full, slack, sure, lost, right, doubtful,
                )  # fmt: skip


@hot
def _features(packed, i, members):
    """List the features of a candidate; how many they are."""
    count = 0
    for j in range(len(members)):
        members[count] = j
        count += has(packed, i, j)
    return count


@hot
def _sums(short, n, low, rest, rivals, sums):
    """Sums of all subsets of each four features over a block, row 16 * four + subset."""
    d = short.shape[0] - 1
    width = sums.shape[1] // rivals
    for first in range(0, d, NIBBLE):
        sums[4 * first, :] = 0
        for bit in range(min(NIBBLE, d - first)):
            have = 1 << bit
            for s in range(have):
                for o in range(rivals):
                    margin = short[first + bit, o * n + low : o * n + low + rest]
                    known = sums[4 * first + s, o * width : o * width + rest]
                    grown = sums[4 * first + have + s, o * width : o * width + rest]
                    for r in range(rest):
                        grown[r] = known[r] + margin[r]


@hot
def _least(start, n, low, rest, rivals, own, sums, total, least):
    """The smallest lead over a rival, in units, of each row of a block."""
    fours, width = len(own), sums.shape[1] // rivals
    for o in range(rivals):
        base = start[o * n + low : o * n + low + rest]
        begin, end = o * width, o * width + rest
        for r in range(rest):
            total[r] = base[r]
        k = 0
        while k + 4 <= fours:
            at = np.int64(16 * k)
            a, b = sums[at + own[k], begin:end], sums[at + 16 + own[k + 1], begin:end]
            c, e = sums[at + 32 + own[k + 2], begin:end], sums[at + 48 + own[k + 3], begin:end]
            for r in range(rest):
                total[r] = total[r] + a[r] + b[r] + c[r] + e[r]
            k += 4
        while k < fours:
            a = sums[np.int64(16 * k) + own[k], begin:end]
            for r in range(rest):
                total[r] += a[r]
            k += 1
        if o == 0:
            for r in range(rest):
                least[r] = total[r]
        else:
            for r in range(rest):
                least[r] = min(least[r], total[r])


@hot
def _count(least, near, low, rows):
    """The number of rows that are surely right, and of those that are open, which it lists."""
    certain, count = 0, 0
    for first in range(0, len(least), CHUNK):
        part = least[first : first + CHUNK]
        more, wrong = 0, 0
        for r in range(len(part)):
            more += part[r] > near
            wrong += part[r] < -near
        certain += more
        if more + wrong < len(part):
            for r in range(len(part)):
                rows[count] = low + first + r
                count += abs(np.int64(part[r])) <= near
    return certain, count


@hot
def _again(
    margins, base, tolerance, n, rivals, members, i, rows, full, slack, sure, lost, right, doubtful
):  # fmt: skip
    """Sum some rows in full."""
    count = len(rows)
    for o in range(rivals):
        for k in range(count):
            r = o * n + rows[k]
            total = base[r]
            for j in members:
                total += margins[j, r]
            full[o * count + k], slack[o * count + k] = total, tolerance[r]
    count_rows(full, slack, rivals, i, sure[:count], lost[:count], right, doubtful)
