"""Filters for numeric targets, pair by pair."""

from __future__ import annotations

from math import sqrt


def distance_correlation(x, y):
    """From the definition, with loops."""
    n = len(x)

    def centred(v):
        a = [[abs(p - q) for q in v] for p in v]
        rows = [sum(r) / n for r in a]
        all_ = sum(rows) / n
        return [[a[i][j] - rows[i] - rows[j] + all_ for j in range(n)] for i in range(n)]

    a, b = centred(x), centred(y)

    def mean(p, q):
        return sum(p[i][j] * q[i][j] for i in range(n) for j in range(n)) / n**2

    below = sqrt(mean(a, a) * mean(b, b))
    return sqrt(mean(a, b) / below) if below > 0 else 0.0


def mutual_information(x, y, k, digamma):
    """Kraskov's first estimator, with all distances."""
    n, total = len(x), 0.0
    for i in range(n):
        far = sorted(max(abs(x[i] - x[o]), abs(y[i] - y[o])) for o in range(n) if o != i)
        radius = far[k - 1]
        near_x = sum(abs(x[i] - x[o]) < radius or x[i] == x[o] for o in range(n))
        near_y = sum(abs(y[i] - y[o]) < radius or y[i] == y[o] for o in range(n))
        total += digamma(near_x) + digamma(near_y)
    return max(0.0, digamma(n) + digamma(k) - total / n)


def rrelieff(X, y, k, influence=None):
    """Weights for columns and a target that are scaled to [0, 1]; by rank where it is given."""
    share = [1.0] * k if influence is None else influence
    share = [s / sum(share) for s in share]
    n, d = len(X), len(X[0])
    target, value, both = 0.0, [0.0] * d, [0.0] * d
    for i in range(n):
        far = [(sum(abs(X[i][j] - X[o][j]) for j in range(d)), o) for o in range(n) if o != i]
        for s, (_, o) in zip(share, sorted(far), strict=False):
            apart = abs(y[i] - y[o])
            target += apart * s
            for j in range(d):
                value[j] += abs(X[i][j] - X[o][j]) * s
                both[j] += abs(X[i][j] - X[o][j]) * apart * s
    return [both[j] / target - (value[j] - both[j]) / (n - target) for j in range(d)]
