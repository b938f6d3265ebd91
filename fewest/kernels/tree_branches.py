"""Splitting a node of a :mod:`store <fewest.kernels.tree_nodes>` into its branches."""

from .inner import inner
from .tree_judge import find_cut
from .tree_nodes import (
    BRANCHES,
    LINKS,
    NODES,
    ROWS,
    UNKNOWN,
    find_slot,
    finish_node,
    row_hash,
    weight_at,
)

NO_ROOM = -2


@inner
def n_branches(data, feature):
    """A branch a level, or two sides of a cut."""
    return data.levels[feature] if data.levels[feature] > 0 else 2


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
def weigh_branches(data, store, node, feature, rank, first):
    """Fill in the share of the known weight of each branch; return the largest."""
    n, this, branches = n_branches(data, feature), store.nodes[node], store.branches
    for b in range(first, first + n):
        branches[b].share = 0.0
    known = 0.0
    for i in range(this.start, this.start + this.n):
        branch = branch_of(data, store.seen, feature, store.rows[i], rank)
        if branch >= 0:
            branches[first + branch].share += weight_at(store.weights, i)
            known += weight_at(store.weights, i)
    largest = 0
    for b in range(n):
        branches[first + b].share /= known
        if branches[first + b].share > branches[first + largest].share:
            largest = b
    return largest


@inner
def put_row(data, store, i, branch, weight, scratch, write):
    """Count the row at place ``i`` into a branch, or write it there."""
    row = store.rows[i]
    if not write:
        scratch.sizes[0, branch] += 1
        scratch.hashes[branch] += row_hash(data.marks[row], weight, scratch.number, scratch.bits)
        return
    at = scratch.sizes[1, branch]
    if at >= 0:  # otherwise the store has this branch already
        store.rows[at] = row
        if store.weights.size > 0:
            store.weights[at] = weight
        scratch.sizes[1, branch] = at + 1


@inner
def visit_rows(data, fractional, store, node, feature, rank, first, largest, scratch, write):
    """Count all rows of a node into its branches, or write them there.

    A row with an unknown value goes down every branch with its share, or down the largest.
    """
    this, n = store.nodes[node], n_branches(data, feature)
    for i in range(this.start, this.start + this.n):
        weight = weight_at(store.weights, i)
        branch = branch_of(data, store.seen, feature, store.rows[i], rank)
        if branch >= 0 or not fractional:
            branch = largest if branch < 0 else branch
            put_row(data, store, i, branch, weight, scratch, write)
            continue
        for b in range(n):
            share = store.branches[first + b].share
            if share > 0.0:
                put_row(data, store, i, b, weight * share, scratch, write)


@inner
def has_room(store, n, sizes):
    """Whether ``n`` branches with these sizes fit into the arrays of the store."""
    rows = 0
    for b in range(n):
        rows += sizes[0, b]
    return (
        store.used[NODES] + n <= store.nodes.size
        and store.used[ROWS] + rows <= store.rows.size
        and store.used[LINKS] < store.links.size
    )


@inner
def place_branch(store, b, key, sizes):
    """The node of a branch: one met before, or a new one with room for its rows; -1 if empty."""
    sizes[1, b] = -1
    if sizes[0, b] == 0:
        return -1
    slot = find_slot(store, key)
    if store.slots[slot] >= 0:
        return store.slots[slot]
    child = store.used[NODES]
    store.slots[slot] = child
    this = store.nodes[child]
    this.key, this.start, this.n = key, store.used[ROWS], sizes[0, b]
    sizes[1, b] = store.used[ROWS]
    store.used[NODES] += 1
    store.used[ROWS] += sizes[0, b]
    return child


@inner
def add_link(store, node, feature, cut, rank, first, largest):
    """Enter a new link at the head of the list of its node."""
    at = store.used[LINKS]
    store.used[LINKS] += 1
    link = store.links[at]
    link.feature, link.cut, link.rank, link.first = feature, cut, rank, first
    link.largest, link.next = largest, store.nodes[node].link
    store.nodes[node].link = at
    return at


@inner
def split_node(data, rules, store, node, feature, present, scratch):
    """Split a node by a feature and remember its branches; their link, or NO_ROOM."""
    n = n_branches(data, feature)
    first = store.used[BRANCHES]
    if first + n > store.branches.size:
        return NO_ROOM
    cut, rank = 0.0, 0
    if data.levels[feature] == 0:
        cut, rank = find_cut(data, rules, store, node, feature, present, scratch)
    largest = weigh_branches(data, store, node, feature, rank, first)
    for b in range(n):
        scratch.hashes[b], scratch.sizes[0, b] = 0, 0
    fractional = rules.fractional
    visit_rows(data, fractional, store, node, feature, rank, first, largest, scratch, False)
    if not has_room(store, n, scratch.sizes):
        return NO_ROOM
    before = store.used[NODES]
    for b in range(n):
        store.branches[first + b].child = place_branch(store, b, scratch.hashes[b], scratch.sizes)
    store.used[BRANCHES] += n
    visit_rows(data, fractional, store, node, feature, rank, first, largest, scratch, True)
    for child in range(before, store.used[NODES]):
        finish_node(data.target, rules, store, child)
    return add_link(store, node, feature, cut, rank, first, largest)


@inner
def find_link(data, rules, store, node, feature, present, scratch):
    """The link of a node by a feature, split now if it was not before; or NO_ROOM."""
    at = store.nodes[node].link
    while at != UNKNOWN:
        if store.links[at].feature == feature:
            return at
        at = store.links[at].next
    return split_node(data, rules, store, node, feature, present, scratch)
