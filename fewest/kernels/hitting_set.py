"""Branch and bound for small hitting sets: a few columns, at least one of every mask.

Masks are single 64-bit words, smallest first. A node branches on a smallest mask not yet hit;
what earlier siblings tried is forbidden to later ones, so that no set is visited twice. The last
two levels are not branched on: the last column must lie in the intersection of all masks that
the others leave. Nodes look at no more than a few of the smallest open masks, which is enough to
exclude nearly everything; what survives is checked against all of them.
"""

import numpy as np
from numba import njit

#: How many open masks a node keeps by the number of columns still to choose.
_KEEP_TWO, _KEEP_THREE, _KEEP_MORE = 64, 256, 1024
_LOOK = 24
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@njit(cache=True, nogil=True)
def ones(word):
    """Number of bits set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    word = word + (word >> np.uint64(8))
    word = word + (word >> np.uint64(16))
    word = word + (word >> np.uint64(32))
    return np.int64(word & np.uint64(0x7F))


@njit(cache=True, nogil=True)
def lowest(word):
    """Index of the lowest bit set; ``word`` must not be 0."""
    return ones((word & (~word + _ONE)) - _ONE) if word != _ZERO else 64


@njit(cache=True, nogil=True)
def affordable(costs, sizes, cost_left, size_left):
    """The columns that fit into what is left."""
    word = _ZERO
    for column in range(len(costs)):
        if costs[column] <= cost_left and sizes[column] <= size_left:
            word |= _ONE << np.uint64(column)
    return word


@njit(cache=True, nogil=True)
def intersect(masks, n, chosen, inside):
    """What lies in ``inside`` and in every mask that ``chosen`` does not hit."""
    for i in range(n):
        if not masks[i] & chosen:
            inside &= masks[i]
            if inside == _ZERO:
                break
    return inside


@njit(cache=True, nogil=True)
def open_masks(masks, n, chosen, forbidden, out, room):
    """Write the masks not hit, without forbidden columns; -1 if one has no column left."""
    written = 0
    for i in range(n):
        if masks[i] & chosen:
            continue
        left = masks[i] & ~forbidden
        if left == _ZERO:
            return -1
        out[written] = left
        written += 1
        if written == room:
            break
    return written


@njit(cache=True, nogil=True)
def smallest(masks, n, allowed):
    """The allowed part of the mask, among the first few, that has the fewest allowed columns."""
    best, size = allowed, 65
    for i in range(min(n, _LOOK)):
        word = masks[i] & allowed
        if ones(word) < size:
            best, size = word, ones(word)
            if size <= 1:
                break
    return best


@njit(cache=True, nogil=True)
def coverage(masks, n, count):
    """How many of the masks hold each column."""
    count[:] = 0
    for i in range(n):
        word = masks[i]
        while word != _ZERO:
            count[lowest(word)] += 1
            word &= word - _ONE


@njit(cache=True, nogil=True)
def can_cover(count, allowed, n, picks):
    """Whether the best ``picks`` allowed columns hold enough of the masks together."""
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
    """The column of ``word`` that most masks hold, as a bit."""
    best, most = _ZERO, -1
    while word != _ZERO:
        bit = word & (~word + _ONE)
        column = lowest(bit)
        if count[column] > most:
            best, most = bit, count[column]
        word ^= bit
    return best


@njit(cache=True, nogil=True)
def last_two(masks, lists, n, chosen, forbidden, costs, sizes, cost_left, size_left, found):
    """Decide a node with two columns to go; write the hitting sets into ``found``.

    Returns how many there are, at most ``len(found)``.
    """
    n_found = 0
    allowed = affordable(costs, sizes, cost_left, size_left) & ~forbidden
    tries = smallest(lists, n, allowed)
    while tries != _ZERO:
        bit = tries & (~tries + _ONE)
        tries ^= bit
        forbidden |= bit
        column = lowest(bit)
        inside = (_ZERO - _ONE) & ~forbidden
        inside = intersect(lists, n, bit, inside)
        if inside == _ZERO:
            continue
        # It survives the few masks of this node: now all of them decide.
        alone = intersect(masks, len(masks), chosen | bit, _ZERO - _ONE) == _ZERO - _ONE
        if alone:
            found[n_found] = chosen | bit
            n_found += 1
        else:
            inside &= affordable(costs, sizes, cost_left - costs[column], size_left - sizes[column])
            inside = intersect(masks, len(masks), chosen | bit, inside)
            while inside != _ZERO and n_found < len(found):
                last = inside & (~inside + _ONE)
                inside ^= last
                found[n_found] = chosen | bit | last
                n_found += 1
        if n_found == len(found):
            break
    return n_found


@njit(cache=True, nogil=True)
def fill(masks, parent, n_parent, complete, chosen, bit, forbidden, out, room):
    """The open masks of a child, from those of its parent; from all where too few are left.

    Returns their number (-1 where one cannot be hit any more), and whether these are all.
    """
    written = open_masks(parent, n_parent, bit, forbidden, out, room)
    if 0 <= written < min(room, _LOOK) and not complete:
        written = open_masks(masks, len(masks), chosen, forbidden, out, room)
        complete = True
    return written, complete and written < room


@njit(cache=True, nogil=True)
def hitting_sets(
    masks, costs, sizes, chosen, forbidden, cost_left, size_left, cheapest, stop, nodes, found
):
    """Find hitting sets that hold ``chosen``, avoid ``forbidden`` and fit into what is left.

    Parameters
    ----------
    masks : uint64 array, smallest first
    costs, sizes : what each column takes of ``cost_left`` and ``size_left``
    cheapest : at least how much of ``cost_left`` every column takes, above 0
    stop : int64 array; the search gives up when ``stop[0]`` is not 0
    nodes : int64 array; ``nodes[0]`` counts the nodes, ``nodes[1]`` is the most it may count
    found : uint64 array to be filled

    Returns the number of sets found: all there are if it is less than ``len(found)``; or -1
    if it gave up.
    """
    if cost_left < 0 or size_left < 0:
        return 0
    deepest = min(len(costs), np.int64(cost_left / cheapest)) + 2
    lists = np.empty((deepest, _KEEP_MORE), np.uint64)
    length = np.zeros(deepest, np.int64)
    taken = np.zeros(deepest, np.uint64)
    barred = np.zeros(deepest, np.uint64)
    tries = np.zeros(deepest, np.uint64)
    counts = np.zeros((deepest, 64), np.int64)
    money = np.zeros(deepest, np.float64)
    space = np.zeros(deepest, np.float64)
    complete = np.zeros(deepest, np.bool_)
    n_found, t = 0, 0
    taken[0], barred[0], money[0], space[0] = chosen, forbidden, cost_left, size_left
    length[0] = open_masks(masks, len(masks), chosen, forbidden, lists[0], _KEEP_MORE)
    complete[0] = length[0] < _KEEP_MORE
    entering = True
    while t >= 0:
        if entering:
            nodes[0] += 1
            if stop[0] != 0 or nodes[0] > nodes[1]:
                return -1
            entering = False
            tries[t] = _ZERO
            picks = np.int64(money[t] / cheapest)
            if length[t] < 0:
                t -= 1
                continue
            if picks <= 2 or length[t] == 0:
                if length[t] == 0:
                    # A list is only ever empty when every mask is hit.
                    found[n_found] = taken[t]
                    n_found += 1
                elif picks == 2:
                    n_found += last_two(
                        masks, lists[t], length[t], taken[t], barred[t], costs, sizes,
                        money[t], space[t], found[n_found:],
                    )  # fmt: skip
                else:
                    n_found += last_one(
                        masks, taken[t], barred[t], costs, sizes, money[t], space[t],
                        found[n_found:],
                    )  # fmt: skip
                if n_found == len(found):
                    return n_found
                t -= 1
                continue
            allowed = affordable(costs, sizes, money[t], space[t]) & ~barred[t]
            coverage(lists[t], length[t], counts[t])
            if can_cover(counts[t], allowed, length[t], min(picks, 64)):
                tries[t] = smallest(lists[t], length[t], allowed)
        if tries[t] == _ZERO:
            t -= 1
            continue
        bit = most_covering(tries[t], counts[t])
        column = lowest(bit)
        tries[t] ^= bit
        money[t + 1] = money[t] - costs[column]
        space[t + 1] = space[t] - sizes[column]
        taken[t + 1] = taken[t] | bit
        barred[t + 1] = barred[t]
        picks = np.int64(money[t + 1] / cheapest)
        room = _KEEP_TWO if picks <= 2 else _KEEP_THREE if picks == 3 else _KEEP_MORE
        length[t + 1], complete[t + 1] = fill(
            masks, lists[t], length[t], complete[t], taken[t + 1], bit, barred[t],
            lists[t + 1], room,
        )  # fmt: skip
        barred[t] |= bit
        t += 1
        entering = True
    return n_found


@njit(cache=True, nogil=True)
def last_one(masks, chosen, forbidden, costs, sizes, cost_left, size_left, found):
    """Decide a node with at most one column to go; write the hitting sets into ``found``."""
    if intersect(masks, len(masks), chosen, _ZERO - _ONE) == _ZERO - _ONE:
        found[0] = chosen
        return 1
    inside = affordable(costs, sizes, cost_left, size_left) & ~forbidden
    inside = intersect(masks, len(masks), chosen, inside)
    n_found = 0
    while inside != _ZERO and n_found < len(found):
        bit = inside & (~inside + _ONE)
        inside ^= bit
        found[n_found] = chosen | bit
        n_found += 1
    return n_found
