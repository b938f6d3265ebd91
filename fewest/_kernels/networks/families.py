"""Counts and scores of families of a network, and Algorithm B."""

import math

import numpy as np
from numba import njit

from ..counting.bitplanes import (
    configurations,
    fill_counts,
    fill_sizes,
    mask_sizes,
    pack_planes,
    split_masks,
)
from ..inner import hot, inner

#: How a score's tables are made: maximised likelihood, Dirichlet with a fixed alpha a cell,
#: Dirichlet with a fixed equivalent sample size a family.
LIKELIHOOD, DIRICHLET, EQUIVALENT = 0, 1, 2
#: How many tables of a score are kept at a time, and the most numbers in them; at least so many.
MOST_TABLES, MOST_IN_TABLES, LEAST_TABLES = 127, 1 << 23, 17


@hot
def fill_rising(table, start):
    """Fill ``table[n] = log gamma(start + n) - log gamma(start)``, by adding logarithms."""
    table[0] = 0.0
    for n in range(1, len(table)):
        table[n] = table[n - 1] + math.log(start + n - 1)


@hot
def fill_tables(cell, total, kind, alpha, levels, parent_levels):
    """Make the tables of a score for a variable of ``levels`` with ``parent_levels`` cases."""
    if kind == LIKELIHOOD:
        cell[0] = total[0] = 0.0
        for n in range(1, len(cell)):
            cell[n] = total[n] = n * math.log(n)
        return
    a = alpha / (levels * parent_levels) if kind == EQUIVALENT else alpha
    fill_rising(cell, a)
    fill_rising(total, a * levels)


@hot
def number_of_cases(cardinalities, parents):
    """Return the number of configurations that the parents can have."""
    cases = 1.0
    for p in parents:
        cases *= cardinalities[p]
    return cases


@njit(cache=True, nogil=True)
def family_score(planes, offsets, cardinalities, everything, child, parents, kind, alpha, penalty):
    """Score of ``child`` with ``parents``."""
    levels = cardinalities[child]
    cases = number_of_cases(cardinalities, parents)
    masks = configurations(planes, offsets, cardinalities, everything, parents)
    sizes = mask_sizes(split_masks(masks, planes, offsets[child], levels))
    cell = np.empty(mask_sizes(everything.reshape(1, -1))[0] + 1)
    total = np.empty_like(cell)
    fill_tables(cell, total, kind, alpha, levels, cases)
    score = -penalty * (levels - 1) * cases
    for c in range(masks.shape[0]):
        n = 0
        for v in range(levels):
            n += sizes[c * levels + v]
            score += cell[sizes[c * levels + v]]
        score -= total[n]
    return score


@hot
def score_with(counts, sizes, first, levels, others, cell, total):
    """Return the score, before the penalty, of a child of ``levels`` with one more parent.

    ``sizes`` holds the counts of configuration c and child level k at ``c * levels + k``, and
    ``counts`` the part of them at each level of the new parent, whose planes begin at ``first``.
    """
    score = 0.0
    for c in range(len(sizes) // levels):
        at = c * levels
        n_rest = 0
        for v in range(1, others):
            n = 0
            for k in range(levels):
                n_cell = counts[at + k, first + v - 1]
                n += n_cell
                score += cell[n_cell]
            score -= total[n]
        for k in range(levels):
            n_cell = sizes[at + k]
            for v in range(1, others):
                n_cell -= counts[at + k, first + v - 1]
            n_rest += n_cell
            score += cell[n_cell]
        score -= total[n_rest]
    return score


def empty_tables(n):
    """Allocate the tables of a score at up to ``n`` rows; they are filled when first needed.

    ``made[s]`` are the levels and parent configurations for which slot s was filled.
    """
    slots = min(MOST_TABLES, max(LEAST_TABLES, MOST_IN_TABLES // (2 * n + 2)))
    return np.zeros((slots, 2)), np.empty((slots, 2, n + 1))


@hot
def find_tables(made, tables, kind, alpha, levels, parent_levels):
    """Return the slot with the tables for this family, filled now if there is none.

    The tables of the likelihood never change, those of a fixed alpha with the levels alone.
    """
    levels_key = 1.0 if kind == LIKELIHOOD else float(levels)
    cases_key = parent_levels if kind == EQUIVALENT else 1.0
    slot = int(31 * levels_key + cases_key) % len(made)
    if made[slot, 0] != levels_key or made[slot, 1] != cases_key:
        fill_tables(tables[slot, 0], tables[slot, 1], kind, alpha, levels, parent_levels)
        made[slot, 0] = levels_key
        made[slot, 1] = cases_key
    return slot


@njit(cache=True, nogil=True)
def mask_gains(
    masks, planes, offsets, cardinalities, child, cases, kind, alpha, penalty, made, tables, gains
):
    """Fill ``gains`` from the masks of the family as it is, ``cases`` its parent configurations.

    ``gains`` are those of the first variables; where it is empty only the score is computed.
    ``made`` and ``tables`` are those of ``empty_tables``, for as many families as wanted.
    Returns the score of the family as it is.
    """
    levels = cardinalities[child]
    sizes = np.empty(len(masks), np.int64)
    some = planes[: offsets[len(gains)]]
    counts = np.empty((len(masks), len(some)), np.int64)
    fill_sizes(masks, sizes)
    fill_counts(masks, some, counts)
    now = 0.0
    found_for = slot = 0
    # First the family as it is, that is, with a parent of one level; then each variable.
    for j in range(-1, len(gains)):
        others = 1 if j < 0 else cardinalities[j]
        first = 0 if j < 0 else offsets[j]
        if others != found_for:
            slot = find_tables(made, tables, kind, alpha, levels, cases * others)
            found_for = others
        score = score_with(counts, sizes, first, levels, others, tables[slot, 0], tables[slot, 1])
        score -= penalty * (levels - 1) * cases * others
        if j < 0:
            now = score
        else:
            gains[j] = score - now
    return now


#: Gains smaller than this are rounding.
LEAST_GAIN = 1e-9
_1 = np.uint64(1)


def algorithm_b(rows, cardinalities, kind, alpha, penalty, max_parents, largest):
    """Find parents by Algorithm B from the empty graph: (d, most) indices, and their numbers."""
    n, d = rows.shape
    parents, number = np.zeros((d, max_parents), np.int64), np.zeros(d, np.int64)
    ancestors = np.zeros((d, (d + 63) // 64), np.uint64)
    gains, new = np.zeros((d, d)), np.empty(d)
    best, top = np.zeros(d, np.int64), np.zeros(d)
    planes, offsets, everything = pack_planes(rows, cardinalities)
    _add_arcs(
        planes, offsets, cardinalities, everything, kind, alpha, penalty, float(largest),
        parents, number, ancestors, gains, *empty_tables(n), new, best, top,
    )  # fmt: skip
    return parents, number


@inner
def holds(bits, i, j):
    """Decide if element ``j`` is in bit set ``i``."""
    return (bits[i, j >> 6] >> np.uint64(j & 63)) & _1 == _1


@hot
def add_ancestors(ancestors, parent, child):
    """Keep the ancestor sets right after the arc from ``parent`` to ``child``."""
    d, words = ancestors.shape
    for i in range(d):
        if i == child or holds(ancestors, i, child):
            for w in range(words):
                ancestors[i, w] |= ancestors[parent, w]
            ancestors[i, parent >> 6] |= _1 << np.uint64(parent & 63)


@njit(cache=True, nogil=True)
def _add_arcs(
    planes, offsets, cardinalities, everything, kind, alpha, penalty, largest,
    parents, number, ancestors, gains, made, tables, new, best, top,
):  # fmt: skip
    """Add the arc that helps most while one helps.

    Only the gains of the child that got a parent are computed again. An arc that would close
    a cycle now would do so for ever, so it is struck out when it first comes up.
    """
    d, max_parents = parents.shape
    turn = 0
    while True:
        # The first d turns look at each child once, the others add an arc each.
        i = min(turn, d - 1)
        if turn >= d:
            i = np.int64(0)
            for j in range(1, d):
                if top[j] > top[i] + LEAST_GAIN:
                    i = j
            if not top[i] > LEAST_GAIN:
                return
        j = i if turn < d else best[i]
        gains[i, j] = -np.inf
        grows = turn < d or not holds(ancestors, j, i)
        if turn >= d and grows:
            parents[i, number[i]] = j
            number[i] += 1
            add_ancestors(ancestors, j, i)
        turn += 1
        if grows:
            own = parents[i, : number[i]]
            masks = configurations(planes, offsets, cardinalities, everything, own)
            masks = split_masks(masks, planes, offsets[i], cardinalities[i])
            cases = 1.0
            for a in range(number[i]):
                cases *= cardinalities[parents[i, a]]
            mask_gains(
                masks, planes, offsets, cardinalities, i, cases, kind, alpha, penalty,
                made, tables, new,
            )  # fmt: skip
            full = number[i] >= max_parents
            for k in range(d):
                too_large = cases * cardinalities[i] * cardinalities[k] > largest
                if full or gains[i, k] == -np.inf or too_large:
                    new[k] = -np.inf
                gains[i, k] = new[k]
        best[i] = 0
        for j in range(1, d):
            if gains[i, j] > gains[i, best[i]] + LEAST_GAIN:
                best[i] = j
        top[i] = gains[i, best[i]]
