"""Entropies of columns of values, by counting tuples in a dictionary."""

from __future__ import annotations

from collections import Counter
from math import log2


def entropy(*columns):
    """H of the joint distribution of these columns, in bits."""
    rows = list(zip(*columns, strict=True))
    if not rows:
        return 0.0
    n = len(rows)
    return -sum(k / n * log2(k / n) for k in Counter(rows).values())


def information(a, b, *given):
    """I(a; b | given), in bits."""
    if given:
        inner = entropy(a, *given) + entropy(b, *given)
        return inner - entropy(a, b, *given) - entropy(*given)
    return entropy(a) + entropy(b) - entropy(a, b)
