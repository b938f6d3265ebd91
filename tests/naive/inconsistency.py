"""The inconsistency count as it is defined, and hitting sets by trying all: slow and obvious."""

from collections import Counter, defaultdict
from itertools import combinations


def inconsistency_count(rows, classes, subset):
    """Sum over the patterns of (rows with the pattern - those of its most frequent class)."""
    patterns = defaultdict(Counter)
    for row, label in zip(rows, classes, strict=True):
        patterns[tuple(v for v, inside in zip(row, subset, strict=True) if inside)][label] += 1
    return sum(sum(c.values()) - max(c.values()) for c in patterns.values())


def mixed_groups(rows, classes, subset):
    """The row numbers of each pattern that has several classes."""
    patterns = defaultdict(list)
    for i, row in enumerate(rows):
        patterns[tuple(v for v, inside in zip(row, subset, strict=True) if inside)].append(i)
    return {tuple(group) for group in patterns.values() if len({classes[i] for i in group}) > 1}


def occurrences(rows):
    """How often each row occurs, where it occurs first; 0 elsewhere."""
    return [rows.count(row) * (row not in rows[:i]) for i, row in enumerate(rows)]


def pairs_apart(rows, classes):
    """For each pair of rows of different classes, the columns on which they differ."""
    return {
        frozenset(j for j, (a, b) in enumerate(zip(rows[i], rows[k], strict=True)) if a != b)
        for i, k in combinations(range(len(rows)), 2)
        if classes[i] != classes[k]
    }


def hitting_sets(masks, costs, limit):
    """All minimal sets of columns that hit every mask and cost no more than the limit."""
    found = []
    for size in range(len(costs) + 1):
        for columns in combinations(range(len(costs)), size):
            chosen = set(columns)
            if (
                sum(costs[c] for c in columns) <= limit + 1e-9
                and all(chosen & mask for mask in masks)
                and not any(other < chosen for other in found)
            ):
                found.append(chosen)
    return found


def minimal_masks(masks):
    """The masks that hold no other one."""
    return {m for m in masks if not any(other < m for other in masks)}
