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
    turned = float_up(d, value, best, 0)
    gained = greedy_up(d, value, best) if turned else 0
    if gained:
        float_up(d, value, best, float_down(value, best, gained))
    return best


def float_up(d, value, best, k):
    turned = False
    while k < d:
        added = min(
            (best[k] | {f} for f in range(d) if f not in best[k]), key=lambda s: rank(s, value)
        )
        k += 1
        new = k not in best or value(added) > value(best[k]) + 1e-12
        if new:
            best[k] = added
            top, k = k, float_down(value, best, k)
            turned = turned or k < top
    return turned


def float_down(value, best, k):
    while k > 1:
        removed = min((best[k] - {f} for f in best[k]), key=lambda s: rank(s, value))
        if value(removed) <= value(best[k - 1]) + 1e-12:
            break
        k -= 1
        best[k] = removed
    return k


def greedy_up(d, value, best):
    """The walk without removals; the last size at which it knows better, or 0."""
    current, gained = frozenset(), 0
    while len(current) < d:
        step = min(
            (current | {f} for f in range(d) if f not in current), key=lambda s: rank(s, value)
        )
        if value(current) > value(step) + 1e-12:
            break
        current = step
        if value(step) > value(best[len(step)]) + 1e-12:
            best[len(step)], gained = step, len(step)
    return gained


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
