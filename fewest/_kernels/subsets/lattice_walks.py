"""Walk over the lattice of subsets."""

import numpy as np
from numba import njit

from ..counting.row_patterns import count_mixed, count_split, refine, whole

_ODD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
#: The table of the first pass has four places for each key, but no more than this power of two.
_MOST_BITS = 18


@njit(cache=True, nogil=True)
def workspace(n, classes, n_classes):
    """Allocate room for ``n`` keys: the ``work`` of the functions below."""
    return (
        np.empty(n, np.uint64),  # hashes
        np.zeros(1 << min(bits_for(4 * n), _MOST_BITS), classes.dtype),  # class seen at each place
        np.empty(1 << bits_for(2 * n), np.int32),  # the chain that begins at each place
        np.empty(n + 1, np.int32),  # the keys left after the first pass
        np.empty(n, np.int32),  # the last key of each chain
        np.empty(n, np.int32),  # the key before each in its chain
        np.zeros(n_classes, np.int64),  # weights by class
    )


@njit(cache=True, nogil=True)
def bits_for(n):
    """Return the bits of a number that can count to ``n``, at least 6."""
    bits = 6
    while (1 << bits) < n:
        bits += 1
    return bits


@njit(cache=True, nogil=True)
def hash_keys(keys, n, out):
    """Hash each of the first ``n`` keys; the highest bits are good."""
    out[:n] = 0
    for word in range(keys.shape[1]):
        for i in range(n):
            mixed = (out[i] ^ keys[i, word]) * _ODD
            out[i] = (mixed ^ (mixed >> _HALF)) * _ODD


@njit(cache=True, nogil=True)
def leave_single(hashes, classes, n, skip, several, work):
    """Write the keys whose place several classes reach to ``work``; return how many.

    ``skip`` highest bits of the hashes are the same for all; ``several`` is no class.
    """
    _, seen, _, left, _, _, _ = work
    bits = min(bits_for(4 * n), _MOST_BITS)
    shift = np.uint64(64 - bits)
    for i in range(n):
        place = np.int64((hashes[i] << skip) >> shift)
        own = classes[i] + 1
        before = seen[place]
        seen[place] = own if before == 0 or before == own else several
    n_left = 0
    for i in range(n):
        left[n_left] = i
        n_left += seen[np.int64((hashes[i] << skip) >> shift)] == several
    seen[: 1 << bits] = 0
    return n_left


@njit(cache=True, nogil=True)
def chain(keys, hashes, n_left, skip, work):
    """Chain the keys left that are equal; return the number of chains.

    ``last[c]`` is the last key of chain c (a position in ``left``), ``before[k]`` the one
    before k, or -1.
    """
    _, _, head, left, last, before, _ = work
    bits = bits_for(2 * n_left)
    size, shift = 1 << bits, np.uint64(64 - bits)
    head[:size] = -1
    n_chains = 0
    for k in range(n_left):
        i = left[k]
        place = np.int64((hashes[i] << skip) >> shift)
        before[k] = -1
        while True:
            c = head[place]
            if c < 0:
                head[place] = n_chains
                last[n_chains] = k
                n_chains += 1
                break
            if equal(keys, i, left[last[c]]):
                before[k] = last[c]
                last[c] = k
                break
            place = (place + 1) & (size - 1)
    return n_chains


@njit(cache=True, nogil=True)
def equal(keys, i, j):
    """Decide if two keys are the same."""
    for word in range(keys.shape[1]):
        if keys[i, word] != keys[j, word]:
            return False
    return True


@njit(cache=True, nogil=True)
def chains(keys, classes, n, skip, several, work):
    """Chain the keys that are equal, but not all that have a single class.

    Without classes all are chained.
    """
    hashes, left = work[0], work[3]
    hash_keys(keys, n, hashes)
    if len(classes):
        n_left = leave_single(hashes, classes, n, skip, several, work)
    else:
        n_left = n
        for i in range(n):
            left[i] = i
    return chain(keys, hashes, n_left, skip, work)


@njit(cache=True, nogil=True)
def outside_majority(classes, weights, n_chains, work):
    """Sum over the chains of the weight outside the heaviest class."""
    _, _, _, left, last, before, weight = work
    total = 0
    for c in range(n_chains):
        if before[last[c]] < 0:
            continue
        largest = 0
        k = last[c]
        while k >= 0:
            i = left[k]
            weight[classes[i]] += weights[i]
            total += weights[i]
            largest = max(largest, weight[classes[i]])
            k = before[k]
        total -= largest
        k = last[c]
        while k >= 0:
            weight[classes[left[k]]] = 0
            k = before[k]
    return total


#: A bound over more parts than this excludes too little to be worth its time.
_MOST_PARTS = 64
#: Most columns that stay out where all columns left are tried together.
_MOST_LEFT_OUT = 3


@njit(cache=True, nogil=True)
def least_possible(classes, weights, rows, starts, n_groups, parts, weight, top):
    """Return at least how many inconsistencies a split of every group into ``parts`` leaves.

    A part of a group keeps one class at best: the heaviest classes, one for each part, are not
    counted. ``weight`` holds a zero for each class, before and after.
    """
    total = 0
    for group in range(n_groups):
        a, b = starts[group], starts[group + 1]
        if b - a <= parts:
            continue
        for i in range(a, b):
            weight[classes[rows[i]]] += weights[rows[i]]
            total += weights[rows[i]]
        for k in range(parts):
            top[k] = 0
        for i in range(a, b):
            k, mass = 0, weight[classes[rows[i]]]
            weight[classes[rows[i]]] = 0
            while k < parts and mass > 0:
                if mass > top[k]:
                    top[k], mass = mass, top[k]
                k += 1
        for k in range(parts):
            total -= top[k]
    return total


@njit(cache=True, nogil=True)
def last_of(words, fields, columns, begin, of, level, allowed, cells, largest):
    """Return the first position from ``begin`` whose column leaves ``allowed`` at most, or -1."""
    classes, weights, n_classes = of
    rows, starts, n_groups = level
    for place in range(begin, len(columns)):
        count = count_split(
            words, fields[columns[place]], classes, weights, rows, starts, n_groups,
            n_classes, cells, largest,
        )  # fmt: skip
        if count <= allowed:
            return place
    return -1


@njit(cache=True, nogil=True)
def together(words, fields, columns, begin, of, level, spare, scratch, weight):
    """Return the count with all columns from ``begin`` on: no set below can leave less.

    ``spare`` are two pairs of arrays like the rows and the starts of ``level``.
    """
    classes, weights, _ = of
    rows, starts, n_groups = level
    here = 0
    for place in range(begin, len(columns)):
        if n_groups == 0:
            return 0
        new_rows, new_starts = spare[0][here], spare[1][here]
        n_groups = refine(
            words, fields[columns[place]], classes, rows, starts, n_groups,
            new_rows, new_starts, scratch,
        )  # fmt: skip
        rows, starts, here = new_rows, new_starts, 1 - here
    return count_mixed(classes, weights, rows, starts, n_groups, weight)


@njit(cache=True, nogil=True)
def start_with(words, fields, classes, base, rows, starts, scratch):
    """Split by the columns of ``base`` at level 0; return the number of groups."""
    n = len(classes)
    n_groups = whole(classes, rows[0], starts[0])
    for column in base:
        n_groups = refine(
            words, fields[column], classes, rows[0], starts[0], n_groups,
            rows[1], starts[1], scratch,
        )  # fmt: skip
        for i in range(n):
            rows[0, i] = rows[1, i]
        for i in range(n_groups + 1):
            starts[0, i] = starts[1, i]
    return n_groups


@njit(cache=True, nogil=True)
def find_within(words, fields, sizes, of, base, columns, place, allowed, stop):
    """Find ``len(place)`` of the columns that, with ``base``, leave ``allowed`` or less.

    Sets are tried in lexicographic order of their places in ``columns``; ``of`` are the classes,
    the weights and the number of classes. Returns 1 and leaves the places in ``place``, 0 if
    there is no such set, or -1 if ``stop[0]`` was set meanwhile.
    """
    classes, weights, n_classes = of
    n, most, widest = len(words), len(place), sizes.max()
    rows, starts = np.empty((most + 1, n), np.int32), np.empty((most + 1, n + 2), np.int32)
    number = np.zeros(most + 1, np.int64)
    largest, cells = np.zeros(widest, np.int64), np.zeros(widest * n_classes, np.int64)
    scratch = np.zeros((3, widest), np.int32)
    weight, top = np.zeros(n_classes, np.int64), np.zeros(_MOST_PARTS, np.int64)
    spare = (np.empty((2, n), np.int32), np.empty((2, n + 2), np.int32))
    number[0] = start_with(words, fields, classes, base, rows, starts, scratch)
    level = 0
    place[0] = -1
    while level >= 0:
        if stop[0] != 0:
            return -1
        left = most - level
        if left == 1:
            here = (rows[level], starts[level], number[level])
            found = last_of(
                words, fields, columns, place[level] + 1, of, here, allowed, cells, largest
            )
            if found >= 0:
                place[level] = found
                return 1
        place[level] += 1
        if left == 1 or place[level] > len(columns) - left:
            level -= 1
            continue
        number[level + 1] = refine(
            words, fields[columns[place[level]]], classes, rows[level], starts[level],
            number[level], rows[level + 1], starts[level + 1], scratch,
        )  # fmt: skip
        here = (rows[level + 1], starts[level + 1], number[level + 1])
        begin = place[level] + 1
        # What all columns left do together changes only when one has been left out.
        skipped = begin > (place[level - 1] + 2 if level else 1)
        if skipped and left > 3 and len(columns) - begin - (left - 1) <= _MOST_LEFT_OUT:
            if allowed < together(words, fields, columns, begin, of, here, spare, scratch, weight):
                continue
        parts = widest ** (left - 1) if left <= 4 else _MOST_PARTS + 1
        if parts > _MOST_PARTS or allowed >= least_possible(
            classes, weights, here[0], here[1], here[2], parts, weight, top
        ):
            place[level + 1] = place[level]
            level += 1
    return 0
