"""Trees over many subsets, grown together: subsets that split alike share all the work.

At a node stand the subsets whose trees have it. Its rows are judged once for all of them, by the
features that any of them asks for; then those that split it by the same feature go on together.
"""

from numba import njit

from ..inner import inner
from .forest import (
    AFTER,
    AGAIN,
    ASK,
    BEFORE,
    BEGIN,
    CHOSEN,
    COUNTS,
    END,
    ENOUGH,
    FEATURE,
    HIGH,
    ITEM,
    LEFT,
    LOW,
    MARK,
    N_TASKS,
    NODE,
    PICK,
    RIGHT,
    ROWS,
    SPARE,
    STAMP,
    START,
    TASKS_SHORT,
    TOTAL,
    WANTED,
)
from .judge import TOTALS, judge_weighted_node, judge_whole_node
from .link import split_node
from .split import SAME

#: How far below the average gain a feature may be and still compete by its gain ratio
#: (C4.5, Release 8).
SLACK = 1e-3


@inner
def ask_features(items, chosen, low, high, used, features):
    """List the features that any of some subsets has; how many."""
    used[STAMP] += 1
    stamp, found = used[STAMP], 0
    for i in range(low, high):
        item = items[ITEM, i]
        for k in range(items[CHOSEN, item], items[CHOSEN, item + 1]):
            f = chosen[k]
            if features[f, MARK] != stamp:
                features[f, MARK] = stamp
                features[found, WANTED] = f
                found += 1
    return found


@inner
def choose(gains, chosen, low, high):
    """Return the feature of a subset that splits a node best, ASK if none.

    The largest gain ratio among those with at least average gain; equal ones by position.
    """
    total, allowed = 0.0, 0
    for k in range(low, high):
        gain = gains[chosen[k], 0]
        if gain > 0.0:
            total += gain
            allowed += 1
    if allowed == 0:
        return ASK
    floor = total / allowed - SLACK
    best, largest = ASK, 0.0
    for k in range(low, high):
        f = chosen[k]
        if gains[f, 0] > 0.0 and gains[f, 0] >= floor and gains[f, 1] > largest + SAME:
            best, largest = f, gains[f, 1]
    return best


@inner
def group_items(items, low, high, features, wanted):
    """Put the subsets of a node in the order of what they pick; those that pick nothing last."""
    for k in range(wanted):
        features[features[k, WANTED], END] = 0
    for i in range(low, high):
        item = items[ITEM, i]
        items[SPARE, i] = item
        if items[PICK, item] != ASK:
            features[items[PICK, item], END] += 1
    at = low
    for k in range(wanted):
        f = features[k, WANTED]
        size = features[f, END]
        features[f, BEGIN], features[f, END] = at, at
        at += size
    for i in range(low, high):
        item = items[SPARE, i]
        pick = items[PICK, item]
        if pick == ASK:
            items[ITEM, at] = item
            at += 1
        else:
            items[ITEM, features[pick, END]] = item
            features[pick, END] += 1


@inner
def push_groups(stack, used, features, wanted):
    """Replace the task of a node by one a group; the largest comes last and may use its rows."""
    task, largest, most = used[N_TASKS] - 1, ASK, 0
    for k in range(wanted):
        f = features[k, WANTED]
        if features[f, END] - features[f, BEGIN] > most:
            largest, most = f, features[f, END] - features[f, BEGIN]
    used[N_TASKS] -= 1
    for k in range(-1, wanted if most > 0 else -1):
        f = largest if k < 0 else features[k, WANTED]
        if (k >= 0 and f == largest) or features[f, END] == features[f, BEGIN]:
            continue
        to = used[N_TASKS]
        for column in range(stack.shape[1]):
            stack[to, column] = stack[task, column]
        stack[to, FEATURE], stack[to, AGAIN] = f, k >= 0
        stack[to, LOW], stack[to, HIGH] = features[f, BEGIN], features[f, END]
        stack[to, LEFT], stack[to, RIGHT] = features[f, BEFORE], features[f, AFTER]
        used[N_TASKS] += 1


@inner
def are_whole(weights, start, n):
    """Return whether all rows of a node weigh 1."""
    if weights.size > 0:
        for i in range(start, start + n):
            if weights[i] != 1.0:
                return False
    return True


@inner
def visit_node(data, rules, work, forest, task, wanted):
    """Find what each subset of a node splits it by."""
    stack, items, nodes, classes = forest.stack, forest.items, forest.nodes, work.classes
    start, n, node = stack[task, START], stack[task, ROWS], stack[task, NODE]
    if are_whole(work.weights, start, n):
        for c in range(classes.shape[1]):
            classes[TOTALS, c] = int(nodes[node, COUNTS + c])
        judge_whole_node(data, rules, work, start, n, wanted)
    else:
        judge_weighted_node(data, rules, work, start, n, nodes[node, TOTAL], wanted)
    for i in range(stack[task, LOW], stack[task, HIGH]):
        item = items[ITEM, i]
        items[PICK, item] = choose(
            work.gains, forest.chosen, items[CHOSEN, item], items[CHOSEN, item + 1]
        )
    group_items(items, stack[task, LOW], stack[task, HIGH], work.features, wanted)
    push_groups(stack, forest.used, work.features, wanted)


@njit(cache=True, nogil=True)
def grow(data, rules, work, forest):
    """Do all that is on the stack, or as much as there is room for; what was short."""
    stack, used, features = forest.stack, forest.used, work.features
    while used[N_TASKS] > 0:
        task = used[N_TASKS] - 1
        if task + features.shape[0] > stack.shape[0]:
            return TASKS_SHORT
        wanted = 0
        if stack[task, FEATURE] == ASK or work.lists.shape[0] > 1:
            wanted = ask_features(
                forest.items, forest.chosen, stack[task, LOW], stack[task, HIGH], used, features
            )
        if stack[task, FEATURE] == ASK:
            visit_node(data, rules, work, forest, task, wanted)
        else:
            short = split_node(data, rules, work, forest, wanted)
            if short != ENOUGH:
                return short
    return ENOUGH
