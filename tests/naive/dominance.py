"""Dominance by its definition, row against row."""


def dominates(a, b):
    no_worse = all(x <= y for x, y in zip(a, b, strict=True))
    return no_worse and any(x < y for x, y in zip(a, b, strict=True))


def non_dominated(rows):
    return [not any(dominates(other, row) for other in rows) for row in rows]


def fronts(rows):
    front = [None] * len(rows)
    number = 0
    while None in front:
        left = [i for i, f in enumerate(front) if f is None]
        top = [i for i in left if not any(dominates(rows[j], rows[i]) for j in left)]
        for i in top:
            front[i] = number
        number += 1
    return front
