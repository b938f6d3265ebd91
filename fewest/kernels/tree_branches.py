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
def n_branches(levels, feature):
    """A branch a level, or two sides of a cut."""
    return levels[feature] if levels[feature] > 0 else 2


@inner
def branch_of(code, nominal, seen, offset, rank):
    """The branch of a level or rank, -1 where it is unknown or in no training row."""
    if code < 0:
        return -1
    if nominal:
        return code if seen[offset + code] else -1
    return 0 if code <= rank else 1


@inner
def weigh_branches(data, store, node, feature, rank, first):
    """Fill in the share of the known weight of each branch; return the largest."""
    n, this, branches = n_branches(data.levels, feature), store.nodes[node], store.branches
    codes, rows, weights, seen = data.codes[feature], store.rows, store.weights, store.seen
    nominal, offset = data.levels[feature] > 0, data.first[feature]
    for b in range(first, first + n):
        branches[b].share = 0.0
    known = 0.0
    for i in range(this.start, this.start + this.n):
        branch = branch_of(codes[rows[i]], nominal, seen, offset, rank)
        if branch >= 0:
            branches[first + branch].share += weight_at(weights, i)
            known += weight_at(weights, i)
    largest = 0
    for b in range(n):
        branches[first + b].share /= known
        if branches[first + b].share > branches[first + largest].share:
            largest = b
    return largest


@inner
def write_row(rows, weights, sizes, branch, row, weight):
    """Write a row to its branch, unless the store has this branch already."""
    at = sizes[1, branch]
    if at >= 0:
        rows[at] = row
        if weights.size > 0:
            weights[at] = weight
        sizes[1, branch] = at + 1


@inner
def visit_rows(data, fractional, store, node, feature, rank, first, largest, scratch, write):
    """Count all rows of a node into its branches, or write them there.

    A row with an unknown value goes down every branch with its share, or down the largest.
    """
    this, n, branches = store.nodes[node], n_branches(data.levels, feature), store.branches
    codes, rows, weights, seen = data.codes[feature], store.rows, store.weights, store.seen
    nominal, offset, marks = data.levels[feature] > 0, data.first[feature], data.marks
    sizes, hashes, number, bits = scratch.sizes, scratch.hashes, scratch.number, scratch.bits
    for i in range(this.start, this.start + this.n):
        row, weight = rows[i], weight_at(weights, i)
        branch = branch_of(codes[row], nominal, seen, offset, rank)
        low, high = branch, branch + 1
        if branch < 0:
            low, high = (0, n) if fractional else (largest, largest + 1)
        for b in range(low, high):
            load = weight * branches[first + b].share if branch < 0 and fractional else weight
            if load == 0.0:
                continue
            if write:
                write_row(rows, weights, sizes, b, row, load)
            else:
                sizes[0, b] += 1
                hashes[b] += row_hash(marks[row], load, number, bits)


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
def part_whole(data, store, node, feature, rank, first, scratch):
    """Note the branch of each row of a node of whole rows; sizes, hashes and shares.

    The rows with an unknown value go down the largest branch, which is returned.
    """
    this, n = store.nodes[node], n_branches(data.levels, feature)
    parts, marks = scratch.keys, data.marks
    codes, rows, seen = data.codes[feature], store.rows, store.seen
    nominal, offset, start = data.levels[feature] > 0, data.first[feature], this.start
    sizes, hashes = scratch.sizes[0], scratch.hashes
    known, largest = 0, 0
    for i in range(this.n):
        row = rows[start + i]
        branch = branch_of(codes[row], nominal, seen, offset, rank)
        parts[i] = branch
        if branch >= 0:
            sizes[branch] += 1
            hashes[branch] += marks[row]
            known += 1
    for b in range(n):
        store.branches[first + b].share = sizes[b] / known
        if sizes[b] > sizes[largest]:
            largest = b
    if known < this.n:
        for i in range(this.n):
            if parts[i] < 0:
                parts[i] = largest
                sizes[largest] += 1
                hashes[largest] += marks[rows[start + i]]
    return largest


@inner
def write_parts(rows, start, n, parts, at):
    """Write the rows of a node to the branches that are new."""
    for i in range(n):
        place = at[parts[i]]
        if place >= 0:
            rows[place] = rows[start + i]
            at[parts[i]] = place + 1


@inner
def split_node(data, rules, store, node, feature, present, scratch):
    """Split a node by a feature and remember its branches; their link, or NO_ROOM."""
    n, fractional = n_branches(data.levels, feature), rules.fractional
    whole, first, this = store.weights.size == 0, store.used[BRANCHES], store.nodes[node]
    if first + n > store.branches.size:
        return NO_ROOM
    cut, rank = 0.0, 0
    if data.levels[feature] == 0:
        cut, rank = find_cut(data, rules, store, node, feature, present, scratch)
    for b in range(n):
        scratch.hashes[b], scratch.sizes[0, b] = 0, 0
    if whole:
        largest = part_whole(data, store, node, feature, rank, first, scratch)
    else:
        largest = weigh_branches(data, store, node, feature, rank, first)
        visit_rows(data, fractional, store, node, feature, rank, first, largest, scratch, False)
    if not has_room(store, n, scratch.sizes):
        return NO_ROOM
    before = store.used[NODES]
    for b in range(n):
        store.branches[first + b].child = place_branch(store, b, scratch.hashes[b], scratch.sizes)
    store.used[BRANCHES] += n
    if whole:
        write_parts(store.rows, this.start, this.n, scratch.keys, scratch.sizes[1])
    else:
        visit_rows(data, fractional, store, node, feature, rank, first, largest, scratch, True)
    for child in range(before, store.used[NODES]):
        finish_node(data.target, rules, store, child)
    return add_link(store, node, feature, cut, rank, first, largest)


@inner
def known_link(links, at, feature):
    """The link by a feature in the list that starts at ``at``, UNKNOWN if there is none."""
    while at != UNKNOWN and links[at].feature != feature:
        at = links[at].next
    return at
