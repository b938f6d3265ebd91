"""Entropies and evidence of small tables with many zeros, one cell at a time."""

from __future__ import annotations

import math


def margins(values, mean, variance, log_prior, target, subset):
    """How far the class of each row is ahead of each other class, in the order of the classes."""
    out = []
    for row, truth in zip(values, target, strict=True):
        total = list(log_prior)
        for c in range(len(total)):
            for j in subset:
                if variance[c][j] < math.inf:
                    away = row[j] - mean[c][j]
                    log = math.log(2 * math.pi * variance[c][j])
                    total[c] -= 0.5 * (log + away * away / variance[c][j])
        out.append([total[truth] - total[c] for c in range(len(total)) if c != truth])
    return out
