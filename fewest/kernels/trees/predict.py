"""Sending rows down a finished decision tree."""

import numpy as np
from numba import njit

from ..inner import inner


@inner
def pick_branch(value, cut, nominal):
    """The branch of a value, -1 where it is unknown."""
    if np.isnan(value):
        return -1
    if nominal:
        return int(value)
    return 0 if value <= cut else 1


@njit(cache=True, nogil=True)
def send_down(values, nominal, feature, cut, first, children, shares, largest, chances, split):
    """Class probabilities of rows: those of the leaves they reach, by the share that gets there.

    Parameters
    ----------
    values : float64 array of shape (rows, features), NaN where unknown
    nominal : bool array of shape (features,)
    feature, cut, first, largest : arrays of shape (nodes,)
        What a node tests (-1 a leaf), where its branches start in ``children`` and ``shares``,
        and which of them is the largest.
    chances : float64 array of shape (nodes, classes)
    split : bool
        Whether an unknown value goes down every branch, or the largest only.
    """
    out = np.zeros((values.shape[0], chances.shape[1]))
    stack = np.empty(children.size + 1, dtype=np.int64)
    weight = np.empty(children.size + 1)
    for i in range(values.shape[0]):
        stack[0], weight[0], top = 0, 1.0, 1
        while top > 0:
            top -= 1
            node, w = stack[top], weight[top]
            f = feature[node]
            branch = -1 if f < 0 else pick_branch(values[i, f], cut[node], nominal[f])
            if f >= 0 and branch < 0 and split:
                # The last branch first: leaves are then met in the order of the tree.
                for at in range(first[node + 1] - 1, first[node] - 1, -1):
                    if children[at] >= 0:
                        stack[top], weight[top] = children[at], w * shares[at]
                        top += 1
                continue
            if f >= 0:
                child = children[first[node] + (largest[node] if branch < 0 else branch)]
                if child >= 0:
                    stack[top], weight[top] = child, w
                    top += 1
                    continue
            out[i] += w * chances[node]
    return out
