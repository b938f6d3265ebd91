"""Tabu search over graphs, every change scored anew."""

from tests.naive.discrete_models import acyclic


def changes(parents, most):
    """All graphs one change away, in a fixed order, with the arcs that change."""
    d = len(parents)
    for i in range(d):
        for p in range(d):
            if p == i:
                continue
            if p in parents[i]:
                without = [set(q) for q in parents]
                without[i].discard(p)
                turned = [set(q) for q in without]
                turned[p].add(i)
                if len(turned[p]) <= most and acyclic(turned):
                    yield turned, [(i, p), (p, i)], (i, p)
                yield without, [(i, p)], (i, p)
            elif len(parents[i]) < most:
                wider = [set(q) for q in parents]
                wider[i].add(p)
                if acyclic(wider):
                    yield wider, [(i, p)], (i, p)


def tabu(d, most, tenure, patience, score, loss=float("inf")):
    """The best graph found; ``score(graph)`` of a list of parent sets; no step costs more."""
    now = [set() for _ in range(d)]
    value = top = score(now)
    best = now
    changed, since, step = {}, 0, 0
    while since < patience:
        found = None
        for graph, arcs, key in changes(now, most):
            new = score(graph)
            rests = changed.get(key, -1 - tenure) >= step - tenure
            if (not rests or new > top + 1e-9) and (found is None or new > found[0] + 1e-9):
                found = (new, graph, arcs)
        if found is None or found[0] < value - loss - 1e-9:
            break
        value, now, arcs = found
        for arc in arcs:
            changed[arc] = step
        since += 1
        step += 1
        if value > top + 1e-9:
            top, best, since = value, now, 0
    return top, best


def kick(parents, most, uniform):
    """Add, reverse or delete one arc per row of random numbers (child, parent, which)."""
    now = [set(own) for own in parents]
    for child, which, change in uniform:
        i = int(child * len(now))
        new = [set(own) for own in now]
        if 3 * change < 1:
            p = int(which * len(now))
            if p != i:
                new[i].add(p)
        elif now[i]:
            p = sorted(now[i])[int(which * len(now[i]))]
            new[i].discard(p)
            now = [set(own) for own in new]
            if 3 * change < 2:
                new[p].add(i)
        if max(len(own) for own in new) <= most and acyclic(new):
            now = new
    return now
