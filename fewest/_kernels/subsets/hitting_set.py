"""Branch and bound for small hitting sets: a few columns, at least one of every mask.

Masks are single 64-bit words, smallest first. A node branches on a smallest mask not yet hit;
what earlier siblings tried is forbidden to later ones, so that no set is visited twice. The last
two levels are not branched on: the last column must lie in the intersection of all masks that
the others leave. A node keeps the open masks of a beginning of all masks, just long enough to
exclude nearly everything below it; only what survives is held against the rest.
"""

import numpy as np
from numba import njit

#: How many open masks a node wants, by the number of columns still to choose: a column hits up
#: to two thirds of them, so that a child seldom has to look at further masks for its own.
_OPEN_MASKS = np.array([32, 32, 32, 90, 256, 704, 2000, 5600, 16000])
#: How many of them are looked at to branch, and to count how many each column hits.
_MASKS_TO_BRANCH, _MASKS_TO_COUNT = 64, 64
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@njit(cache=True, nogil=True)
def ones(word):
    """Count the bits set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    # In this form LLVM sees that one instruction does it all.
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True, nogil=True)
def lowest(word):
    """Index of the lowest bit set; ``word`` must not be 0."""
    return ones(~word & (word - _ONE)) if word != _ZERO else 64


@njit(cache=True, nogil=True)
def columns_in_budget(costs, sizes, cost_left, size_left):
    """Return the columns that fit into the rest of the limit."""
    word = _ZERO
    for column in range(len(costs)):
        if costs[column] <= cost_left and sizes[column] <= size_left:
            word |= _ONE << np.uint64(column)
    return word


@njit(cache=True, nogil=True)
def intersect(masks, n, chosen, inside):
    """Return what lies in ``inside`` and in every mask that ``chosen`` does not hit."""
    for i in range(n):
        if not masks[i] & chosen:
            inside &= masks[i]
            if inside == _ZERO:
                break
    return inside


@njit(cache=True, nogil=True)
def open_masks(masks, parent, n_parent, seen, chosen, bit, forbidden, out, wanted):
    """Write the masks that are not hit after ``bit`` is chosen, without forbidden columns.

    ``parent`` holds those of ``masks[:seen]`` that were open before. If they leave fewer than
    ``wanted``, further masks are looked at. Returns how many were written, -1 if one of them
    has no column left, and how many masks are seen now.
    """
    written = 0
    for i in range(n_parent):
        if parent[i] & bit:
            continue
        left = parent[i] & ~forbidden
        if left == _ZERO:
            return -1, seen
        out[written] = left
        written += 1
    while written < wanted and seen < len(masks):
        if not masks[seen] & chosen:
            left = masks[seen] & ~forbidden
            if left == _ZERO:
                return -1, seen
            out[written] = left
            written += 1
        seen += 1
    return written, seen


@njit(cache=True, nogil=True)
def smallest(masks, n, allowed):
    """Return the allowed part, with the fewest columns, among the first few masks."""
    best, size = allowed, 65
    for i in range(min(n, _MASKS_TO_BRANCH)):
        word = masks[i] & allowed
        count = ones(word)
        if count < size:
            best, size = word, count
            if size <= 1:
                break
    return best


@njit(cache=True, nogil=True)
def coverage(masks, n, count):
    """Count the masks that hold each column."""
    count[:] = 0
    for i in range(n):
        word = masks[i]
        while word != _ZERO:
            count[lowest(word)] += 1
            word &= word - _ONE


@njit(cache=True, nogil=True)
def can_cover(count, allowed, n, picks):
    """Decide if the best ``picks`` allowed columns hold enough of the masks together."""
    top = np.zeros(picks, np.int64)
    total = 0
    for column in range(64):
        if not (allowed >> np.uint64(column)) & _ONE or count[column] <= top[0]:
            continue
        total += count[column] - top[0]
        top[0] = count[column]
        k = 0
        while k + 1 < picks and top[k] > top[k + 1]:
            top[k], top[k + 1] = top[k + 1], top[k]
            k += 1
    return total >= n


@njit(cache=True, nogil=True)
def most_covering(word, count):
    """Return the column of ``word`` that most masks hold, as a bit."""
    best, most = _ZERO, -1
    while word != _ZERO:
        bit = word & (~word + _ONE)
        column = lowest(bit)
        if count[column] > most:
            best, most = bit, count[column]
        word ^= bit
    return best


@njit(cache=True, nogil=True)
def write_each(chosen, last, found):
    """Write ``chosen`` with each column of ``last`` into ``found``; return how many fitted."""
    written = 0
    while last != _ZERO and written < len(found):
        bit = last & (~last + _ONE)
        last ^= bit
        found[written] = chosen | bit
        written += 1
    return written


@njit(cache=True, nogil=True)
def last_one(rest, lists, n, chosen, allowed, found):
    """Decide a node with open masks and one column to go; write the hitting sets.

    ``lists[:n]`` are its open masks as far as seen, ``rest`` are all masks not seen.
    """
    inside = intersect(lists, n, _ZERO, allowed)
    return write_each(chosen, intersect(rest, len(rest), chosen, inside), found)


@njit(cache=True, nogil=True)
def last_two(rest, lists, n, chosen, forbidden, costs, sizes, cost_left, size_left, found):
    """Decide a node with open masks and two columns to go, as :func:`last_one` does for one."""
    n_found = 0
    allowed = columns_in_budget(costs, sizes, cost_left, size_left) & ~forbidden
    tries = smallest(lists, n, allowed)
    while tries != _ZERO and n_found < len(found):
        bit = tries & (~tries + _ONE)
        tries ^= bit
        # A mask that is open does not hold ``bit``: it stays inside only where none is.
        inside = intersect(lists, n, bit, allowed)
        allowed ^= bit
        if inside == _ZERO:
            continue
        inside = intersect(rest, len(rest), chosen | bit, inside)
        if inside & bit:
            inside = bit
        elif inside != _ZERO:
            j = lowest(bit)
            inside &= columns_in_budget(costs, sizes, cost_left - costs[j], size_left - sizes[j])
        n_found += write_each(chosen | bit, inside, found[n_found:])
    return n_found


@njit(cache=True, nogil=True)
def decide(masks, costs, sizes, picks, t, state, found):
    """Look at a node: write the hitting sets that are plain at once, else columns to try.

    Returns the number of sets written.
    """
    lists, length, seen, taken, barred, tries, counts, money, space = state
    tries[t] = _ZERO
    n = length[t]
    if n < 0:
        return 0
    if n == 0:
        # A node sees all masks before its list stays empty: every mask is hit.
        found[0] = taken[t]
        return 1
    rest = masks[seen[t] :]
    if picks == 2:
        return last_two(
            rest, lists[t], n, taken[t], barred[t], costs, sizes, money[t], space[t], found
        )
    allowed = columns_in_budget(costs, sizes, money[t], space[t]) & ~barred[t]
    if picks < 2:
        return last_one(rest, lists[t], n, taken[t], allowed, found)
    n_sample = min(n, _MASKS_TO_COUNT)
    coverage(lists[t], n_sample, counts[t])
    if can_cover(counts[t], allowed, n_sample, min(picks, 64)):
        tries[t] = smallest(lists[t], n, allowed)
    return 0


@njit(cache=True, nogil=True)
def descend(masks, costs, sizes, cheapest, t, state):
    """Go to the child of node ``t`` with its most covering column, forbidden from then on."""
    lists, length, seen, taken, barred, tries, counts, money, space = state
    bit = most_covering(tries[t], counts[t])
    column = lowest(bit)
    tries[t] ^= bit
    money[t + 1] = money[t] - costs[column]
    space[t + 1] = space[t] - sizes[column]
    taken[t + 1] = taken[t] | bit
    barred[t + 1] = barred[t]
    wanted = _OPEN_MASKS[min(np.int64(money[t + 1] / cheapest), len(_OPEN_MASKS) - 1)]
    length[t + 1], seen[t + 1] = open_masks(
        masks, lists[t], length[t], seen[t], taken[t + 1], bit, barred[t], lists[t + 1], wanted
    )
    barred[t] |= bit


@njit(cache=True, nogil=True)
def hitting_sets(
    masks, costs, sizes, chosen, forbidden, cost_left, size_left, cheapest, stop, nodes, found
):
    """Find hitting sets that hold ``chosen``, avoid ``forbidden`` and fit into what is left.

    masks: uint64 array, smallest first.
    costs, sizes: what each column takes of ``cost_left`` and ``size_left``.
    cheapest: at least how much of ``cost_left`` every column takes, above 0.
    stop: int64 array; the search gives up when ``stop[0]`` is not 0.
    nodes: int64 array; ``nodes[0]`` counts the nodes, ``nodes[1]`` is the most it may count.
    found: uint64 array to be filled.
    """
    if cost_left < 0 or size_left < 0:
        return 0
    deepest = min(len(costs), np.int64(cost_left / cheapest)) + 2
    room = min(_OPEN_MASKS[-1], len(masks)) + 1
    lists = np.empty((deepest, room), np.uint64)
    length, seen = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)
    taken, barred = np.zeros(deepest, np.uint64), np.zeros(deepest, np.uint64)
    tries, counts = np.zeros(deepest, np.uint64), np.zeros((deepest, 64), np.int64)
    money, space = np.zeros(deepest, np.float64), np.zeros(deepest, np.float64)
    state = (lists, length, seen, taken, barred, tries, counts, money, space)
    taken[0], barred[0], money[0], space[0] = chosen, forbidden, cost_left, size_left
    wanted = _OPEN_MASKS[min(np.int64(cost_left / cheapest), len(_OPEN_MASKS) - 1)]
    length[0], seen[0] = open_masks(masks, masks, 0, 0, chosen, _ZERO, forbidden, lists[0], wanted)
    n_found, t, entering = 0, 0, True
    while t >= 0 and n_found < len(found):
        if entering:
            nodes[0] += 1
            if stop[0] != 0 or nodes[0] > nodes[1]:
                return -1
            picks = np.int64(money[t] / cheapest)
            n_found += decide(masks, costs, sizes, picks, t, state, found[n_found:])
        entering = tries[t] != _ZERO
        if entering:
            descend(masks, costs, sizes, cheapest, t, state)
            t += 1
        else:
            t -= 1
    return n_found
