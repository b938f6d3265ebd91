"""Softmax regression by plain Newton steps with whole matrices, one coefficient per class."""

from __future__ import annotations

import numpy as np


def naive_shares(X, point):
    """Probabilities of rows X, classes first; one output stands for class 1 against class 0."""
    margin = point @ X.T
    if len(point) == 1:
        margin = np.vstack([np.zeros(len(X)), margin])
    share = np.exp(margin - margin.max(axis=0))
    return share / share.sum(axis=0)


def naive_slope(X, code, weight, penalty, point):
    """Gradient of the penalised loss, row by row."""
    slope = penalty * point
    share = naive_shares(X, point)[-len(point) :]
    first = 1 if len(point) == 1 else 0
    for r, c in enumerate(code):
        for k in range(len(point)):
            slope[k] += weight[r] * (share[k, r] - (c == k + first)) * X[r]
    return slope


def naive_curvature(X, weight, penalty, point):
    """Second derivatives, classes first, then columns."""
    outputs, d = point.shape
    share = naive_shares(X, point)[-outputs:]
    whole = np.zeros((outputs, d, outputs, d))
    for r, row in enumerate(X):
        bend = np.diag(share[:, r]) - np.outer(share[:, r], share[:, r])
        whole += weight[r] * np.einsum("st,a,b->satb", bend, row, row)
    for k in range(outputs):
        whole[k, :, k, :] += np.diag(penalty)
    return whole.reshape(outputs * d, outputs * d)


def naive_optimum(X, code, weight, penalty, classes, steps=100):
    """Coefficients of each class but the first less those of the first, by Newton steps.

    A step is halved until the gradient shrinks. What all classes share is left alone.
    """
    point = np.zeros((1 if classes == 2 else classes, X.shape[1]))
    for _ in range(steps):
        slope = naive_slope(X, code, weight, penalty, point)
        if np.abs(slope).max() < 1e-12:
            break
        whole = naive_curvature(X, weight, penalty, point)
        move = np.linalg.lstsq(whole, slope.ravel(), rcond=1e-13)[0].reshape(point.shape)
        length = 1.0
        while length > 1e-4 and not (
            np.linalg.norm(naive_slope(X, code, weight, penalty, point - length * move))
            < np.linalg.norm(slope)
        ):
            length /= 2.0
        point = point - length * move
    return point if classes == 2 else point[1:] - point[0]
