"""A table of majority classes as a dictionary."""

from __future__ import annotations

from collections import Counter


def naive_right(rows, classes, columns, train, test):
    """Test rows whose class is that of most equal training rows; see TableMajority for ties."""
    overall = Counter(classes[i] for i in train)
    table = {}
    for i in train:
        table.setdefault(tuple(rows[i][j] for j in columns), Counter())[classes[i]] += 1
    right = 0
    for i in test:
        counts = table.get(tuple(rows[i][j] for j in columns), overall)
        best = max(sorted(overall), key=lambda c: (counts[c], overall[c]))
        right += best == classes[i]
    return right
