"""The nodes of many decision trees over the same rows, each worked out once.

What a node knows (its class counts, how well each feature splits it, the nodes it splits into)
depends on its rows alone, not on the tree it stands in. A store holds every node met so far,
found by a hash of its rows, so that trees over thousands of feature subsets share them.

A store belongs to one division of the rows into training and test rows; the test rows go down
with the training rows. All arrays are made (and enlarged) by the caller; a kernel that finds
one too small changes nothing and says so.
"""

from collections import namedtuple

import numpy as np
from numba import njit

from .inner import inner
from .tree_split import added_errors

#: The table. ``codes`` (features, rows): level or rank of the value, -1 unknown. ``levels``: how
#: many levels a nominal feature has, 0 if continuous. ``order`` (features, rows): rows by rank,
#: the unknown first. ``distinct`` and ``first``: the sorted values of each continuous feature.
#: ``marks``: a random number a row, for the hash. ``table``: n log₂ n.
Data = namedtuple("Data", "codes levels order distinct first target marks table")

#: ``critical``: chi-squared values by degrees of freedom, empty for no test. ``minimum``: rows in
#: branches. ``release8``: Quinlan's corrections for continuous features. ``fractional``: unknown
#: values go down every branch. ``confidence``, ``z``: of the error-based pruning, 0 for none.
Rules = namedtuple("Rules", "critical minimum release8 fractional confidence z")

#: A node: where its rows start, training rows first, and how many; the hash of its rows; the
#: block of its split statistics (UNKNOWN: none yet, NEVER: it does not split); its largest class;
#: the weight of its training rows, their errors as a leaf, and the errors to be expected of it;
#: how many test rows its largest class fits.
NODE = np.dtype(
    [
        ("start", np.int64),
        ("n_train", np.int64),
        ("n_test", np.int64),
        ("key", np.uint64),
        ("block", np.int64),
        ("major", np.int64),
        ("total", np.float64),
        ("errors", np.float64),
        ("expected", np.float64),
        ("correct", np.int64),
    ]
)

#: How a feature splits a node: gain (NaN not yet known, -1 not allowed), gain ratio, cut, and
#: where its branches stand (UNKNOWN: not yet split).
SPLIT = np.dtype(
    [("gain", np.float64), ("ratio", np.float64), ("cut", np.float64), ("link", np.int64)]
)

#: A branch: its node (-1: no training row there) and its share of the known training weight.
BRANCH = np.dtype([("child", np.int64), ("share", np.float64)])

#: ``used``: how many nodes, rows, blocks and branches are in use. ``weights`` is empty where all
#: rows are whole. ``counts`` (nodes, classes); ``splits`` (blocks, features); ``slots``: the hash
#: table; ``seen``: which levels occur in training rows.
Store = namedtuple("Store", "used rows weights nodes counts splits branches slots seen")

#: Room for one call: sorted ranks, their classes and weights, sort keys, where a row stands,
#: counts by branch and class, their margins, and two views of the same eight bytes.
Scratch = namedtuple(
    "Scratch", "ranks classes weights keys place owner counts margins hashes sizes number bits"
)

NODES, ROWS, BLOCKS, LINKS = 0, 1, 2, 3
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
    """Enter every node into an emptied hash table, but the root and the strays."""
    for node in range(1, store.used[NODES]):
        if store.nodes[node].n_train > 0:
            store.slots[find_slot(store, store.nodes[node].key)] = node


@inner
def weight_at(weights, i):
    """The weight of the row at place ``i``; a store without weights has whole rows."""
    return weights[i] if weights.size > 0 else 1.0


@njit(cache=True, nogil=True)
def finish_node(target, rules, store, node):
    """Fill in what follows from the rows of a node."""
    this, counts = store.nodes[node], store.counts[node]
    middle = this.start + this.n_train
    for c in range(counts.size):
        counts[c] = 0.0
    for i in range(this.start, middle):
        counts[target[store.rows[i]]] += weight_at(store.weights, i)
    this.major, this.total, this.errors, this.correct = 0, 0.0, 0.0, 0
    for c in range(counts.size):
        this.total += counts[c]
        if counts[c] > counts[this.major]:
            this.major = c
    for c in range(counts.size):
        if c != this.major:
            this.errors += counts[c]
    for i in range(middle, middle + this.n_test):
        this.correct += target[store.rows[i]] == this.major
    this.expected = this.errors
    if rules.confidence > 0.0:
        this.expected += added_errors(this.total, this.errors, rules.confidence, rules.z)
    this.block = NEVER if this.errors < 1e-9 or this.total < 2.0 * rules.minimum else UNKNOWN


@inner
def finish_stray(target, store, node, parent):
    """Let a node without training rows, where strayed test rows end, answer as its parent."""
    this, above = store.nodes[node], store.nodes[parent]
    for c in range(store.counts.shape[1]):
        store.counts[node, c] = store.counts[parent, c]
    this.major, this.total, this.block = above.major, above.total, NEVER
    this.errors, this.expected, this.correct = 0.0, 0.0, 0
    for i in range(this.start, this.start + this.n_test):
        this.correct += target[store.rows[i]] == this.major
