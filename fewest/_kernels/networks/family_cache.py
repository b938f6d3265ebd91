"""Caches of family scores, and climbing and annealing over them."""

import math
from collections import namedtuple

import numpy as np
from numba import njit

from ..counting.bitplanes import configurations, popcount, split_masks
from ..inner import hot, inner
from .families import LEAST_GAIN, find_tables, mask_gains, number_of_cases

#: The rows in two forms, the score, and the nodes found so far (see ``models.networks``); the gains
#: of a node, and the variables by their gains, are there where it is ``judged``.
FamilyCache = namedtuple(
    "FamilyCache",
    "planes offsets cardinalities everything columns kind alpha penalty largest made tables "
    "slots count children parents scores gains ranks judged",
)
#: With more masks than this, counting row by row is faster than by bits.
MOST_MASKS = 64
_1 = np.uint64(1)


@inner
def has(bits, i):
    """Decide if ``i`` is in a set of bits."""
    return (bits[i >> 6] >> np.uint64(i & 63)) & _1 == _1


@inner
def flip(bits, i):
    """Put ``i`` into a set of bits, or take it out."""
    bits[i >> 6] ^= _1 << np.uint64(i & 63)


@inner
def lowest(bits):
    """Return the position of the lowest bit of a word that is not 0."""
    return np.int64(popcount((bits & (~bits + _1)) - _1))


@njit(cache=True, nogil=True)
def members(bits, d):
    """Return the members of a set of bits, ascending."""
    found = np.empty(d, np.int64)
    k = 0
    for w in range(len(bits)):
        word = bits[w]
        while word:
            found[k] = 64 * w + lowest(word)
            word &= word - _1
            k += 1
    return found[:k]


@njit(cache=True, nogil=True)
def find_slot(slots, children, parents, child, bits):
    """Return the position of a node in the hash table, or the free position where it belongs."""
    h = np.uint64(child + 1) * np.uint64(0x9E3779B97F4A7C15)
    for w in range(len(bits)):
        h = (h ^ bits[w]) * np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(29)
    at = np.int64(h & np.uint64(len(slots) - 1))
    while slots[at] >= 0:
        node = slots[at]
        same = children[node] == child
        for w in range(len(bits)):
            same = same and parents[node, w] == bits[w]
        if same:
            return at
        at = (at + 1) & (len(slots) - 1)
    return at


@njit(cache=True, nogil=True)
def fill_slots(slots, children, parents, number):
    """Enter the first ``number`` nodes into an empty hash table."""
    for node in range(number):
        slots[find_slot(slots, children, parents, children[node], parents[node])] = node


@njit(cache=True, nogil=True)
def cases_of_rows(columns, cardinalities, variables):
    """Label each row by its observed configuration of some variables; return how many there are."""
    n = columns.shape[1]
    cases = np.zeros(n, np.int64)
    number = 1
    for v in variables:
        seen = np.full(number * cardinalities[v], -1, np.int64)
        number = 0
        for t in range(n):
            case = cases[t] * cardinalities[v] + columns[v, t]
            if seen[case] < 0:
                seen[case] = number
                number += 1
            cases[t] = seen[case]
    return cases, number


@njit(cache=True, nogil=True)
def counted_score(counts, configurations, levels, others, cell, total):
    """Return the score, before the penalty, from counts by configuration, level, and new parent."""
    score = 0.0
    for c in range(configurations):
        for v in range(others):
            n = 0
            for k in range(levels):
                n_cell = counts[(c * levels + k) * others + v]
                n += n_cell
                score += cell[n_cell]
            score -= total[n]
    return score


@njit(cache=True, nogil=True)
def row_gains(cache, child, parents, cases, gains):
    """Compute ``mask_gains`` by counting row by row: for families with many configurations."""
    levels = cache.cardinalities[child]
    n = cache.columns.shape[1]
    case, number = cases_of_rows(cache.columns, cache.cardinalities, parents)
    place = np.empty(n, np.int32)
    for t in range(n):
        place[t] = case[t] * levels + cache.columns[child, t]
    counts = np.empty(number * levels * np.max(cache.cardinalities), np.int32)
    now = 0.0
    for j in range(-1, len(gains)):
        others = 1 if j < 0 else cache.cardinalities[j]
        for k in range(number * others * levels):
            counts[k] = 0
        if j < 0:
            for t in range(n):
                counts[place[t]] += 1
        else:
            column = cache.columns[j]
            for t in range(n):
                counts[place[t] * others + column[t]] += 1
        slot = find_tables(
            cache.made, cache.tables, cache.kind, cache.alpha, levels, cases * others
        )
        score = counted_score(
            counts, number, levels, others, cache.tables[slot, 0], cache.tables[slot, 1]
        )
        score -= cache.penalty * (levels - 1) * cases * others
        if j < 0:
            now = score
        else:
            gains[j] = score - now
    return now


@njit(cache=True, nogil=True)
def judge_family(cache, child, bits, gains):
    """Return the score of a family; ``gains`` receives those of as many variables as it has."""
    parents = members(bits, len(cache.cardinalities))
    cases = number_of_cases(cache.cardinalities, parents)
    levels = cache.cardinalities[child]
    masks = configurations(
        cache.planes, cache.offsets, cache.cardinalities, cache.everything, parents,
        MOST_MASKS // levels,
    )  # fmt: skip
    if len(masks) > 0:
        masks = split_masks(masks, cache.planes, cache.offsets[child], levels)
        score = mask_gains(
            masks, cache.planes, cache.offsets, cache.cardinalities, child, cases, cache.kind,
            cache.alpha, cache.penalty, cache.made, cache.tables, gains,
        )  # fmt: skip
    else:
        score = row_gains(cache, child, parents, cases, gains)
    for j in range(len(gains)):
        if j == child or has(bits, j) or cases * levels * cache.cardinalities[j] > cache.largest:
            gains[j] = -np.inf
    return score


@njit(cache=True, nogil=True)
def find_score(cache, child, bits):
    """Return the node of a child with these parents, scored if new; -1 if there is no room."""
    at = find_slot(cache.slots, cache.children, cache.parents, child, bits)
    if cache.slots[at] >= 0:
        return cache.slots[at]
    node = cache.count[0]
    if node >= len(cache.scores):
        return -1
    cache.scores[node] = judge_family(cache, child, bits, cache.gains[node, :0])
    cache.children[node] = child
    cache.parents[node] = bits
    cache.judged[node] = False
    cache.slots[at] = node
    cache.count[0] = node + 1
    return node


@njit(cache=True, nogil=True)
def find_family(cache, child, bits):
    """Return the node of ``find_score`` with what every further parent would add."""
    node = find_score(cache, child, bits)
    if node >= 0 and not cache.judged[node]:
        gains = cache.gains[node]
        judge_family(cache, child, bits, gains)
        cache.ranks[node] = np.argsort(-gains, kind="mergesort")
        cache.judged[node] = True
    return node


@njit(cache=True, nogil=True)
def graph_scores(cache, graphs, first, scores):
    """Score graphs (m, d, words) from ``first`` on; return how many are done before it is full."""
    for g in range(first, len(graphs)):
        total = 0.0
        for i in range(graphs.shape[1]):
            node = find_score(cache, i, graphs[g, i])
            if node < 0:
                return g
            total += cache.scores[node]
        scores[g] = total
    return len(graphs)


@njit(cache=True, nogil=True)
def first_best(gains, before, number):
    """Return the first variable of ``before`` whose gain is the largest but for rounding, or -1."""
    top = -np.inf
    for k in range(number):
        top = max(top, gains[before[k]])
    if not top > LEAST_GAIN:
        return -1
    k = 0
    while gains[before[k]] < top - LEAST_GAIN:
        k += 1
    return before[k]


@njit(cache=True, nogil=True)
def k2_orders(cache, orders, most, start, parents, scores):
    """Find parents (m, d, words) and scores by K2 of ``orders`` (m, d), from row ``start`` on.

    Returns the row at which the cache was full, or the number of rows.
    """
    m, d = orders.shape
    for row in range(start, m):
        score = 0.0
        for place in range(d):
            child = orders[row, place]
            bits = parents[row, child]
            bits[:] = np.uint64(0)
            node = find_family(cache, child, bits)
            if node < 0:
                return row
            found = cache.scores[node]
            for number in range(1, most + 1):
                best = first_best(cache.gains[node], orders[row], place)
                if best < 0:
                    break
                flip(bits, best)
                if number == most:
                    # The gain of a further parent is not needed, so nothing is counted.
                    found += cache.gains[node, best]
                    break
                node = find_family(cache, child, bits)
                if node < 0:
                    return row
                found = cache.scores[node]
            score += found
        scores[row] = score
    return m


#: Where a climb stands: parents and ancestors as words of bits, the node of each family, what
#: deleting each arc would bring [child, parent], when each arc was last changed, how many steps
#: were made and how many since the best graph, and the score of this graph and of the best.
Climb = namedtuple("Climb", "parents above nodes number delete changed steps scores")
ADD, DELETE, REVERSE = 0, 1, 2


@njit(cache=True, nogil=True)
def new_climb(parents):
    """Make a climb from a graph, its parents as words of bits; ``start_climb`` fills the rest."""
    d = len(parents)
    return Climb(
        parents.copy(), np.zeros_like(parents), np.zeros(d, np.int64), np.zeros(d, np.int64),
        np.zeros((d, d)), np.full((d, d), -1), np.zeros(2, np.int64), np.zeros(2),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def find_ancestors(parents, above):
    """Fill the ancestor sets of all variables; False where the arcs make a cycle."""
    return fill_ancestors(parents, above, np.zeros(len(parents), np.bool_))


@njit(cache=True, nogil=True)
def fill_ancestors(parents, above, done):
    """Fill the ancestor sets of the variables that are not done; False where arcs make a cycle."""
    d, words = parents.shape
    way = np.empty(d, np.int64)
    for first in range(d):
        if done[first]:
            continue
        way[0] = first
        length = 1
        while length > 0:
            i = way[length - 1]
            waits_for = -1
            above[i] = parents[i]
            for w in range(words):
                bits = parents[i, w]
                while bits and waits_for < 0:
                    p = 64 * w + lowest(bits)
                    bits &= bits - _1
                    if not done[p]:
                        waits_for = p
                    for v in range(words):
                        above[i, v] |= above[p, v]
            if waits_for < 0:
                done[i] = True
                length -= 1
            elif length == d:
                return False
            else:
                way[length] = waits_for
                length += 1
    return True


@njit(cache=True, nogil=True)
def leads_to(parents, first, last):
    """Decide if a way along the arcs leads from the one variable to the other."""
    d, words = parents.shape
    seen = parents[last].copy()
    looked = np.zeros(words, np.uint64)
    open_ones = True
    while open_ones and not has(seen, first):
        open_ones = False
        for w in range(words):
            bits = seen[w] & ~looked[w]
            looked[w] |= bits
            while bits:
                p = 64 * w + lowest(bits)
                bits &= bits - _1
                open_ones = True
                for v in range(words):
                    seen[v] |= parents[p, v]
    return has(seen, first)


@njit(cache=True, nogil=True)
def renew_ancestors(climb, child, other):
    """Fill the ancestor sets of two variables, whose parents have changed, and of those below."""
    d = len(climb.nodes)
    done = np.ones(d, np.bool_)
    for x in range(d):
        if x == child or x == other or has(climb.above[x], child) or has(climb.above[x], other):
            done[x] = False
    fill_ancestors(climb.parents, climb.above, done)


@njit(cache=True, nogil=True)
def has_room(cache):
    """Decide if the cache has room for all families that one change of a graph can need."""
    return cache.count[0] + 2 * len(cache.cardinalities) <= len(cache.scores)


@njit(cache=True, nogil=True)
def refresh(cache, climb, child, most):
    """Look a changed family up, and what deleting each of its parents brings."""
    bits = climb.parents[child]
    own = members(bits, len(climb.nodes))
    climb.number[child] = len(own)
    # With as many parents as there may be, what a further one would add is not needed.
    if len(own) < most:
        node = find_family(cache, child, bits)
    else:
        node = find_score(cache, child, bits)
    climb.nodes[child] = node
    for p in own:
        flip(bits, p)
        fewer = find_score(cache, child, bits)
        flip(bits, p)
        climb.delete[child, p] = cache.scores[fewer] - cache.scores[node]


@njit(cache=True, nogil=True)
def can_turn(climb, child, parent):
    """Decide if the arc can be reversed: no other way leads from the parent to the child."""
    d = len(climb.nodes)
    for q in range(d):
        if q != parent and has(climb.parents[child], q) and has(climb.above[q], parent):
            return False
    return True


@hot
def best_parent(child, gains, ranks, above, changed, least, oldest, needed):
    """Return the parent whose arc brings most, and more than ``least``, or -1; see ``best_change``.

    Of equally good ones it is the first variable.
    """
    best = -1
    word, bit = child >> 6, np.uint64(child & 63)
    for k in range(len(ranks)):
        p = np.int64(ranks[k])
        if not gains[p] > least:
            break
        legal = (above[p, word] >> bit) & _1 != _1 and (best < 0 or p < best)
        if legal and (changed[child, p] < oldest or gains[p] > needed):
            least = gains[p] - LEAST_GAIN if best < 0 else least
            best = p
    return best


@njit(cache=True, nogil=True)
def best_change(cache, climb, most, oldest, needed):
    """Return the legal change with the largest gain: what, child, parent, and the gain.

    Arcs changed at step ``oldest`` or later are left alone unless the change brings more than
    ``needed``.
    """
    d, words = climb.parents.shape
    what, to, of, top = -1, -1, -1, -np.inf
    for i in range(d):
        if climb.number[i] < most:
            node = climb.nodes[i]
            p = best_parent(
                i, cache.gains[node], cache.ranks[node], climb.above, climb.changed,
                top + LEAST_GAIN, oldest, needed,
            )  # fmt: skip
            if p >= 0:
                what, to, of, top = ADD, i, p, cache.gains[node, p]
        for w in range(words):
            bits = climb.parents[i, w]
            while bits:
                p = 64 * w + lowest(bits)
                bits &= bits - _1
                gain = climb.delete[i, p]
                turned = gain + cache.gains[climb.nodes[p], i]
                if (
                    turned > gain + LEAST_GAIN
                    and turned > top + LEAST_GAIN
                    and climb.number[p] < most
                    and (climb.changed[i, p] < oldest or turned > needed)
                    and can_turn(climb, i, p)
                ):
                    what, to, of, top = REVERSE, i, p, turned
                if gain > top + LEAST_GAIN and (climb.changed[i, p] < oldest or gain > needed):
                    what, to, of, top = DELETE, i, p, gain
    return what, to, of, top


@njit(cache=True, nogil=True)
def start_climb(cache, climb, most, tenure):
    """Look up all families of the first graph, where no arc rests; False if the cache is full."""
    climb.changed[:] = -1 - tenure
    find_ancestors(climb.parents, climb.above)
    score = 0.0
    for i in range(len(climb.nodes)):
        if not has_room(cache):
            return False
        refresh(cache, climb, i, most)
        score += cache.scores[climb.nodes[i]]
    climb.steps[:] = 0
    climb.scores[:] = score
    return True


@njit(cache=True, nogil=True)
def kick_graph(parents, above, most, uniform):
    """Change one random arc per row of ``uniform`` (changes, 3).

    The first number chooses the child. Where the third is below one third, an arc from the
    variable that the second chooses is added, if it is legal: a pair of parents of which each
    alone is of no use is found from one of them. Otherwise the second number chooses a parent,
    whose arc is deleted, and reversed where the third is below two thirds and that is legal.
    ``above`` receives the ancestors.
    """
    d = len(parents)
    for t in range(len(uniform)):
        i = int(uniform[t, 0] * d)
        own = members(parents[i], d)
        if 3 * uniform[t, 2] < 1:
            p = int(uniform[t, 1] * d)
            if (
                p != i
                and not has(parents[i], p)
                and len(own) < most
                and not leads_to(parents, i, p)
            ):
                flip(parents[i], p)
        elif len(own) > 0:
            p = own[int(uniform[t, 1] * len(own))]
            flip(parents[i], p)
            turns = 3 * uniform[t, 2] < 2 and len(members(parents[p], d)) < most
            if turns and not leads_to(parents, p, i):
                flip(parents[p], i)
    find_ancestors(parents, above)


@njit(cache=True, nogil=True)
def climb_graph(cache, climb, most, tenure, patience, loss, steps, best):
    """Go on for some steps, until nothing helps, or ``patience`` steps brought no new best.

    A step makes the best change, which may cost ``loss``. With a ``patience`` of 0 this is plain
    hill climbing. With a loss of 0 it also goes sideways, along changes that cost nothing; with
    an infinite one it is tabu search (Glover, 1989). An arc that was changed rests for ``tenure``
    steps unless changing it leads to a new best. ``best`` receives the parents of each new best
    graph. Returns whether the cache had room, and whether the climb has ended; the caller makes
    room and lets the climb go on.
    """
    for _ in range(steps):
        if not has_room(cache):
            return False, False
        step = climb.steps[0]
        needed = climb.scores[1] - climb.scores[0] + LEAST_GAIN
        what, i, p, gain = best_change(cache, climb, most, step - tenure, needed)
        if what < 0 or (patience == 0 and gain <= LEAST_GAIN) or gain < -loss - LEAST_GAIN:
            return True, True
        flip(climb.parents[i], p)
        if what == REVERSE:
            flip(climb.parents[p], i)
            climb.changed[p, i] = step
            refresh(cache, climb, p, most)
        climb.changed[i, p] = step
        refresh(cache, climb, i, most)
        renew_ancestors(climb, i, p if what == REVERSE else i)
        climb.scores[0] += gain
        climb.steps[:] += 1
        if climb.scores[0] > climb.scores[1] + LEAST_GAIN:
            climb.scores[1] = climb.scores[0]
            climb.steps[1] = 0
            best[:] = climb.parents
        if patience > 0 and climb.steps[1] >= patience:
            return True, True
    return True, False


@njit(cache=True, nogil=True)
def anneal_graph(cache, climb, most, uniform, temperatures, first, best):
    """Try one random change per row of ``uniform`` (steps, 4); keep it if it helps or by chance.

    A change that costs is kept with probability exp(gain / temperature) (Kirkpatrick et al.,
    1983). ``climb`` has been started (``start_climb``); ``best`` receives the parents of each new
    best graph. Returns how many rows are done; where the cache is full, the caller makes room
    and goes on from there.
    """
    d = len(climb.nodes)
    for step in range(first, len(uniform)):
        if not has_room(cache):
            return step
        i = int(uniform[step, 0] * d)
        p = int(uniform[step, 1] * d)
        if i == p:
            continue
        turns = False
        if has(climb.parents[i], p):
            gain = climb.delete[i, p]
            turns = uniform[step, 2] < 0.5
            if turns:
                if climb.number[p] >= most or not can_turn(climb, i, p):
                    continue
                gain += cache.gains[climb.nodes[p], i]
        else:
            if climb.number[i] >= most or has(climb.above[p], i):
                continue
            gain = cache.gains[climb.nodes[i], p]
        if gain < 0 and uniform[step, 3] >= math.exp(max(gain / temperatures[step], -700.0)):
            continue
        if gain == -np.inf:
            continue
        flip(climb.parents[i], p)
        if turns:
            flip(climb.parents[p], i)
            refresh(cache, climb, p, most)
        refresh(cache, climb, i, most)
        renew_ancestors(climb, i, p if turns else i)
        climb.scores[0] += gain
        if climb.scores[0] > climb.scores[1] + LEAST_GAIN:
            climb.scores[1] = climb.scores[0]
            best[:] = climb.parents
    return len(uniform)
