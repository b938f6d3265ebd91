"""Whether a given number of features can be within the threshold, by looking at all such sets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...kernels.subsets.lattice import find_within
from .first_part import Flag, first_answer
from .patterns import Patterns


def first_within(
    patterns: Patterns,
    allowed: int,
    base: NDArray[np.bool_],
    free: NDArray[np.bool_],
    most: int,
    threads: int,
    stop: NDArray[np.int64],
) -> NDArray[np.bool_] | None:
    """A subset of ``base`` and ``most`` of the ``free`` features that leaves ``allowed`` or less.

    The sets are split by their first two features; the answer is that of the first part, in a
    fixed order, that has one, whichever thread is faster. None if there is none, or if
    ``stop[0]`` was set.
    """
    p = patterns
    inside = np.flatnonzero(base[p.order])
    columns = np.flatnonzero(free[p.order])
    ahead = min(2, most - 1)
    parts = list(combinations(range(len(columns)), ahead))

    def look(part: int, flag: Flag) -> tuple[NDArray[np.int64] | None, bool]:
        begin = parts[part][-1] + 1 if parts[part] else 0
        if len(columns) - begin < most - ahead:
            return None, True
        place = np.zeros(most - ahead, dtype=np.int64)
        chosen = np.concatenate([inside, columns[list(parts[part])]]).astype(np.int64)
        of = (p.classes, p.weights, p.n_classes)
        rest = columns[begin:]
        found = find_within(p.words, p.fields, p.sizes, of, chosen, rest, place, allowed, flag)
        return (np.concatenate([chosen, rest[place]]) if found == 1 else None), found >= 0

    answer, _ = first_answer(look, len(parts), threads, stop)
    if stop[0] or answer is None:
        return None
    subset = np.zeros(len(base), dtype=bool)
    subset[p.order[answer]] = True
    return subset
