"""Scores of a variable given its parents, and what each further parent would add.

All scores are of one shape: a sum over cells of ``cell[N_ijk]`` minus a sum over parent
configurations of ``total[N_ij]`` minus ``penalty`` for each free parameter. For the maximised
likelihood both tables are x log x; for the Dirichlet scores they are differences of log gamma.
"""

import math

import numpy as np
from numba import njit

from ..counting.bitplanes import configurations, fill_counts, fill_sizes, mask_sizes, split_masks
from ..inner import hot

#: How a score's tables are made: maximised likelihood, Dirichlet with a fixed alpha a cell,
#: Dirichlet with a fixed equivalent sample size a family.
LIKELIHOOD, DIRICHLET, EQUIVALENT = 0, 1, 2
#: How many tables of a score are kept at a time.
SLOTS = 16


@hot
def fill_rising(table, start):
    """``table[n] = log gamma(start + n) - log gamma(start)``, by adding logarithms."""
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
    """How many configurations the parents can have."""
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
    """Score, before the penalty, of a child of ``levels`` with one more parent.

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
    """Room for the tables of a score at up to ``n`` rows, to be made when first asked for.

    ``made[s]`` says for how many levels and parent configurations slot s was filled.
    """
    return np.zeros((SLOTS, 2)), np.empty((SLOTS, 2, n + 1))


@hot
def find_tables(made, tables, kind, alpha, levels, parent_levels):
    """The slot that holds the tables for this family, filled now if none does.

    The tables of the likelihood never change, those of a fixed alpha with the levels alone.
    """
    levels_key = 1.0 if kind == LIKELIHOOD else float(levels)
    cases_key = parent_levels if kind == EQUIVALENT else 1.0
    slot = int(levels_key + 7.0 * math.log2(cases_key)) % SLOTS
    if made[slot, 0] != levels_key or made[slot, 1] != cases_key:
        fill_tables(tables[slot, 0], tables[slot, 1], kind, alpha, levels, parent_levels)
        made[slot, 0] = levels_key
        made[slot, 1] = cases_key
    return slot


@njit(cache=True, nogil=True)
def parent_gains(planes, offsets, cardinalities, everything, child, parents, kind, alpha, penalty):
    """What each other variable as one more parent would add to the score, shape (d,)."""
    made = np.zeros((SLOTS, 2))
    tables = np.empty((SLOTS, 2, mask_sizes(everything.reshape(1, -1))[0] + 1))
    masks = configurations(planes, offsets, cardinalities, everything, parents)
    masks = split_masks(masks, planes, offsets[child], cardinalities[child])
    gains = np.empty(len(cardinalities))
    cases = number_of_cases(cardinalities, parents)
    mask_gains(
        masks, planes, offsets, cardinalities, child, cases, kind, alpha, penalty, made, tables,
        gains,
    )  # fmt: skip
    return gains


@njit(cache=True, nogil=True)
def mask_gains(
    masks, planes, offsets, cardinalities, child, cases, kind, alpha, penalty, made, tables, gains
):
    """Fill ``gains`` from the masks of the family as it is, ``cases`` its parent configurations.

    ``made`` and ``tables`` are those of ``empty_tables``, for as many families as wanted.
    Returns the score of the family as it is.
    """
    levels = cardinalities[child]
    sizes = np.empty(len(masks), np.int64)
    counts = np.empty((len(masks), len(planes)), np.int64)
    fill_sizes(masks, sizes)
    fill_counts(masks, planes, counts)
    now = 0.0
    found_for = slot = 0
    # First the family as it is, that is, with a parent of one level; then each variable.
    for j in range(-1, len(cardinalities)):
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
