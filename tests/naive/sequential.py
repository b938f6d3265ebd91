"""Greedy and floating searches over frozensets, as their papers say them."""


def rank(subset, value):
    """Larger value, then fewer features, then the earlier features (the larger packed bits)."""
    bits = sum(1 << (63 - feature) for feature in subset)
    return (-round(value(subset), 12), len(subset), -bits)


def sfs(d, value):
    current = frozenset()
    while True:
        steps = [current | {f} for f in range(d) if f not in current]
        best = min(steps, key=lambda s: rank(s, value), default=None)
        if best is None or value(best) <= value(current) + 1e-12:
            return current
        current = best


def sbe(d, value):
    current = frozenset(range(d))
    while True:
        steps = [current - {f} for f in current]
        best = min(steps, key=lambda s: rank(s, value), default=None)
        if best is None or value(best) <= value(current) + 1e-12:
            return current
        current = best


def sffs(d, value):
    """The best subset of every size that floating forward selection finds on its way to all."""
    best = {0: frozenset()}
    k = 0
    while k < d:
        added = min(
            (best[k] | {f} for f in range(d) if f not in best[k]), key=lambda s: rank(s, value)
        )
        k += 1
        if k not in best or value(added) > value(best[k]) + 1e-12:
            best[k] = added
        while k > 1:
            removed = min((best[k] - {f} for f in best[k]), key=lambda s: rank(s, value))
            if value(removed) <= value(best[k - 1]) + 1e-12:
                break
            k -= 1
            best[k] = removed
    return best


def best_first(d, value, patience):
    """The best value that best-first search from the empty set finds."""
    start = frozenset()
    frontier, closed, best, stale = {start}, set(), value(start), 0
    while frontier and stale < patience:
        here = min(frontier, key=lambda s: rank(s, value))
        frontier.discard(here)
        closed.add(here)
        stale += 1
        for f in range(d):
            there = here ^ {f}
            if there not in closed and there not in frontier:
                frontier.add(there)
                if value(there) > best + 1e-12:
                    best, stale = value(there), 0
    return best
