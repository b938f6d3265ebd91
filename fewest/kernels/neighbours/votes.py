"""Which class the nearest rows vote for, and whether ties leave it open."""

from __future__ import annotations

from .terms import hot


@hot
def drop_far(count, k, exact, found, tolerance, absolute):
    """Keep the places up to the k-th exact distance; ``found`` and ``exact`` become sorted.

    Returns how many there are: more than k where distances are equal up to ``tolerance``
    (relative) and ``absolute``.
    """
    for i in range(1, count):
        value, place = exact[i], found[i]
        t = i
        while t > 0 and (exact[t - 1] > value or (exact[t - 1] == value and found[t - 1] > place)):
            exact[t], found[t] = exact[t - 1], found[t - 1]
            t -= 1
        exact[t], found[t] = value, place
    limit = exact[k - 1] * (1.0 + tolerance) + absolute
    kept = k
    while kept < count and exact[kept] <= limit:
        kept += 1
    return kept


@hot
def vote(found, count, target, rank, votes):
    """The class with most votes among some rows; of equals, the one with the largest rank."""
    for c in range(len(votes)):
        votes[c] = 0
    for i in range(count):
        votes[target[found[i]]] += 1
    best = 0
    for c in range(1, len(votes)):
        if votes[c] > votes[best] or (votes[c] == votes[best] and rank[c] > rank[best]):
            best = c
    return best


@hot
def settled(found, exact, count, k, tolerance, absolute, target, rank, votes):
    """The class that wins whichever of the rows as far as the k-th are taken; -1 for none.

    ``found`` and ``exact`` are sorted. Rows that are surely nearer vote; the others fill the
    rest of k places, so every class has a least and a largest number of votes.
    """
    near = exact[k - 1] * (1.0 - tolerance) - absolute
    sure = 0
    while sure < k and exact[sure] < near:
        sure += 1
    places, rest = k - sure, count - sure
    for c in range(len(votes)):
        votes[c] = 0
    for i in range(count):
        votes[target[found[i]]] += 1
    winner = -1
    for c in range(len(votes)):
        own = 0
        for i in range(sure):
            own += target[found[i]] == c
        least = own + max(0, places - (rest - (votes[c] - own)))
        ahead = True
        for o in range(len(votes)):
            other = 0
            for i in range(sure):
                other += target[found[i]] == o
            most = other + min(votes[o] - other, places)
            if o != c and (most > least or (most == least and rank[o] > rank[c])):
                ahead = False
        if ahead:
            winner = c
    return winner


@hot
def first_of(found, count, order):
    """The place with the lowest number."""
    first = found[0]
    for i in range(1, count):
        if order[found[i]] < order[first]:
            first = found[i]
    return first


@hot
def decided(
    found, exact, count, k, fills, lowest, tolerance, absolute, target, rank, order, votes
):  # fmt: skip
    """The class that the rows up to the k-th vote for, and whether rows as far leave it open.

    ``found`` and ``exact`` hold ``count`` rows, sorted where there are more than k and
    ``fills`` says that exactly k of them vote. With ``lowest`` and k = 1 the row with the lowest
    number decides alone. Of a single class there are only numbers: any such row leaves it open.
    """
    winner, several = vote(found, count, target, rank, votes), len(votes) > 1
    if count <= k or (several and votes[winner] == count):
        return winner, False
    if k == 1 and lowest:
        return target[first_of(found, count, order)], False
    if k > 1 and several and fills:
        sure = settled(found, exact, count, k, tolerance, absolute, target, rank, votes)
        if sure >= 0:
            return sure, False
    return winner, True
