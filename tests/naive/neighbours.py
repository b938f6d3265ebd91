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


def naive_class(rows, target, labels, weights, query, k):
    """The class of the k nearest rows and of those as far as the k-th."""
    widths = naive_widths(rows, labels)
    distances = [
        sum(
            w * naive_difference(a, b, label, width)
            for w, a, b, label, width in zip(weights, query, row, labels, widths, strict=True)
        )
        for row in rows
    ]
    limit = sorted(distances)[k - 1] * (1 + 1e-12)
    votes = Counter(c for c, d in zip(target, distances, strict=True) if d <= limit)
    overall = Counter(target)
    return min(votes, key=lambda c: (-votes[c], -overall[c], c))


def naive_leave_one_out(rows, target, labels, weights, k):
    """The predicted class of every row when it is left out."""
    out = []
    for i, row in enumerate(rows):
        others = [r for j, r in enumerate(rows) if j != i]
        classes = [c for j, c in enumerate(target) if j != i]
        out.append(naive_class(others, classes, labels, weights, row, k))
    return out


def naive_vote_of_nearest(rows, classes, query, others, k, squared):
    """The class that any k nearest rows vote for, the first of equals; None if it depends.

    Every choice of k rows is tried in which no row outside is nearer than one inside.
    """

    def distance(row):
        apart = [abs(a - b) for a, b in zip(rows[query], rows[row], strict=True)]
        return sum(d * d for d in apart) if squared else sum(apart)

    known = sorted((distance(row), row) for row in others)
    limit = known[k - 1][0]
    sure = [row for d, row in known if d < limit]
    tied = [row for d, row in known if d == limit]
    places, names = k - len(sure), sorted(set(classes))
    winners = set()
    for shares in _shares(places, [sum(classes[row] == c for row in tied) for c in names]):
        votes = [sum(classes[row] == c for row in sure) for c in names]
        votes = [own + more for own, more in zip(votes, shares, strict=True)]
        winners.add(names[votes.index(max(votes))])
    return winners.pop() if len(winners) == 1 else None


def _shares(places, counts):
    """All ways to take so many from several heaps."""
    if not counts:
        return [[]] if places == 0 else []
    return [
        [taken, *rest]
        for taken in range(min(places, counts[0]) + 1)
        for rest in _shares(places - taken, counts[1:])
    ]
