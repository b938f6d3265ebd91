"""Scores, structures and tables of Bayesian networks, counted with dictionaries."""

from collections import Counter
from math import exp, lgamma, log, prod


def family_score(rows, cards, child, parents, name, alpha=1.0):
    """Score of one variable given its parents, by the formulas as they stand in the books."""
    cells = Counter((tuple(row[p] for p in parents), row[child]) for row in rows)
    cases = Counter(tuple(row[p] for p in parents) for row in rows)
    r, q = cards[child], prod(cards[p] for p in parents)
    if name in ("log-likelihood", "aic", "bic"):
        likelihood = sum(n * log(n / cases[case]) for (case, _), n in cells.items())
        each = {"log-likelihood": 0.0, "aic": 1.0, "bic": log(len(rows)) / 2}[name]
        return likelihood - each * (r - 1) * q
    a = {"k2": 1.0, "k2-penalised": 1.0, "bd": alpha, "bde": alpha / (r * q)}[name]
    score = 0.0
    for case, n in cases.items():
        score += lgamma(r * a) - lgamma(r * a + n)
        score += sum(lgamma(a + cells[case, k]) - lgamma(a) for k in range(r))
    return score - (log(len(rows)) / 2 * (r - 1) * q if name == "k2-penalised" else 0.0)


def graph_score(rows, cards, parents, name, alpha=1.0):
    return sum(family_score(rows, cards, i, p, name, alpha) for i, p in enumerate(parents))


def acyclic(parents):
    waiting, done = set(range(len(parents))), set()
    while waiting:
        ready = {i for i in waiting if set(parents[i]) <= done}
        if not ready:
            return False
        done |= ready
        waiting -= ready
    return True


def algorithm_b(rows, cards, name, max_parents=99, alpha=1.0):
    """All arcs tried at every step, nothing remembered."""
    d = len(cards)
    parents = [() for _ in range(d)]
    while True:
        best = (1e-9, None)
        for child in range(d):
            old = family_score(rows, cards, child, parents[child], name, alpha)
            for p in range(d):
                if p == child or p in parents[child] or len(parents[child]) >= max_parents:
                    continue
                wider = [*parents[:child], (*parents[child], p), *parents[child + 1 :]]
                gain = family_score(rows, cards, child, wider[child], name, alpha) - old
                if acyclic(wider) and gain > best[0] + (1e-9 if best[1] else 0.0):
                    best = (gain, wider)
        if best[1] is None:
            return parents
        parents = best[1]


def tables(rows, weights, cards, parents, prior):
    """For each variable {case of the parents: [probability of each level]}."""
    out = []
    for i, ps in enumerate(parents):
        table = {}
        for row, w in zip(rows, weights, strict=True):
            case = tuple(row[p] for p in ps)
            table.setdefault(case, [prior] * cards[i])[row[i]] += w
        out.append({case: [n / sum(cells) for n in cells] for case, cells in table.items()})
    return out


def k2_by_hand(rows, cards, child, parents):
    """Equation 3.17 with factorials, for small numbers."""
    from math import factorial

    cells = Counter((tuple(row[p] for p in parents), row[child]) for row in rows)
    cases = Counter(tuple(row[p] for p in parents) for row in rows)
    r = cards[child]
    product = 1.0
    for case, n in cases.items():
        product *= factorial(r - 1) / factorial(n + r - 1)
        product *= prod(factorial(cells[case, k]) for k in range(r))
    return product


def separated(parents, one, two, given):
    """d-separation by walking all undirected paths without repeated nodes (tiny graphs)."""
    d = len(parents)
    near = [set(parents[i]) | {c for c in range(d) if i in parents[c]} for i in range(d)]
    below = [{i} for i in range(d)]
    for _ in range(d):
        for i in range(d):
            below[i] |= {x for c in range(d) if i in parents[c] for x in below[c]}

    def opens(a, b, c):
        collider = a in parents[b] and c in parents[b]
        return bool(below[b] & given) if collider else b not in given

    def walk(path):
        if path[-1] in two:
            return True
        return any(
            walk([*path, nxt])
            for nxt in near[path[-1]]
            if nxt not in path and (len(path) == 1 or opens(path[-2], path[-1], nxt))
        )

    return not any(walk([a]) for a in one)


def probability(row, parents, learned):
    """Product of the table entries that a row meets."""
    return exp(
        sum(log(learned[i][tuple(row[p] for p in ps)][row[i]]) for i, ps in enumerate(parents))
    )
