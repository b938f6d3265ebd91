"""Crossovers of permutations as the papers describe them, with lists."""


def order(first, second, begin, end):
    """Hsu (2004): the other's segment, own values from behind it, going round."""
    d = len(first)
    segment = second[begin:end]
    rest = [v for v in first[end:] + first[:end] if v not in segment]
    places = [k % d for k in range(end, end + d) if not begin <= k % d < end]
    child = [None] * d
    child[begin:end] = segment
    for place, value in zip(places, rest, strict=True):
        child[place] = value
    return child


def partially_matched(first, second, begin, end):
    """Goldberg and Lingle (1985): exchange values pair by pair inside the first parent."""
    child = list(first)
    for k in range(begin, end):
        other = child.index(second[k])
        child[k], child[other] = child[other], child[k]
    return child


def cycle(first, second, begin):
    """Oliver et al. (1987): follow the cycle from a place."""
    child = list(second)
    at = begin
    while True:
        child[at] = first[at]
        at = first.index(second[at])
        if at == begin:
            return child
