"""Splitting a node for a group of subsets: its branches become nodes and tasks of their own."""

import numpy as np
from numba import njit

from ..inner import hot, inner
from .forest import (
    ABOVE,
    AGAIN,
    ASK,
    BELOW,
    BY,
    COMPLETE,
    CORRECT,
    COUNTS,
    ENOUGH,
    ERRORS,
    EXPECTED,
    FEATURE,
    FIRST,
    FROM,
    HIGH,
    ITEM,
    KIDS,
    LARGEST,
    LAST,
    LEFT,
    LEVELS,
    LINKS_SHORT,
    LOG_SHORT,
    LOW,
    MAJOR,
    N_LINKS,
    N_LOG,
    N_NODES,
    N_TASKS,
    NODE,
    NODES_SHORT,
    OFFSET,
    RANK,
    RIGHT,
    ROWS,
    ROWS_SHORT,
    SHARE,
    SLOT,
    START,
    STAY,
    TASKS_SHORT,
    TEST_START,
    TESTS,
    TESTS_SHORT,
    TOTAL,
    WANTED,
)
from .judge import list_length
from .part import (
    halve,
    halve_rows,
    keep,
    keep_weighted,
    keep_whole,
    rank_below,
    send_unknown,
    set_sides,
    weigh_branches,
)
from .split import SAME, added_errors
from .whole import NONE


@njit(cache=True, nogil=True)
def finish_node(nodes, node, minimum, confidence, z):
    """Fill in what follows from the class weights of a node; whether it may split."""
    total, errors, major = 0.0, 0.0, COUNTS
    for c in range(COUNTS, nodes.shape[1]):
        total += nodes[node, c]
        if nodes[node, c] > nodes[node, major]:
            major = c
    for c in range(COUNTS, nodes.shape[1]):
        if c != major:
            errors += nodes[node, c]
    expected = errors
    if confidence > 0.0 and total > 0.0:
        expected += added_errors(total, errors, confidence, z)
    nodes[node, TOTAL], nodes[node, ERRORS], nodes[node, EXPECTED] = total, errors, expected
    nodes[node, MAJOR], nodes[node, CORRECT] = major - COUNTS, 0.0
    return errors >= 1e-9 and total >= 2.0 * minimum - SAME


@njit(cache=True, nogil=True)
def count_tests(tests, start, end, classes, nodes, node):
    """Return how many test rows are of a node's largest class."""
    major, found = int(nodes[node, MAJOR]), 0
    for i in range(start, end):
        found += classes[tests[0, i]] == major
    return found


@inner
def what_is_short(work, forest, task, n_kids, unknown):
    """Return which array has no room for the branches of a node."""
    stack, used = forest.stack, forest.used
    rows = stack[task, START] + 2 * stack[task, ROWS] + unknown * n_kids + 1
    if used[N_TASKS] + n_kids > stack.shape[0]:
        return TASKS_SHORT
    if used[N_NODES] + n_kids > forest.nodes.shape[0]:
        return NODES_SHORT
    if used[N_LINKS] >= forest.links.shape[0]:
        return LINKS_SHORT
    if used[N_LOG] + stack[task, HIGH] - stack[task, LOW] > forest.log.shape[0]:
        return LOG_SHORT
    if rows > work.lists.shape[1]:
        return ROWS_SHORT
    if stack[task, TEST_START] + 2 * stack[task, TESTS] + 1 > work.tests.shape[1]:
        return TESTS_SHORT
    return ENOUGH


@inner
def add_link(stack, used, links, log, items, task, n_kids, rank):
    """Enter a link, and that the subsets of the group have it."""
    link = used[N_LINKS]
    links[link, FROM], links[link, BY] = stack[task, NODE], stack[task, FEATURE]
    links[link, FIRST], links[link, KIDS], links[link, RANK] = used[N_NODES], n_kids, rank
    links[link, BELOW], links[link, ABOVE] = stack[task, LEFT], stack[task, RIGHT]
    links[link, LARGEST], links[link, STAY] = 0, 0
    used[N_LINKS] += 1
    used[N_NODES] += n_kids
    entry = used[N_LOG]
    for i in range(stack[task, LOW], stack[task, HIGH]):
        item = items[ITEM, i]
        log[entry, 0], log[entry, 1] = link, items[LAST, item]
        items[LAST, item] = entry
        entry += 1
    used[N_LOG] = entry
    return link


@inner
def push_node(stack, used, node, start, n, low, high):
    """Note that a node has to be looked at for some subsets."""
    task = used[N_TASKS]
    stack[task, FEATURE], stack[task, NODE] = ASK, node
    stack[task, START], stack[task, ROWS] = start, n
    stack[task, LOW], stack[task, HIGH] = low, high
    used[N_TASKS] = task + 1


@inner
def share_rows(nodes, first, n_kids, n):
    """Fill in the share of each branch where all rows are whole and known; return the largest."""
    largest = first
    for b in range(first, first + n_kids):
        nodes[b, SHARE] = nodes[b, TOTAL] / n
        if nodes[b, SHARE] > nodes[largest, SHARE]:
            largest = b
    return largest - first


@inner
def part_in_two(data, rules, work, forest, task, f, rank, start, base, first):
    """Hand whole rows without unknown values to two branches; note those that may split."""
    stack, used, nodes = forest.stack, forest.used, forest.nodes
    node, n, low, high = stack[task, NODE], stack[task, ROWS], stack[task, LOW], stack[task, HIGH]
    second = halve_rows(
        data.codes, f, rank, work.lists, start, base, nodes, node, first, work.sides, work.copy
    )
    if finish_node(nodes, first + 1, rules.minimum, rules.confidence, rules.z):
        push_node(stack, used, first + 1, base, second, low, high)
    if finish_node(nodes, first, rules.minimum, rules.confidence, rules.z):
        push_node(stack, used, first, base + second, n - second, low, high)
    return share_rows(nodes, first, 2, n)


@hot
def part_rows(data, rules, work, forest, task, start, base, first, n_kids):
    """Hand any rows to the branches, the last first, and note those that may split."""
    stack, used, nodes, lists = forest.stack, forest.used, forest.nodes, work.lists
    node, n, low, high = stack[task, NODE], stack[task, ROWS], stack[task, LOW], stack[task, HIGH]
    whole, at = work.weights.size == 0, base
    for i in range(n):
        work.copy[i] = lists[0, start + i]
        if not whole:
            work.loads[0, i] = work.weights[start + i]
    for b in range(n_kids - 1, -1, -1):
        child, begin = first + b, at
        if whole:
            at = keep_whole(work.copy, work.sides, b, lists, at, nodes, node, child)
        else:
            at = keep_weighted(
                work.copy, n, work.sides, b, data.classes, lists, work.weights, work.loads, at,
                nodes, child,
            )  # fmt: skip
        if finish_node(nodes, child, rules.minimum, rules.confidence, rules.z):
            push_node(stack, used, child, begin, at - begin, low, high)


@inner
def part_tests(classes, work, forest, task, link, start, n, base):
    """Hand the test rows to the branches; those of an empty one stay with the node."""
    nodes, links, stack, tests = forest.nodes, forest.links, forest.stack, work.tests
    for i in range(n):
        work.copy[i] = tests[0, start + i]
    at, top, zero = base, task, np.int64(0)
    for b in range(links[link, KIDS] - 1, -1, -1):
        child, begin = links[link, FIRST] + b, at
        at = keep(work.copy, zero, n, work.sides, b, tests, zero, at)
        if nodes[child, TOTAL] > 0.0:
            nodes[child, CORRECT] = count_tests(tests, begin, at, classes, nodes, child)
        else:
            links[link, STAY] += count_tests(tests, begin, at, classes, nodes, links[link, FROM])
        if top < forest.used[N_TASKS] and stack[top, NODE] == child:
            stack[top, TEST_START], stack[top, TESTS] = begin, at - begin
            top += 1


@inner
def part_orders(work, forest, task, start, n, base, first, n_kids, wanted, shared):
    """Hand the rows in the order of each feature to the branches that may split further."""
    lists, stack, copy, features = work.lists, forest.stack, work.copy, work.features
    second = int(forest.nodes[first + 1, TOTAL])
    for k in range(wanted if forest.used[N_TASKS] > task else 0):
        f = features[k, WANTED]
        j = features[f, SLOT]
        if j == 0:
            continue
        known = list_length(lists, j, start, n, features[f, COMPLETE])
        if n_kids == 2 and not shared:
            halve(lists, j, start, known, base, second, n - second, work.sides, copy)
            continue
        for i in range(known):
            copy[i] = lists[j, start + i]
        for t in range(task, forest.used[N_TASKS]):
            begin, branch = stack[t, START], stack[t, NODE] - first
            end = keep(copy, np.int64(0), known, work.sides, branch, lists, j, begin)
            if end < begin + stack[t, ROWS]:
                lists[j, end] = NONE


@inner
def split_node(data, rules, work, forest, wanted):
    """Split a node for the group on top of the stack; what was short."""
    stack, used, nodes, sides = forest.stack, forest.used, forest.nodes, work.sides
    features, lists, tests, links = work.features, work.lists, work.tests, forest.links
    task = used[N_TASKS] - 1
    f, again, start, n = (
        stack[task, FEATURE], stack[task, AGAIN], stack[task, START], stack[task, ROWS]
    )  # fmt: skip
    test, n_test = stack[task, TEST_START], stack[task, TESTS]
    rank, unknown, first, n_kids = 0, 0, used[N_NODES], features[f, LEVELS]
    if n_kids == 0:
        n_kids = 2
        rank = rank_below(data.distinct, features[f, OFFSET], stack[task, LEFT], stack[task, RIGHT])
    whole = work.weights.size == 0 and features[f, COMPLETE] == 1
    if not whole:
        unknown = set_sides(data.codes, f, features, work.seen, rank, lists, start, n, sides)
    short = what_is_short(work, forest, task, n_kids, unknown)
    if short != ENOUGH:
        return short
    link = add_link(stack, used, links, forest.log, forest.items, task, n_kids, rank)
    used[N_TASKS] -= 1
    base = start + n if again else start
    if whole and n_kids == 2:
        largest = part_in_two(data, rules, work, forest, task, f, rank, start, base, first)
    else:
        if whole:
            set_sides(data.codes, f, features, work.seen, rank, lists, start, n, sides)
        largest = weigh_branches(lists, work.weights, start, n, sides, nodes, first, n_kids)
        if not rules.fractional:
            send_unknown(lists, start, n, sides, largest)
        part_rows(data, rules, work, forest, task, start, base, first, n_kids)
    links[link, LARGEST] = largest
    set_sides(data.codes, f, features, work.seen, rank, tests, test, n_test, sides)
    send_unknown(tests, test, n_test, sides, largest)
    base_test = test + n_test if again else test
    part_tests(data.classes, work, forest, task, link, test, n_test, base_test)
    part_orders(work, forest, task, start, n, base, first, n_kids, wanted, not whole)
    return ENOUGH
