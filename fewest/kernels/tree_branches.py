"""Splitting a node of a :mod:`store <fewest.kernels.tree_nodes>` into its branches."""

from .inner import inner
from .tree_nodes import (
    LINKS,
    NODES,
    ROWS,
    find_slot,
    finish_node,
    finish_stray,
    row_hash,
    weight_at,
)

TRAIN, TEST, TRAIN_AT, TEST_AT = 0, 1, 2, 3


@inner
def n_branches(data, feature):
    """A branch a level, or two sides of a cut."""
    return data.levels[feature] if data.levels[feature] > 0 else 2


@inner
def cut_rank(data, feature, cut):
    """The largest rank whose value is not above the cut."""
    low, high = data.first[feature], data.first[feature + 1]
    while low < high:
        middle = (low + high) // 2
        if data.distinct[middle] <= cut:
            low = middle + 1
        else:
            high = middle
    return low - data.first[feature] - 1


@inner
def branch_of(data, seen, feature, row, rank):
    """The branch of a row, -1 where its value is unknown or in no training row."""
    code = data.codes[feature, row]
    if code < 0:
        return -1
    if data.levels[feature] > 0:
        return code if seen[data.first[feature] + code] else -1
    return 0 if code <= rank else 1


@inner
def weigh_branches(data, store, node, feature, rank, branches):
    """Fill in the share of the known training weight of each branch; return the largest."""
    for b in range(branches.size):
        branches[b].share = 0.0
    this = store.nodes[node]
    known = 0.0
    for i in range(this.start, this.start + this.n_train):
        branch = branch_of(data, store.seen, feature, store.rows[i], rank)
        if branch >= 0:
            branches[branch].share += weight_at(store.weights, i)
            known += weight_at(store.weights, i)
    largest = 0
    for b in range(branches.size):
        branches[b].share /= known
        if branches[b].share > branches[largest].share:
            largest = b
    return largest


@inner
def put_row(data, store, i, branch, weight, part, scratch, write):
    """Count the row at place ``i`` into a branch, or write it there."""
    row = store.rows[i]
    if not write:
        scratch.sizes[part, branch] += 1
        scratch.hashes[branch] += row_hash(data.marks[row], weight, scratch.number, scratch.bits)
        return
    at = scratch.sizes[part + 2, branch]
    if at >= 0:  # otherwise the store has this branch already
        store.rows[at] = row
        if store.weights.size > 0:
            store.weights[at] = weight
        scratch.sizes[part + 2, branch] = at + 1


@inner
def visit_rows(data, fractional, store, node, feature, rank, largest, branches, scratch, write):
    """Count all rows of a node into its branches, or write them there."""
    this = store.nodes[node]
    for i in range(this.start, this.start + this.n_train + this.n_test):
        part = TRAIN if i < this.start + this.n_train else TEST
        weight = weight_at(store.weights, i)
        branch = branch_of(data, store.seen, feature, store.rows[i], rank)
        # An unknown value goes down every branch or the largest; one that no training row of
        # the node has strays into the place behind the last branch.
        low, high, share = branch, branch + 1, False
        if branch < 0 and fractional:
            low, high, share = 0, branches.size, True
        elif branch < 0:
            low, high = largest, largest + 1
        elif branches[branch].share == 0.0:
            low, high = branches.size, branches.size + 1
        for b in range(low, high):
            if not share:
                put_row(data, store, i, b, weight, part, scratch, write)
            elif branches[b].share > 0.0:
                put_row(data, store, i, b, weight * branches[b].share, part, scratch, write)


@inner
def has_room(store, branches, sizes):
    """Whether the branches fit into the arrays of the store."""
    rows = 0
    for b in range(branches + 1):
        rows += sizes[TRAIN, b] + sizes[TEST, b]
    return (
        store.used[NODES] + branches + 1 <= store.nodes.size
        and store.used[ROWS] + rows <= store.rows.size
    )


@inner
def place_branch(store, b, stray, key, sizes):
    """The node of a branch: one met before, or a new one with room for its rows; -1 if empty."""
    sizes[TRAIN_AT, b], sizes[TEST_AT, b] = -1, -1
    n_train, n_test = sizes[TRAIN, b], sizes[TEST, b]
    if n_train == 0 and not (stray and n_test > 0):
        return -1
    child = store.used[NODES]
    if not stray:
        slot = find_slot(store, key)
        if store.slots[slot] >= 0:
            return store.slots[slot]
        store.slots[slot] = child
    start = store.used[ROWS]
    this = store.nodes[child]
    this.key, this.start, this.n_train, this.n_test = key, start, n_train, n_test
    sizes[TRAIN_AT, b], sizes[TEST_AT, b] = start, start + n_train
    store.used[NODES] += 1
    store.used[ROWS] += n_train + n_test
    return child


@inner
def split_node(data, rules, store, node, feature, scratch):
    """Split a node by a feature and remember its branches; False where there is no room.

    Behind the branches stand the node of the stray test rows (-1 none) and the largest branch.
    """
    split = store.splits[store.nodes[node].block, feature]
    n = n_branches(data, feature)
    link = store.used[LINKS]
    if link + n + 2 > store.branches.size:
        return False
    rank = 0 if data.levels[feature] > 0 else cut_rank(data, feature, split.cut)
    branches = store.branches[link : link + n]
    largest = weigh_branches(data, store, node, feature, rank, branches)
    for b in range(n + 1):
        scratch.hashes[b] = 0
        for part in range(4):
            scratch.sizes[part, b] = 0
    for write in (False, True):
        visit_rows(
            data, rules.fractional, store, node, feature, rank, largest, branches, scratch, write
        )
        if write:
            break
        if not has_room(store, n, scratch.sizes):
            return False
        before = store.used[NODES]
        for b in range(n + 1):
            store.branches[link + b].child = place_branch(
                store, b, b == n, scratch.hashes[b], scratch.sizes
            )
    store.branches[link + n + 1].child = largest
    store.used[LINKS] += n + 2
    split.link = link
    for child in range(before, store.used[NODES]):
        if store.nodes[child].n_train > 0:
            finish_node(data.target, rules, store, child)
        else:
            finish_stray(data.target, store, child, node)
    return True
