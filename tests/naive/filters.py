"""Filters feature by feature, from columns of values."""

from __future__ import annotations

from math import sqrt

from tests.naive.entropies import entropy, information


def uncertainty(a, b):
    below = entropy(a) + entropy(b)
    return 2 * information(a, b) / below if below > 0 else 0.0


def cfs_merit(columns, c):
    k = len(columns)
    if k == 0:
        return 0.0
    with_class = sum(uncertainty(a, c) for a in columns)
    inside = sum(uncertainty(columns[i], columns[j]) for i in range(k) for j in range(i))
    return with_class / sqrt(k + 2 * inside)


def greedy_order(columns, gain):
    """Positions in the order in which they are added; ``gain(f, chosen)``, ties to the first."""
    chosen = []
    while len(chosen) < len(columns):
        left = [f for f in range(len(columns)) if f not in chosen]
        chosen.append(max(left, key=lambda f: (round(gain(f, chosen), 10), -f)))
    return chosen


def mrmr_order(columns, c):
    def gain(f, chosen):
        redundancy = sum(information(columns[f], columns[s]) for s in chosen)
        return information(columns[f], c) - redundancy / max(1, len(chosen))

    return greedy_order(columns, gain)


def jmi_order(columns, c):
    def gain(f, chosen):
        if not chosen:
            return information(columns[f], c)
        pairs = [list(zip(columns[f], columns[s], strict=True)) for s in chosen]
        return sum(information(pair, c) for pair in pairs)

    return greedy_order(columns, gain)


def cmim_order(columns, c):
    def gain(f, chosen):
        given = [information(columns[f], c, columns[s]) for s in chosen]
        return min([information(columns[f], c), *given])

    return greedy_order(columns, gain)


def koller_sahami(columns, c, gamma, neighbours, in_class=False):
    """Positions that are left when no feature adds less than gamma to its closest others.

    The closest others leave least of what the feature tells of the class, or, ``in_class``, tell
    most of the feature where the class is known.
    """
    left = list(range(len(columns)))

    def distance(f, g):
        if in_class:
            return -round(information(columns[f], columns[g], c), 10)
        return round(information(columns[f], c, columns[g]), 10)

    def needed(f):
        others = [g for g in left if g != f]
        others.sort(key=lambda g: (distance(f, g), g))
        return information(columns[f], c, *[columns[g] for g in others[:neighbours]])

    while left:
        worst = min(left, key=lambda f: (round(needed(f), 10), f))
        if needed(worst) >= gamma:
            break
        left.remove(worst)
    return left


def relief(rows, nominal, target, k):
    """ReliefF weights of complete rows, continuous columns already scaled to [0, 1].

    Rows as far as the k-th share the places that are left.
    """
    n, d = len(rows), len(rows[0])

    def difference(a, b, j):
        return float(a != b) if nominal[j] else abs(a - b)

    weights = [0.0] * d
    labels = sorted(set(target))
    share = {c: sum(t == c for t in target) / n for c in labels}
    for r in range(n):
        for c in labels:
            others = [o for o in range(n) if o != r and target[o] == c]
            others.sort(key=lambda o: sum(difference(rows[r][j], rows[o][j], j) for j in range(d)))
            far = {o: sum(difference(rows[r][j], rows[o][j], j) for j in range(d)) for o in others}
            near = others[:k]
            last = round(far[near[-1]], 9) if near else 0.0
            surely = [o for o in others if round(far[o], 9) < last]
            tied = [o for o in others if round(far[o], 9) == last]
            factor = -1.0 if c == target[r] else share[c] / (1 - share[target[r]])
            for o in surely + tied:
                part = 1.0 if o in surely else (len(near) - len(surely)) / len(tied)
                for j in range(d):
                    step = difference(rows[r][j], rows[o][j], j)
                    weights[j] += factor * part * step / (len(near) * n)
    return weights
