"""Inclusion probabilities by fitting every model with least squares, one after the other."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np


def naive_log_likelihood(X, Y, members, g):
    """Log marginal likelihood over that of the model without features, by the definition."""
    n, q = Y.shape
    Y = Y - Y.mean(axis=0)
    if not members:
        return 0.0
    A = np.column_stack([np.ones(n), X[:, members]])
    fitted = A @ np.linalg.lstsq(A, Y, rcond=None)[0]
    shrunken = Y.T @ Y - g / (1 + g) * fitted.T @ fitted
    ratio = np.linalg.slogdet(shrunken)[1] - np.linalg.slogdet(Y.T @ Y)[1]
    return -0.5 * len(members) * q * np.log(1 + g) - 0.5 * (n - 1) * ratio


def naive_inclusion(X, Y, blocks, g, most):
    """The inclusion probability of every block of columns, all sizes being equally likely."""
    d, total, found = len(blocks), 0.0, np.zeros(len(blocks))
    for size in range(d + 1):
        for chosen in combinations(range(d), size):
            members = [j for b in chosen for j in blocks[b]]
            A = X[:, members] - X[:, members].mean(axis=0)
            if len(members) > most or np.linalg.matrix_rank(A, tol=1e-6) < len(members):
                continue
            weight = np.exp(naive_log_likelihood(X, Y, members, g)) / comb(d, size)
            total += weight
            found[list(chosen)] += weight
    return found / total


def naive_gibbs(X, Y, blocks, g, most, uniform, burn):
    """The same by sampling: every block is drawn anew, then blocks change places."""
    d, inside, found = len(blocks), set(), np.zeros(len(blocks))

    def value(chosen):
        members = [j for b in sorted(chosen) for j in blocks[b]]
        A = X[:, members] - X[:, members].mean(axis=0)
        if len(members) > most or np.linalg.matrix_rank(A, tol=1e-6) < len(members):
            return -np.inf
        return naive_log_likelihood(X, Y, members, g)

    def weight(chosen):
        return np.exp(value(chosen)) / comb(d, len(chosen))

    for sweep, (flips, leave, join) in enumerate(uniform):
        for f in range(d):
            with_it, without = weight(inside | {f}), weight(inside - {f})
            chance = with_it / (with_it + without)
            found[f] += chance if sweep >= burn else 0.0
            inside = inside | {f} if flips[f] < chance else inside - {f}
        for turn in range(len(inside)):
            inside = inside - {sorted(inside)[int(leave[turn] * len(inside))]}
            outside = [h for h in range(d) if h not in inside]
            shares = np.cumsum([np.exp(value(inside | {h})) for h in outside])
            inside = inside | {outside[int(np.searchsorted(shares, join[turn] * shares[-1]))]}
    return found / (len(uniform) - burn)
