"""How many rows a Bayesian network classifier gets right, row by row."""

import math


def joint_logs(row, prior, tables):
    """Logarithm of the joint probability of a row and each class."""
    scores = []
    for c, share in enumerate(prior):
        score = math.log(share)
        for j, (parent, table) in sorted(tables.items()):
            p = table(c, None if parent is None else row[parent], row[j])
            score += math.log(p) if p > 0 else -math.inf
        scores.append(score)
    return scores


def right_rows(rows, target, prior, tables):
    """Rows without unknown values whose most probable class is their own.

    ``tables`` has, by feature, its parent (None for none) and a function from class, value of
    the parent and value to the probability.
    """
    count = 0
    for row, own in zip(rows, target, strict=True):
        if any(row[j] < 0 for j in tables):
            continue
        scores = joint_logs(row, prior, tables)
        if max(scores) == -math.inf:
            scores = list(prior)
        count += scores.index(max(scores)) == own
    return count
