"""Trees, chains, groups and tests of independence, pair by pair and set by set."""

from collections import Counter
from itertools import combinations
from math import log, log2, prod


def entropy(rows, variables):
    """Entropy in nats of the observed combinations of some variables."""
    counts = Counter(tuple(row[v] for v in variables) for row in rows)
    return -sum(n / len(rows) * log(n / len(rows)) for n in counts.values())


def information(rows, u, v):
    return entropy(rows, [u]) + entropy(rows, [v]) - entropy(rows, [u, v])


def heaviest_forest(weights, d):
    """Kruskal: the total weight of the heaviest forest of the edges given."""
    component = list(range(d))
    total, edges = 0.0, []
    for (u, v), w in sorted(weights.items(), key=lambda item: -item[1]):
        if component[u] != component[v]:
            old, new = component[u], component[v]
            component = [new if c == old else c for c in component]
            total += w
            edges.append((u, v))
    return total, edges


def chain(rows, d):
    """The variable of least entropy, then always the least entropy given the last."""
    left = list(range(d))
    order = [min(left, key=lambda v: round(entropy(rows, [v]), 9))]
    left.remove(order[0])
    while left:
        last = order[-1]
        base = entropy(rows, [last])
        order.append(min(left, key=lambda v: round(entropy(rows, [last, v]) - base, 9)))
        left.remove(order[-1])
    return order


def description(rows, cards, groups):
    """Bits that a partition needs: the rows, and log2(n + 1) for each free parameter."""
    n = len(rows)
    data = sum(n * entropy(rows, group) / log(2) for group in groups)
    return data + log2(n + 1) * sum(prod(cards[v] for v in group) - 1 for group in groups)


def groups(rows, cards):
    """Merge the two groups that save most, all pairs tried every time."""
    found = [(v,) for v in range(len(cards))]
    while True:
        now = description(rows, cards, found)
        options = []
        for a, b in combinations(found, 2):
            rest = [g for g in found if g not in (a, b)]
            merged = [*rest, tuple(sorted(a + b))]
            options.append((description(rows, cards, merged), merged))
        if not options or min(options)[0] >= now - 1e-9:
            return sorted(found)
        found = min(options)[1]


def k2(rows, cards, order, most, score):
    """Figure 3.5, with ``score(child, parents)``."""
    parents = {}
    for place, child in enumerate(order):
        chosen, old = [], score(child, [])
        while len(chosen) < most:
            options = [(score(child, [*chosen, p]), p) for p in order[:place] if p not in chosen]
            if not options:
                break
            best = max(s for s, _ in options)
            if not best > old + 1e-9:
                break
            chosen.append(next(p for s, p in options if s >= best - 1e-9))
            old = best
        parents[child] = tuple(chosen)
    return tuple(parents[i] for i in range(len(cards)))


def independence(rows, cards, x, y, given, kind):
    """Statistic and degrees of freedom, stratum by stratum."""
    strata = {}
    for row in rows:
        strata.setdefault(tuple(row[g] for g in given), []).append((row[x], row[y]))
    total = 0.0
    for pairs in strata.values():
        n = len(pairs)
        for a in range(cards[x]):
            for b in range(cards[y]):
                count = pairs.count((a, b))
                expected = sum(p[0] == a for p in pairs) * sum(p[1] == b for p in pairs) / n
                if kind == "g2" and count:
                    total += 2 * count * log(count / expected)
                if kind == "chi2" and expected:
                    total += (count - expected) ** 2 / expected
    return total, len(strata) * (cards[x] - 1) * (cards[y] - 1)
