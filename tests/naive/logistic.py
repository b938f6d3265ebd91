"""Softmax regression by plain Newton steps with whole matrices."""

from __future__ import annotations

import numpy as np


def naive_loss(x, code, weight, penalty, point):
    """Penalised loss; point has shape (outputs, d + 1), intercepts last."""
    margin = point[:, :-1] @ x + point[:, -1:]
    if len(point) == 1:
        margin = np.vstack([np.zeros(x.shape[1]), margin])
    total = 0.0
    for r, c in enumerate(code):
        total += weight[r] * (np.log(np.exp(margin[:, r]).sum()) - margin[c, r])
    return total + 0.5 * (penalty * point[:, :-1] ** 2).sum()


def naive_slope(x, code, weight, penalty, point, step=1e-6):
    """The gradient by differences."""
    slope = np.empty(point.shape)
    for place in np.ndindex(*point.shape):
        up, down = point.copy(), point.copy()
        up[place] += step
        down[place] -= step
        rise = naive_loss(x, code, weight, penalty, up)
        slope[place] = (rise - naive_loss(x, code, weight, penalty, down)) / (2 * step)
    return slope


def loss_and_slope(X, code, weight, penalty, point):
    """Penalised loss of rows X and its gradient, by the formulas."""
    value = naive_loss(X.T, code, weight, penalty, point)
    margin = point[:, :-1] @ X.T + point[:, -1:]
    if len(point) == 1:
        away = weight * (1.0 / (1.0 + np.exp(-margin)) - code)
    else:
        share = np.exp(margin) / np.exp(margin).sum(axis=0)
        away = weight * (share - (np.arange(len(point))[:, None] == code))
    slope = np.column_stack([away @ X + penalty * point[:, :-1], away.sum(axis=1)])
    return value, slope
