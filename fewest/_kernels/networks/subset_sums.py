"""Sums over all subsets of parents, and the parent sets of a best network."""

import math
from collections import namedtuple

import numpy as np
from numba import njit

from .families import DIRICHLET, LEAST_GAIN, LIKELIHOOD, fill_rising

#: Where a walk over subsets stands. By depth: the rows that are not alone and their groups, how
#: many rows, groups and rows that are alone there are, and the variable added last. ``place`` is
#: the depth (-1 at the end), the next variable, the subset, and how many subsets are done.
SubsetWalk = namedtuple("SubsetWalk", "rows groups counts place")


@njit(cache=True, nogil=True)
def place_of(keys, mask):
    """Return the position of a mask in a hash table, or a free one for it (-1 is free).

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
def sum_tables(kind, alpha, levels, n):
    """Tabulate what a group of n rows adds to each kind of total (row 0: cells); see ``family``."""
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
    """Decide if a subset can be the parents of some child, or a child with parents, that matter."""
    for x in range(len(cardinalities)):
        if (mask >> x) & 1:
            if cases / cardinalities[x] <= limits[x]:
                return True
        elif cases <= limits[x]:
            return True
    return False


@njit(cache=True, nogil=True)
def group_sum(counts, number, single, kind, table, a):
    """Sum over the groups of one subset; ``a`` is the prior count of a cell."""
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
def start_sums(n, most):
    """Stand at the empty subset, before a walk over the subsets of up to ``most`` variables."""
    walk = SubsetWalk(
        np.zeros((most + 1, n), np.int64), np.zeros((most + 1, n), np.int64),
        np.zeros((most + 1, 4), np.int64), np.zeros(4, np.int64),
    )  # fmt: skip
    walk.rows[0] = np.arange(n)
    walk.counts[0, 0], walk.counts[0, 1] = n, 1
    return walk


@njit(cache=True, nogil=True)
def subset_sums(
    columns, cardinalities, kind, alpha, levels, limits, keys, walk, steps, masks, sums
):
    """Fill ``sums`` (kinds of totals, places) for the next ``steps`` subsets of a walk.

    ``limits[x]`` is the largest number of parent cases that can pay for child x; subsets that no
    child needs are left out. ``masks`` receives the subsets.
    """
    d, n = columns.shape
    rows, groups, state, place = walk
    tables = sum_tables(kind, alpha, levels, n)
    seen = np.zeros((n + 1) * np.max(cardinalities), np.int64)
    counts = np.zeros(n + 1, np.int64)
    counts[0] = n
    depth, v, mask, made = place
    cases = 1.0
    for x in range(d):
        if (mask >> x) & 1:
            cases *= cardinalities[x]
    new = made == 0
    while depth >= 0:
        if new:
            at = place_of(keys, mask)
            if len(keys) > 0:
                keys[at] = mask
            masks[made] = mask
            made += 1
            for s in range(len(sums)):
                sums[s, at] = group_sum(
                    counts, state[depth, 1], state[depth, 2], kind, tables[s], alpha / cases
                )
        new = False
        if v >= d or depth == len(rows) - 1:
            v = state[depth, 3]
            depth -= 1
            mask &= ~(np.int64(1) << v)
            cases /= cardinalities[v]
        elif is_needed(mask | (np.int64(1) << v), cases * cardinalities[v], cardinalities, limits):
            if steps == 0:
                break
            steps -= 1
            alone, active, number = refine(
                columns[v], cardinalities[v], rows[depth], groups[depth], state[depth, 1],
                state[depth, 0], rows[depth + 1], groups[depth + 1], seen, counts,
            )  # fmt: skip
            alone += state[depth, 2]
            depth += 1
            state[depth, 0], state[depth, 1], state[depth, 2] = active, number, alone
            state[depth, 3] = v
            mask |= np.int64(1) << v
            cases *= cardinalities[v]
            new = True
        v += 1
    place[0], place[1], place[2], place[3] = depth, v, mask, made


@njit(cache=True, nogil=True)
def bits_in(mask):
    """Count the variables in a mask."""
    number = 0
    while mask:
        mask &= mask - 1
        number += 1
    return number


@njit(cache=True, nogil=True)
def child_parent_sets(
    child, cardinalities, most, penalty, total, keys, masks, sums, known, best, sets, scores
):
    """Find the parent sets of a child that score higher than each of their subsets; how many.

    ``masks`` stand in ascending order, so that subsets come before supersets; ``total`` is the
    row of ``sums`` for the parents of this child, ``known[at]`` whether a place of ``sums`` is
    filled, ``best`` room for the best score inside each mask.
    """
    own = np.int64(1) << child
    levels = cardinalities[child]
    found = 0
    for k in range(len(masks)):
        mask = masks[k]
        if mask & own or bits_in(mask) > most:
            continue
        at = place_of(keys, mask)
        top = -np.inf
        cases = 1.0
        for v in range(len(cardinalities)):
            if (mask >> v) & 1:
                cases *= cardinalities[v]
                top = max(top, best[place_of(keys, mask ^ (np.int64(1) << v))])
        family = place_of(keys, mask | own)
        if known[family]:
            score = sums[0, family] - sums[total, at] - penalty * (levels - 1) * cases
            if score > top + LEAST_GAIN:
                if found >= len(sets):
                    return -1
                sets[found] = mask
                scores[found] = score
                found += 1
                top = score
        best[at] = top
    return found


@njit(cache=True, nogil=True)
def first_inside(sets, first, last, allowed):
    """Return the first parent set, best first, that lies inside ``allowed``."""
    k = first
    while k < last - 1 and sets[k] & ~allowed:
        k += 1
    return k


@njit(cache=True, nogil=True)
def best_sinks(d, sets, scores, starts, first, last, value, sink):
    """Score and last variable of the best network over each set from ``first`` to before ``last``.

    Silander and Myllymaki (2006): the best network over W has a sink x, whose best parents lie in
    W without x, above the best network over W without x. ``sets`` of child x stand, best first,
    from ``starts[x]`` to ``starts[x + 1]``; the empty set is always among them. Smaller masks come
    first, so that the work can be done in parts; the value of the empty set is 0.
    """
    for w in range(max(first, 1), last):
        top = -np.inf
        last = 0
        for x in range(d):
            if not (w >> x) & 1:
                continue
            rest = w ^ (np.int64(1) << x)
            if value[rest] + scores[starts[x]] <= top:
                continue
            k = first_inside(sets, starts[x], starts[x + 1], rest)
            total = value[rest] + scores[k]
            if total > top:
                top = total
                last = x
        value[w] = top
        sink[w] = last
