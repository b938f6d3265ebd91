"""How many rows classifiers get right whose features form a tree, or hang on the class alone."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from ..networks.spanning_tree import maximum_spanning_tree

#: Rows worked on at a time, so that their sums stay in the cache of the processor.
BLOCK = 512


@njit(cache=True, nogil=True)
def spanning_trees(weights, candidates):
    """Return the parents in the maximum spanning tree of each subset, shape (m, d)."""
    parents = np.empty(candidates.shape, dtype=np.int64)
    for row in range(len(candidates)):
        parents[row], _ = maximum_spanning_tree(weights, candidates[row])
    return parents


@njit(cache=True, nogil=True)
def _largest(totals, row, fallback):
    """Return the first class of the largest posterior; ``fallback`` where no class is possible.

    Posteriors can be equal where their logarithms still differ in the last digit, and then the
    first class is meant: only what is that close is raised to a power.
    """
    n_classes = totals.shape[0]
    best = 0
    for c in range(1, n_classes):
        if totals[c, row] > totals[best, row]:
            best = c
    top = totals[best, row]
    if top == -np.inf:
        return fallback
    near = 0
    for c in range(n_classes):
        near += totals[c, row] > top - 1e-9
    if near == 1:
        return best
    whole = 0.0
    for c in range(n_classes):
        whole += math.exp(totals[c, row] - top)
    best = 0
    share = -1.0
    for c in range(n_classes):
        other = math.exp(totals[c, row] - top) / whole
        if other > share:
            best, share = c, other
    return best


@njit(cache=True, nogil=True)
def _find_cells(cells, child, parent, size, root):
    """Where the values of each row stand in the table of an arc."""
    for row in range(len(child)):
        value = max(np.int64(child[row]), 0)
        cells[row] = value if root else max(np.int64(parent[row]), 0) * size + value


@njit(cache=True, nogil=True)
def _add(totals, cells, logs, count):
    """Add the logarithms of all classes; ``logs`` has a row a class."""
    for c in range(len(totals)):
        for row in range(count):
            totals[c, row] += logs[c, cells[row]]


@njit(cache=True, nogil=True)
def right_rows(codes, target, holes, prior, arcs, starts, logs, arc_of):
    """Rows of each classifier whose most probable class is their own, shape (m,).

    Parameters
    ----------
    codes : int32 array of shape (d, n), -1 where unknown
    target : integer array of shape (n,)
    holes : bool array of shape (d,)
        The columns that have unknown values.
    prior : float64 array of shape (classes,)
        Logarithms of the class probabilities.
    arcs : int64 array of shape (a, 3)
        Child, parent (-1 for none but the class) and number of values of the child.
    starts : int64 array of shape (a,)
        Where the table of an arc begins in ``logs``.
    logs : float64 array of shape (classes, cells)
        log P(child | class, parent), the value of the child varying fastest.
    arc_of : int64 array of shape (m, d)
        The arc that leads to each feature; -1 for features outside.

    Notes
    -----
    Rows in which a feature inside is unknown are not counted. The logarithms of a row are added
    up in the order of the columns, whatever the batch.
    """
    d, n = codes.shape
    totals = np.empty((len(prior), BLOCK))
    cells = np.empty(BLOCK, dtype=np.int64)
    known = np.empty(BLOCK, dtype=np.bool_)
    fallback = np.argmax(prior)
    right = np.zeros(len(arc_of), dtype=np.int64)
    for m in range(len(arc_of)):
        for first in range(0, n, BLOCK):
            last = min(first + BLOCK, n)
            known[:] = True
            for c in range(len(prior)):
                totals[c] = prior[c]
            for j in range(d):
                a = arc_of[m, j]
                if a < 0:
                    continue
                child = codes[j, first:last]
                if holes[j]:
                    known[: last - first] &= child >= 0
                p = arcs[a, 1]
                _find_cells(cells, child, codes[max(p, 0), first:last], arcs[a, 2], p < 0)
                _add(totals, cells, logs[:, starts[a] :], last - first)
            for row in range(last - first):
                if known[row]:
                    right[m] += _largest(totals, row, fallback) == target[first + row]
    return right


@njit(cache=True, nogil=True)
def log_joints(codes, prior, arcs, starts, logs, arc_of):
    """Logarithms of the joint probability of every class and row, shape (m, classes, rows).

    Parameters are those of :func:`right_rows`; no value may be unknown.
    """
    n, n_classes = codes.shape[1], len(prior)
    totals = np.empty((len(arc_of), n_classes, n))
    cells = np.empty(n, dtype=np.int64)
    for m in range(len(arc_of)):
        for c in range(n_classes):
            totals[m, c] = prior[c]
        for j in range(len(codes)):
            a = arc_of[m, j]
            if a >= 0:
                p = arcs[a, 1]
                _find_cells(cells, codes[j], codes[max(p, 0)], arcs[a, 2], p < 0)
                _add(totals[m], cells, logs[:, starts[a] :], n)
    return totals
