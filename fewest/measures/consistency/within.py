"""Whether a given number of features can be within the threshold, by looking at all such sets."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...kernels.subsets.lattice import find_within
from .patterns import Patterns

#: How long to wait before looking at the flag again, in seconds.
PATIENCE = 0.02


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
    flags = np.zeros((len(parts), 1), dtype=np.int64)
    answers: dict[int, NDArray[np.int64]] = {}

    def look(i: int) -> None:
        begin = parts[i][-1] + 1 if parts[i] else 0
        if flags[i, 0] or len(columns) - begin < most - ahead:
            return
        place = np.zeros(most - ahead, dtype=np.int64)
        chosen = np.concatenate([inside, columns[list(parts[i])]]).astype(np.int64)
        of = (p.classes, p.weights, p.n_classes)
        rest = columns[begin:]
        if find_within(p.words, p.fields, p.sizes, of, chosen, rest, place, allowed, flags[i]) == 1:
            answers[i] = np.concatenate([chosen, rest[place]])
            flags[i + 1 :] = 1

    with ThreadPoolExecutor(threads) as pool:
        for future in [pool.submit(look, i) for i in range(len(parts))]:
            while not future.done():
                if stop[0]:
                    flags[:] = 1
                wait([future], timeout=PATIENCE)
            future.result()
    if stop[0] or not answers:
        return None
    subset = np.zeros(len(base), dtype=bool)
    subset[p.order[answers[min(answers)]]] = True
    return subset
