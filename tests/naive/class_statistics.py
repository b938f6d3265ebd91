"""Weighted moments and level counts by class, one value at a time."""

from __future__ import annotations

import math


def naive_moments(values, target, weight, n_classes):
    """Weight, mean and variance by class, and of all classes in the last row."""
    count, mean, variance = [], [], []
    for c in range(n_classes + 1):
        rows = [i for i in range(len(target)) if c in (target[i], n_classes)]
        triples = [_moments([(values[i][j], weight[i]) for i in rows]) for j in _columns(values)]
        count.append([t[0] for t in triples])
        mean.append([t[1] for t in triples])
        variance.append([t[2] for t in triples])
    return count, mean, variance


def _columns(values):
    return range(len(values[0]))


def _moments(pairs):
    known = [(v, w) for v, w in pairs if v == v]
    total = sum(w for _, w in known)
    if total == 0:
        return 0.0, 0.0, 0.0
    mean = sum(v * w for v, w in known) / total
    return total, mean, sum(w * (v - mean) ** 2 for v, w in known) / total


def naive_level_counts(codes, target, weight, n_classes, n_levels):
    """Weight by column, level and class."""
    return [
        [
            [
                sum(
                    w
                    for row, t, w in zip(codes, target, weight, strict=True)
                    if row[j] == level and t == c
                )
                for c in range(n_classes)
            ]
            for level in range(n_levels)
        ]
        for j in _columns(codes)
    ]


def naive_evidence(values, nominal, levels, mean, variance):
    """Log-likelihoods by column, class and row; 0 for what is unknown, new or constant."""

    def one(j, c, value):
        if value != value:
            return 0.0
        if nominal[j]:
            return levels[j][int(value)][c] if value < len(levels[j]) else 0.0
        if variance[c][j] == math.inf:
            return 0.0
        density = math.exp(-((value - mean[c][j]) ** 2) / (2 * variance[c][j]))
        return math.log(density / math.sqrt(2 * math.pi * variance[c][j]))

    return [
        [[one(j, c, row[j]) for row in values] for c in range(len(mean))] for j in _columns(values)
    ]
