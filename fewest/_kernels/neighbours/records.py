"""Training rows with a record of how well they classify, and weights that follow it."""

import math

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, error_model="numpy")
def wilson(successes, attempts, z):
    """Return the ends of Wilson's interval for a share of ``attempts``.

    Aha, Kibler and Albert (1991, section 4.2); without an attempt it is 0 to 1.
    """
    if attempts <= 0:
        return 0.0, 1.0
    p, square = successes / attempts, z * z / attempts
    middle = p + square / 2
    half = z * math.sqrt((p * (1 - p) + square / 4) / attempts)
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


@njit(cache=True, nogil=True, error_model="numpy")
def feature_differences(one, other, scale, nominal, out):
    """Write the differences of two rows, each between 0 and 1, to ``out``; 1 where unknown."""
    for j in range(len(one)):
        a, b = one[j], other[j]
        if math.isnan(a) or math.isnan(b):
            out[j] = 1.0
        elif nominal[j]:
            out[j] = 1.0 if a != b else 0.0
        else:
            out[j] = min(abs(a - b) * scale[j], 1.0)


@njit(cache=True, nogil=True, error_model="numpy")
def learn_records(rows, member, scale, nominal, weigh, store_all, picks, accept, drop):
    """Learn one concept by one pass over the rows: who is kept, who is accepted, and weights.

    IB3 (Aha, Kibler and Albert, 1991) and, with ``weigh``, IB4 (Aha, 1992). ``member`` tells
    whether each row belongs to the concept, ``picks`` are numbers in [0, 1) that choose a row by
    rank where none is accepted, ``accept`` and ``drop`` are the quantiles of the two intervals.
    A row is right about another if both belong to the concept, or neither does.
    """
    n, d = rows.shape
    kept, right, tried = np.zeros(n, np.bool_), np.zeros(n), np.zeros(n)
    frequency = np.zeros(2)
    weights, gained, counted = np.ones(d), np.zeros(d), 0.0
    distance, apart, best = np.empty(n), np.empty(d), np.empty(d)
    for i in range(n):
        nearest, any_kept = -1, 0
        for s in range(i):
            if not kept[s]:
                continue
            any_kept += 1
            feature_differences(rows[i], rows[s], scale, nominal, apart)
            distance[s] = np.sum((weights * apart) ** 2)
            if is_accepted(right[s], tried[s], frequency[member[s]], i, accept) and (
                nearest < 0 or distance[s] < distance[nearest]
            ):
                nearest = s
        if any_kept:
            if nearest < 0:
                nearest = by_rank(distance, kept, i, int(picks[i] * any_kept))
            agrees = member[nearest] == member[i]
            feature_differences(rows[i], rows[nearest], scale, nominal, best)
            limit = distance[nearest]
            for s in range(i):
                if kept[s] and distance[s] <= limit:
                    tried[s] += 1
                    right[s] += member[s] == member[i]
                    high = wilson(right[s], tried[s], drop)[1]
                    kept[s] = high >= wilson(frequency[member[s]], i, drop)[0]
            if weigh:
                stake = 1 - max(frequency[member[i]], frequency[member[nearest]]) / i
                gained += stake * (1 - best if agrees else best)
                counted += stake
                if counted > 0:
                    weights = np.maximum(gained / counted - 0.5, 0.0)
                if not weights.any():
                    weights = np.ones(d)
            kept[i] = store_all or not agrees
        else:
            kept[i] = True
        frequency[member[i]] += 1
    accepted = np.zeros(n, np.bool_)
    for s in range(n):
        accepted[s] = kept[s] and is_accepted(right[s], tried[s], frequency[member[s]], n, accept)
    return kept, accepted, weights


@njit(cache=True, nogil=True, error_model="numpy")
def is_accepted(right, tried, frequency, seen, z):
    """Return whether a record is significantly better than the frequency of its kind."""
    return tried > 0 and wilson(right, tried, z)[0] > wilson(frequency, seen, z)[1]


@njit(cache=True, nogil=True, error_model="numpy")
def by_rank(distance, kept, n, rank):
    """Return the kept row of this rank among the first ``n`` by distance, the nearest first."""
    places = np.flatnonzero(kept[:n])
    return places[np.argsort(distance[places], kind="mergesort")[rank]]


@njit(cache=True, nogil=True, error_model="numpy")
def concept_distances(queries, rows, member, usable, weights, scale, nominal):
    """Return the distances of queries to the nearest usable row inside and outside of a concept.

    Shape (queries, 2): outside, inside; relative to the length of the weights.
    """
    m, d = queries.shape
    out = np.full((m, 2), np.inf)
    apart = np.empty(d)
    length = np.sum(weights**2)
    for q in range(m):
        for s in range(len(rows)):
            if usable[s]:
                feature_differences(queries[q], rows[s], scale, nominal, apart)
                found = np.sum((weights * apart) ** 2) / length
                kind = int(member[s])
                out[q, kind] = min(out[q, kind], found)
    return out
