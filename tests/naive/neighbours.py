"""Nearest neighbours under weights, one difference at a time."""

from __future__ import annotations

import math
from collections import Counter


def naive_difference(a, b, label, width):
    if math.isnan(a) or math.isnan(b):
        return 1.0
    if label:
        return 0.0 if a == b else 1.0
    return 0.0 if width == 0 else ((a - b) / width) ** 2


def naive_widths(rows, labels):
    widths = []
    for j, label in enumerate(labels):
        known = [row[j] for row in rows if not math.isnan(row[j])]
        widths.append(0.0 if label or not known else max(known) - min(known))
    return widths


def naive_class(rows, target, labels, weights, query, k, voters=None):
    """The class of the k nearest rows and of those as far as the k-th; some of the rows vote."""
    widths = naive_widths(rows, labels)
    distances = {
        j: sum(
            w * naive_difference(a, b, label, width)
            for w, a, b, label, width in zip(weights, query, rows[j], labels, widths, strict=True)
        )
        for j in (range(len(rows)) if voters is None else voters)
    }
    limit = sorted(distances.values())[k - 1] * (1 + 1e-12)
    votes = Counter(target[j] for j, d in distances.items() if d <= limit)
    overall = Counter(target)
    return min(votes, key=lambda c: (-votes[c], -overall[c], c))


def naive_edited(rows, target, labels, weights, k):
    """The positions of the rows whose k nearest others vote for their class (Wilson, 1972)."""
    kept = []
    for i, row in enumerate(rows):
        others = [j for j in range(len(rows)) if j != i]
        if naive_class(rows, target, labels, weights, row, k, others) == target[i]:
            kept.append(i)
    return kept if len(kept) >= k else list(range(len(rows)))


def naive_leave_one_out(rows, target, labels, weights, k, voters=None):
    """The predicted class of every row when it is left out; some of the rows vote."""
    out = []
    for i, row in enumerate(rows):
        others = [r for j, r in enumerate(rows) if j != i]
        classes = [c for j, c in enumerate(target) if j != i]
        places = None if voters is None else [j - (j > i) for j in voters if j != i]
        out.append(naive_class(others, classes, labels, weights, row, k, places))
    return out


def naive_nearest(rows, query, k, power):
    """The positions and distances of the k nearest rows; of equals the earlier ones."""
    distances = []
    for position, row in enumerate(rows):
        total = 0.0
        for a, b in zip(query, row, strict=True):
            apart = abs(a - b)
            total += apart * apart if power == 2 else apart**power
        distances.append((total, position))
    nearest = sorted(distances)[:k]
    return [position for _, position in nearest], [d ** (1 / power) for d, _ in nearest]


def naive_shares(rows, classes, n_classes, query, k, power, by_distance):
    """The shares of the votes of the k nearest rows for each class."""
    nearest, distances = naive_nearest(rows, query, k, power)
    weights = _weights(distances) if by_distance else [1.0] * k
    votes = [0.0] * n_classes
    for position, weight in zip(nearest, weights, strict=True):
        votes[classes[position]] += weight
    return [vote / sum(weights) for vote in votes]


def naive_mean(rows, numbers, query, k, power, by_distance):
    """The mean answer of the k nearest rows."""
    nearest, distances = naive_nearest(rows, query, k, power)
    weights = _weights(distances) if by_distance else [1.0] * k
    total = sum(w * numbers[position] for w, position in zip(weights, nearest, strict=True))
    return total / sum(weights)


def _weights(distances):
    """Inverse distances; where some are 0, these alone count."""
    if 0.0 in distances:
        return [float(d == 0.0) for d in distances]
    return [1.0 / d for d in distances]
