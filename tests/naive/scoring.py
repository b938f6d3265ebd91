"""Confusion counts, probabilities and ranks, one pair of rows at a time."""

from __future__ import annotations

import math


def naive_confusion(values, labels, target, weight, n_classes):
    """True class, then predicted class; values has shape (outputs, rows)."""
    counts = [[0.0] * n_classes for _ in range(n_classes)]
    for r, truth in enumerate(target):
        row = [float(output[r]) for output in values]
        said = (1 if row[0] > 0 else 0) if len(row) == 1 else row.index(max(row))
        counts[truth][labels[said]] += weight[r]
    return counts


def naive_probabilities(values):
    """Softmax of each row; values has shape (outputs, rows)."""
    rows = []
    for r in range(len(values[0])):
        row = [float(output[r]) for output in values]
        row = [0.0, row[0]] if len(row) == 1 else row
        odds = [math.exp(v - max(row)) for v in row]
        rows.append([o / sum(odds) for o in odds])
    return [list(column) for column in zip(*rows, strict=True)]


def naive_area(scores, positive, weight):
    """Chance that a positive row is ranked before another one, ties half."""
    won, pairs = 0.0, 0.0
    for a, good in enumerate(positive):
        for b, other in enumerate(positive):
            if good and not other:
                both = weight[a] * weight[b]
                pairs += both
                won += both * ((scores[a] > scores[b]) + 0.5 * (scores[a] == scores[b]))
    return won / pairs if pairs else float("nan")


def naive_average_precision(scores, positive, weight):
    """Sum over the thresholds of precision times the step in recall."""
    whole = sum(w for w, good in zip(weight, positive, strict=True) if good)
    total, before = 0.0, 0.0
    for threshold in sorted(set(scores), reverse=True):
        kept = [r for r, score in enumerate(scores) if score >= threshold]
        hit = sum(weight[r] for r in kept if positive[r])
        total += (hit - before) / whole * hit / sum(weight[r] for r in kept)
        before = hit
    return total
