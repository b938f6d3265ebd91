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
                total += _log_share(mine.count(value), len(mine), len(set(everything)), alpha)
            continue
        if len(set(everything)) == 1:
            continue
        mine = mine or everything
        spread = max(_variance(mine), floor * _variance(everything))
        mean = sum(mine) / len(mine)
        total += -0.5 * math.log(2 * math.pi * spread) - (value - mean) ** 2 / (2 * spread)
    return total


def _log_share(count, known, levels, alpha):
    """Logarithm of a frequency; even where the class knows nothing and there is no alpha."""
    if known + alpha * levels == 0:
        return math.log(1 / levels)
    p = (count + alpha) / (known + alpha * levels)
    return math.log(p) if p > 0 else -math.inf


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
        trained = [int(y[i]) for i in train]
        answers = [_answer(s, classes, trained) for s in scores]
        right = [a == y[i] for a, i in zip(answers, test, strict=True)]
        accuracies.append(sum(right) / len(right))
    return accuracies


def _answer(scores, classes, trained):
    """The best class; the most frequent one where every class is ruled out."""
    if max(scores) == -math.inf:
        return max(classes, key=trained.count)
    return classes[scores.index(max(scores))]
