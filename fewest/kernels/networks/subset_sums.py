"""Sums over the observed configurations of every subset of variables, each counted once.

The scores of families are differences of such sums: sum over cells minus sum over parent cases
(see ``family``), and the cells of a family are the configurations of child and parents together.
So the rows are grouped once per subset, not once per family. Subsets are masks of bits.
"""

import math

import numpy as np
from numba import njit

from .family import DIRICHLET, LIKELIHOOD, fill_rising


@njit(cache=True, nogil=True)
def place_of(keys, mask):
    """Where a mask stands in a hash table, or the free place for it (-1 is free).

    Without keys the table has a place for every mask.
    """
    if len(keys) == 0:
        return mask
    last = len(keys) - 1
    at = np.int64((np.uint64(mask) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & last
    while keys[at] != -1 and keys[at] != mask:
        at = (at + 1) & last
    return at


@njit(cache=True, nogil=True)
def fill_places(keys, nodes, masks):
    """Enter the masks, in this order, into an empty hash table; ``nodes`` says which is where."""
    for k in range(len(masks)):
        at = place_of(keys, masks[k])
        keys[at] = masks[k]
        nodes[at] = k


@njit(cache=True, nogil=True)
def sum_tables(kind, alpha, levels, n):
    """For each kind of total (row 0: cells) what a group of so many rows adds; see ``family``."""
    tables = np.zeros((1 + len(levels), n + 1))
    if kind == LIKELIHOOD:
        for k in range(2, n + 1):
            tables[0, k] = k * math.log(k)
    elif kind == DIRICHLET:
        fill_rising(tables[0], alpha)
        for r in range(len(levels)):
            fill_rising(tables[1 + r], alpha * levels[r])
    return tables


@njit(cache=True, nogil=True)
def refine(column, levels, rows, groups, number, active, out_rows, out_groups, seen, counts):
    """Cut groups of rows by one more variable; rows that are alone in their group drop out.

    ``counts`` receives the sizes of the groups that are kept. Returns how many groups had a
    single row, how many rows are kept, and how many groups.
    """
    for k in range(number * levels):
        seen[k] = -1
    found = 0
    for t in range(active):
        key = groups[t] * levels + column[rows[t]]
        if seen[key] < 0:
            seen[key] = found
            counts[found] = 0
            found += 1
        counts[seen[key]] += 1
        out_groups[t] = seen[key]
    kept = 0
    for g in range(found):
        n = counts[g]
        seen[g] = kept if n > 1 else -1
        if n > 1:
            counts[kept] = n
            kept += 1
    left = 0
    for t in range(active):
        g = seen[out_groups[t]]
        if g >= 0:
            out_rows[left] = rows[t]
            out_groups[left] = g
            left += 1
    return found - kept, left, kept


@njit(cache=True, nogil=True)
def is_needed(mask, cases, cardinalities, limits):
    """Whether a subset can be the parents of some child, or a child with parents, that matter."""
    for x in range(len(cardinalities)):
        if (mask >> x) & 1:
            if cases / cardinalities[x] <= limits[x]:
                return True
        elif cases <= limits[x]:
            return True
    return False


@njit(cache=True, nogil=True)
def group_sum(counts, number, single, kind, table, a):
    """What the groups of one subset add up to; ``a`` is the prior count of a cell."""
    total = 0.0
    if kind == LIKELIHOOD or kind == DIRICHLET:
        for g in range(number):
            total += table[counts[g]]
        return total + single * table[1]
    base = math.lgamma(a)
    for g in range(number):
        total += math.lgamma(a + counts[g]) - base
    return total + single * math.log(a)


@njit(cache=True, nogil=True)
def subset_sums(
    columns, cardinalities, most, kind, alpha, levels, limits, keys, first, last, made, masks, sums
):
    """Fill ``sums`` (kinds of totals, places) for every subset of up to ``most`` variables.

    Subsets whose smallest variable is from ``first`` to before ``last``; the empty one comes with
    the first. ``limits[x]`` is the largest number of parent cases that can pay for child x;
    subsets that no child needs are left out. ``masks`` receives the subsets after the ``made``
    that it has. Returns how many there are then, or -1 where the tables are too small.
    """
    d, n = columns.shape
    tables = sum_tables(kind, alpha, levels, n)
    rows = np.zeros((most + 1, n), np.int64)
    groups = np.zeros((most + 1, n), np.int64)
    # By depth: rows that are not alone, groups of them, rows that are, and the variable added.
    active = np.zeros(most + 1, np.int64)
    number = np.zeros(most + 1, np.int64)
    single = np.zeros(most + 1, np.int64)
    added = np.zeros(most + 1, np.int64)
    seen = np.zeros((n + 1) * np.max(cardinalities), np.int64)
    counts = np.zeros(n + 1, np.int64)
    rows[0] = np.arange(n)
    active[0], number[0], counts[0] = n, 1, n
    mask, cases = np.int64(0), 1.0
    depth = 0
    v = first
    new = first == 0
    while True:
        if new:
            if made >= len(masks):
                return -1
            at = place_of(keys, mask)
            if len(keys) > 0:
                keys[at] = mask
            masks[made] = mask
            made += 1
            for s in range(len(sums)):
                sums[s, at] = group_sum(
                    counts, number[depth], single[depth], kind, tables[s], alpha / cases
                )
        new = False
        if v >= (d if depth > 0 else last) or depth == most:
            if depth == 0:
                return made
            v = added[depth]
            depth -= 1
            mask ^= np.int64(1) << v
            cases /= cardinalities[v]
        elif is_needed(mask | (np.int64(1) << v), cases * cardinalities[v], cardinalities, limits):
            alone, active[depth + 1], number[depth + 1] = refine(
                columns[v], cardinalities[v], rows[depth], groups[depth], number[depth],
                active[depth], rows[depth + 1], groups[depth + 1], seen, counts,
            )  # fmt: skip
            single[depth + 1] = single[depth] + alone
            depth += 1
            added[depth] = v
            mask |= np.int64(1) << v
            cases *= cardinalities[v]
            new = True
        v += 1
