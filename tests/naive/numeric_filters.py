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


def rrelieff(X, y, k):
    """Weights for columns and a target that are scaled to [0, 1], neighbours equally weighted."""
    n, d = len(X), len(X[0])
    target, value, both = 0.0, [0.0] * d, [0.0] * d
    for i in range(n):
        far = [(sum(abs(X[i][j] - X[o][j]) for j in range(d)), o) for o in range(n) if o != i]
        for _, o in sorted(far)[:k]:
            apart = abs(y[i] - y[o])
            target += apart / k
            for j in range(d):
                value[j] += abs(X[i][j] - X[o][j]) / k
                both[j] += abs(X[i][j] - X[o][j]) * apart / k
    return [both[j] / target - (value[j] - both[j]) / (n - target) for j in range(d)]
