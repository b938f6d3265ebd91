"""Class posteriors of a discrete network by summing over every completion of a row."""

from __future__ import annotations

from itertools import product


def learn(rows, parents, sizes, strength):
    """P(child | parents) as functions, Laplace-smoothed, over rows where the family is known."""

    def table(child):
        family = (*parents[child], child)
        known = [tuple(r[v] for v in family) for r in rows if all(r[v] is not None for v in family)]

        def probability(row):
            case = tuple(row[v] for v in family)
            above = known.count(case) + strength
            below = sum(k[:-1] == case[:-1] for k in known) + strength * sizes[child]
            return above / below

        return probability

    return [table(child) for child in parents]


def posterior(tables, row, target, sizes):
    """P(target | known values of the row)."""
    hidden = [v for v, value in enumerate(row) if value is None or v == target]
    weight = [0.0] * sizes[target]
    for case in product(*(range(sizes[v]) for v in hidden)):
        full = list(row)
        for v, value in zip(hidden, case, strict=True):
            full[v] = value
        joint = 1.0
        for table in tables:
            joint *= table(full)
        weight[full[target]] += joint
    return [w / sum(weight) for w in weight]
