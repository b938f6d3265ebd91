"""Conditional log-likelihood of a classifier whose features form a forest, by counting."""

from math import log2


def conditional_log_likelihood(rows, target, weights, chosen, edges):
    """Sum of log2 P(class | chosen features) with observed shares; ``edges`` are of the forest."""
    parents = {}
    waiting = list(chosen)
    while waiting:
        root = waiting.pop(0)
        parents.setdefault(root, None)
        for a, b in edges:
            for here, there in ((a, b), (b, a)):
                if here == root and there not in parents:
                    parents[there] = root
                    waiting.remove(there)
                    waiting.insert(0, there)

    def weight(test):
        cases = zip(rows, target, weights, strict=True)
        return sum(w for row, c, w in cases if test(row, c))

    def joint(row, c):
        total = weight(lambda _, other: other == c) / sum(weights)
        for child, parent in parents.items():

            def given(other, d, parent=parent):
                return d == c and (parent is None or other[parent] == row[parent])

            cases = weight(given)
            if cases == 0:
                return 0.0
            both = weight(lambda o, d, j=child, g=given: g(o, d) and o[j] == row[j])
            total *= both / cases
        return total

    value, known = 0.0, {}
    for row, c, w in zip(rows, target, weights, strict=True):
        key = tuple(row[j] for j in chosen)
        if key not in known:
            known[key] = {d: joint(row, d) for d in set(target)}
        value += w * log2(known[key][c] / sum(known[key].values()))
    return value
