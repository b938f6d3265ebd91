"""Two-level trees by trying every one of them. Slow and obvious."""

from itertools import combinations


def majority_right(labels):
    return max((labels.count(c) for c in set(labels)), default=0)


def divisions(values, most):
    """Every way to cut sorted distinct values into at most ``most`` intervals."""
    cuts = [(a + b) / 2 for a, b in zip(values, values[1:], strict=False)]
    for n in range(min(most - 1, len(cuts)) + 1):
        yield from combinations(cuts, n)


def branch_of(value, cuts):
    if value is None:
        return None
    return value if cuts is None else sum(value > c for c in cuts)


def second_level(rows, labels, kinds, most):
    """The most rows that one test with leaves gets right."""
    best = majority_right(labels)
    for j, nominal in enumerate(kinds):
        known = sorted({r[j] for r in rows if r[j] is not None})
        ways = [None] if nominal else list(divisions(known, most))
        for cuts in ways:
            branches = {}
            for row, label in zip(rows, labels, strict=True):
                branches.setdefault(branch_of(row[j], cuts), []).append(label)
            best = max(best, sum(majority_right(b) for b in branches.values()))
    return best


def most_right(rows, labels, kinds, most):
    """The most rows that any two-level tree gets right; None is unknown."""
    best = 0
    for j, nominal in enumerate(kinds):
        known = sorted({r[j] for r in rows if r[j] is not None})
        for cuts in [None] if nominal else list(divisions(known, 2)):
            branches = {}
            for row, label in zip(rows, labels, strict=True):
                inside = branches.setdefault(branch_of(row[j], cuts), ([], []))
                inside[0].append(row)
                inside[1].append(label)
            parts = (second_level(*part, kinds, most) for part in branches.values())
            best = max(best, sum(parts))
    return best
