"""Counts of the patterns of one subset of coded columns, added up batch after batch.

Few patterns are counted in a table of all combinations, many in a hash table with open addressing.
A key has two words: the codes side by side where they fit into 128 bits, else two hashes of them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

_ONE = np.uint64(0x9E3779B97F4A7C15)
_TWO = np.uint64(0xBF58476D1CE4E5B9)
_THREE = np.uint64(0x94D049BB133111EB)


@njit(cache=True, nogil=True)
def add_dense(codes, members, strides, target, weight, counts):
    """Add the rows of a batch to ``counts``, float64 of shape (combinations, classes).

    ``codes`` is uint16 of shape (d, n); the combination of a row is the sum of its codes times
    ``strides`` over the ``members``; ``weight`` is how often each row counts.
    """
    n = codes.shape[1]
    cells = np.zeros(n, dtype=np.int64)
    for m in range(len(members)):
        column = codes[members[m]]
        for row in range(n):
            cells[row] += column[row] * strides[m]
    for row in range(n):
        counts[cells[row], target[row]] += weight[row]


@njit(cache=True, nogil=True)
def _mixed(value):
    value = (value ^ (value >> np.uint64(30))) * _TWO
    value = (value ^ (value >> np.uint64(27))) * _THREE
    return value ^ (value >> np.uint64(31))


@njit(cache=True, nogil=True)
def pattern_keys(codes, members, bits):
    """Return two words for the pattern of every row, shape (n, 2); ``bits`` are member widths."""
    n = codes.shape[1]
    keys = np.zeros((n, 2), dtype=np.uint64)
    width = 0
    for m in range(len(members)):
        width += bits[m]
    for m in range(len(members)):
        column = codes[members[m]]
        shift = np.uint64(bits[m])
        rest = np.uint64(64 - bits[m])
        for row in range(n):
            code = np.uint64(column[row])
            if width <= 128:
                keys[row, 1] = (keys[row, 1] << shift) | (keys[row, 0] >> rest)
                keys[row, 0] = (keys[row, 0] << shift) | code
            else:
                keys[row, 0] = _mixed(keys[row, 0] + code + _ONE)
                keys[row, 1] = _mixed((keys[row, 1] ^ code) + _TWO)
    return keys


@njit(cache=True, nogil=True)
def _slot(keys, mass, first, second, place):
    """Return the slot of a key, or the free slot where it belongs."""
    mask = np.uint64(len(mass) - 1)
    place &= mask
    while mass[place] > 0.0 and (keys[place, 0] != first or keys[place, 1] != second):
        place = (place + np.uint64(1)) & mask
    return place


@njit(cache=True, nogil=True)
def add_hashed(found, target, weight, start, depth, part, most, used, keys, mass, counts):
    """Add rows from ``start`` on to a hash table, until it holds ``most`` patterns.

    ``found`` are the keys of the rows. Only rows whose hash begins with the ``depth`` bits of
    ``part`` are added. ``mass`` is the weight of each pattern, ``counts`` by class. Returns how
    many patterns are in the table now, and the row that was not added any more.
    """
    for row in range(start, len(target)):
        first = found[row, 0]
        second = found[row, 1]
        hashed = _mixed(first ^ _mixed(second + _ONE))
        if depth > 0 and hashed >> np.uint64(64 - depth) != part:
            continue
        place = _slot(keys, mass, first, second, hashed)
        if mass[place] == 0.0:
            if used == most:
                return used, row
            used += 1
            keys[place, 0] = first
            keys[place, 1] = second
        mass[place] += weight[row]
        counts[place, target[row]] += weight[row]
    return used, len(target)


@njit(cache=True, nogil=True)
def move_table(keys, mass, counts, depth, part, new_keys, new_mass, new_counts):
    """Put the patterns whose hash begins with ``part`` into another, empty table; their number."""
    used = 0
    for old in range(len(mass)):
        if mass[old] > 0.0:
            first = keys[old, 0]
            second = keys[old, 1]
            hashed = _mixed(first ^ _mixed(second + _ONE))
            if depth > 0 and hashed >> np.uint64(64 - depth) != part:
                continue
            place = _slot(new_keys, new_mass, first, second, hashed)
            used += 1
            new_keys[place, 0] = first
            new_keys[place, 1] = second
            new_mass[place] = mass[old]
            for k in range(counts.shape[1]):
                new_counts[place, k] = counts[old, k]
    return used


@njit(cache=True, nogil=True)
def reduce_patterns(counts):
    """Sum over patterns: rows outside the largest class, and n·log2 n with and without class.

    Returns the sum of (n_p - max_c n_pc), of n_p log2 n_p, and of n_pc log2 n_pc.
    """
    outside = 0.0
    alone = 0.0
    with_class = 0.0
    for p in range(len(counts)):
        total = 0.0
        most = 0.0
        for k in range(counts.shape[1]):
            count = counts[p, k]
            total += count
            most = max(most, count)
            if count > 0.0:
                with_class += count * np.log2(count)
        outside += total - most
        if total > 0.0:
            alone += total * np.log2(total)
    return outside, alone, with_class
