"""Least squares and discriminants with whole matrices, one subset at a time."""

from __future__ import annotations

import numpy as np


def naive_rules(gram, ridge, right, members):
    """Solve for the coefficients of some columns; zero for the others. Shape (rules, d)."""
    weights = np.zeros(right.shape)
    block = gram[np.ix_(members, members)] + np.diag(ridge[members])
    weights[:, members] = np.linalg.solve(block, right[:, members].T).T
    return weights


def naive_shortest(columns, targets, members, cut):
    """The shortest least squares solution, small singular values relative to the largest cut."""
    weights = np.zeros((targets.shape[1], columns.shape[1]))
    weights[:, members] = (np.linalg.pinv(columns[:, members], rcond=cut) @ targets).T
    return weights


def naive_inverse_rules(columns, right, members, cut):
    """Pseudo-inverse of W = X'X, eigenvalues up to ``cut`` dropped, times right-hand sides."""
    weights = np.zeros(right.shape)
    block = columns[:, members]
    _, values, vectors = np.linalg.svd(block, full_matrices=False)
    pairs = zip(values**2, vectors, strict=True)
    inverse = sum(np.outer(v, v) / value for value, v in pairs if value > cut)
    weights[:, members] = right[:, members] @ inverse
    return weights


def naive_quadratic(covariance, mean, log_prior, x, members):
    """Normal log-densities up to a constant, shape (classes, rows)."""
    values = np.empty((len(mean), x.shape[1]))
    for c in range(len(mean)):
        block = covariance[c][np.ix_(members, members)]
        for r in range(x.shape[1]):
            away = x[members, r] - mean[c, members]
            distance = away @ np.linalg.inv(block) @ away
            values[c, r] = log_prior[c] - 0.5 * distance - 0.5 * np.log(np.linalg.det(block))
    return values
