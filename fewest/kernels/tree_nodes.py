"""The nodes of many decision trees over the same rows, each worked out once.

What a node knows (its class counts, how well each feature splits it, the nodes it splits into)
depends on its training rows alone, not on the tree it stands in. A store holds every node met so
far, found by a hash of its rows, so that trees over thousands of feature subsets share them.

All arrays are made (and enlarged) by the caller; a kernel that finds one too small changes
nothing and says so.
"""

from collections import namedtuple

import numpy as np
from numba import njit

from .inner import inner
from .tree_split import added_errors

#: The table. ``codes`` (features, rows): level or rank of the value, -1 unknown. ``levels``: how
#: many levels a nominal feature has, 0 if continuous. ``distinct`` and ``first``: the sorted
#: values of each continuous feature. ``marks``: a random number a row, for the hash. ``table``:
#: n log₂ n; ``fixed``: the same as whole numbers of 2⁻³². ``flags``: see
#: :func:`count_flags <fewest.kernels.tree_whole.count_flags>`; ``flagged`` (features, 2): the first
#: flag of a nominal feature and how many it has, -1 if it has none, -2 for a continuous feature
#: without unknown values; for these the ``order`` of the rows by value, the ``place`` of each row
#: in it, and ``groups``, see :func:`sweep_odd <fewest.kernels.tree_whole.sweep_odd>`.
Data = namedtuple(
    "Data",
    "codes levels distinct first target marks table fixed flags flagged order place groups",
)

#: ``critical``: chi-squared values by degrees of freedom, empty for no test. ``minimum``: rows in
#: branches. ``release8``: Quinlan's corrections for continuous features. ``fractional``: unknown
#: values go down every branch. ``confidence``, ``z``: of the error-based pruning, 0 for none.
Rules = namedtuple("Rules", "critical minimum release8 fractional confidence z")

#: A node: where its rows start, how many they are, their hash, and whether they are whole (all
#: weights 1); the block of its split statistics (UNKNOWN: none yet, NEVER: it does not split) and
#: the first of its links; its largest class, total weight, errors as a leaf, and the errors to be
#: expected of that leaf.
NODE = np.dtype(
    [
        ("start", np.int64),
        ("n", np.int64),
        ("key", np.uint64),
        ("whole", np.int64),
        ("block", np.int64),
        ("link", np.int64),
        ("major", np.int64),
        ("total", np.float64),
        ("errors", np.float64),
        ("expected", np.float64),
    ]
)

#: A link from a node to its branches by one feature: the cut, where the branches stand, which is
#: the largest, and the next link of the same node.
LINK = np.dtype(
    [
        ("feature", np.int64),
        ("cut", np.float64),
        ("rank", np.int64),
        ("first", np.int64),
        ("largest", np.int64),
        ("next", np.int64),
    ]
)

#: A branch: its node (-1: no training row there) and its share of the known training weight.
BRANCH = np.dtype([("child", np.int64), ("share", np.float64)])

#: ``used``: how many nodes, rows, blocks, links and branches are in use. ``weights`` is empty
#: where all rows are whole. ``counts`` (nodes, classes). ``splits`` (blocks, features, 2): gain
#: (NaN not yet known, -1 not allowed) and gain ratio. ``slots``: the hash table. ``seen``: which
#: levels occur in training rows.
Store = namedtuple("Store", "used rows weights nodes counts splits links branches slots seen")

#: Room for one call: sorted ranks, their classes and weights, sort keys; which ranks occur and how
#: often in which class; counts by branch and class, and their margins; hashes and sizes of
#: branches; two views of the same eight bytes. For whole rows: sums of flags and their bytes; class
#: counts; rows outside the largest class; bitmaps; class counts by branch.
Scratch = namedtuple(
    "Scratch",
    "ranks classes weights keys rank_words tallies sides counts margins hashes sizes number bits "
    "lanes sums totals odd words odd_words below tally",
)

NODES, ROWS, BLOCKS, LINKS, BRANCHES = 0, 1, 2, 3, 4
UNKNOWN, NEVER = -1, -2


@inner
def row_hash(mark, weight, number, bits):
    """A number for a row with its weight; a node's key is the sum over its rows."""
    if weight == 1.0:
        return mark
    number[0] = weight
    x = mark ^ bits[0]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return x ^ (x >> np.uint64(27))


@inner
def find_slot(store, key):
    """The slot that holds this key, or the empty one where it belongs."""
    last = np.uint64(store.slots.size - 1)
    slot = (key >> np.uint64(20)) & last
    while store.slots[slot] >= 0 and store.nodes[store.slots[slot]].key != key:
        slot = (slot + np.uint64(1)) & last
    return slot


@njit(cache=True, nogil=True)
def fill_slots(store):
    """Enter every node but the root into an emptied hash table."""
    for node in range(1, store.used[NODES]):
        store.slots[find_slot(store, store.nodes[node].key)] = node


@inner
def weight_at(weights, i):
    """The weight of the row at place ``i``; a store without weights has whole rows."""
    return weights[i] if weights.size > 0 else 1.0


@njit(cache=True, nogil=True)
def finish_node(target, rules, store, node):
    """Fill in what follows from the rows of a node."""
    this, counts = store.nodes[node], store.counts[node]
    for c in range(counts.size):
        counts[c] = 0.0
    this.whole = 1
    for i in range(this.start, this.start + this.n):
        weight = weight_at(store.weights, i)
        counts[target[store.rows[i]]] += weight
        if weight != 1.0:
            this.whole = 0
    this.major, this.total, this.errors, this.link = 0, 0.0, 0.0, UNKNOWN
    for c in range(counts.size):
        this.total += counts[c]
        if counts[c] > counts[this.major]:
            this.major = c
    for c in range(counts.size):
        if c != this.major:
            this.errors += counts[c]
    this.expected = this.errors
    if rules.confidence > 0.0:
        this.expected += added_errors(this.total, this.errors, rules.confidence, rules.z)
    this.block = NEVER if this.errors < 1e-9 or this.total < 2.0 * rules.minimum else UNKNOWN
