"""Naive Bayes one row, one feature, one class at a time; and its cross-validated accuracy."""

from __future__ import annotations

import math


def _known(value):
    return value is not None and value == value


def naive_bayes_log_scores(train, y, test, floor, alpha=1.0):
    """Log prior plus log-likelihoods; strings are nominal, numbers continuous."""
    classes = sorted({int(c) for c in y})
    return [[_score(train, y, row, c, floor, alpha) for c in classes] for row in test]


def _score(train, y, row, c, floor, alpha):
    total = math.log(sum(1 for v in y if v == c) / len(y))
    for j, value in enumerate(row):
        column = [(r[j], cls) for r, cls in zip(train, y, strict=True) if _known(r[j])]
        if not _known(value) or not column:
            continue
        mine = [v for v, cls in column if cls == c]
        everything = [v for v, _ in column]
        if isinstance(everything[0], str):
            if value in everything:
                p = (mine.count(value) + alpha) / (len(mine) + alpha * len(set(everything)))
                total += math.log(p)
            continue
        if len(set(everything)) == 1:
            continue
        mine = mine or everything
        spread = max(_variance(mine), floor * _variance(everything))
        mean = sum(mine) / len(mine)
        total += -0.5 * math.log(2 * math.pi * spread) - (value - mean) ** 2 / (2 * spread)
    return total


def _variance(values):
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values) / len(values)


def fold_accuracies(rows, y, folds, columns, floor, alpha=1.0):
    """Accuracy by fold of the features in ``columns`` alone."""
    classes = sorted({int(c) for c in y})
    accuracies = []
    for train, test in folds:
        scores = naive_bayes_log_scores(
            [[rows[i][j] for j in columns] for i in train],
            [y[i] for i in train],
            [[rows[i][j] for j in columns] for i in test],
            floor,
            alpha,
        )
        right = [classes[s.index(max(s))] == y[i] for s, i in zip(scores, test, strict=True)]
        accuracies.append(sum(right) / len(right))
    return accuracies
