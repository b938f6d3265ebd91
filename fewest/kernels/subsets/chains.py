"""Equal keys found by hashing, exactly, and the rows of several classes among them.

Keys are rows of 64-bit words. A first pass hashes them into a table of single classes: a place
that only one class reaches holds no contradiction, whatever keys fell into it, and its rows are
done with. The others are chained by equal keys. The table stays in the cache, so keys must come
in numbers that do (see ``buckets``).
"""

import numpy as np
from numba import njit

_ODD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
#: The table of the first pass has four places for each key, but no more than this power of two.
_MOST_BITS = 18


@njit(cache=True, nogil=True)
def workspace(n, classes, n_classes):
    """Room for ``n`` keys: what the functions below call ``work``."""
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
    """The bits of a number that can count to ``n``, at least 6."""
    bits = 6
    while (1 << bits) < n:
        bits += 1
    return bits


@njit(cache=True, nogil=True)
def hash_keys(keys, n, out):
    """A hash of each of the first ``n`` keys, good in its highest bits."""
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
    """Whether two keys are the same."""
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
