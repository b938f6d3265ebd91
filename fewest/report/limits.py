"""How much a person can see: what is more is thinned out."""

from __future__ import annotations

import numpy as np

#: More generations, features or points than these are thinned out: nobody can see them.
MOST_GENERATIONS, MOST_COLUMNS, MOST_FEATURES, MOST_POINTS = 300, 60, 40, 1200


def thin(count: int, most: int) -> list[int]:
    """At most ``most`` of ``count`` positions, evenly, the first and the last among them.

    >>> thin(5, 3)
    [0, 2, 4]
    """
    if count <= most:
        return list(range(count))
    return [int(i) for i in np.unique(np.linspace(0, count - 1, most).round().astype(int))]
