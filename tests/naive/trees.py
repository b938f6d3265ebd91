"""ID3 and C4.5 in the most obvious way: lists of rows, one recursion. Prints as rules."""

import math
from statistics import NormalDist

import numpy as np
from scipy.stats import chi2

EQUAL = 1e-10


def entropy(weights):
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 0)


def class_weights(rows):
    found = {}
    for _, label, weight in rows:
        found[label] = found.get(label, 0.0) + weight
    return found


def parts_of(rows, f, cut):
    parts = {}
    for row in rows:
        value = row[0][f]
        if not math.isnan(value):
            parts.setdefault(value if cut is None else int(value > cut), []).append(row)
    return dict(sorted(parts.items()))


def weigh(rows):
    return sum(w for _, _, w in rows)


def cuts_of(rows, f, fewest, gap):
    known = sorted({r[0][f] for r in rows if not math.isnan(r[0][f])})
    pairs = zip(known, known[1:], strict=False)
    middles = [a + (b - a) / 2 for a, b in pairs if b > a + gap]
    return [c for c in middles if all(weigh(p) >= fewest for p in parts_of(rows, f, c).values())]


def gain_of(rows, parts):
    known = [row for part in parts.values() for row in part]
    after = sum(
        weigh(p) / weigh(known) * entropy(class_weights(p).values()) for p in parts.values()
    )
    before = entropy(class_weights(known).values())
    return weigh(known) / weigh(rows) * (before - after)


def split_info(rows, parts):
    inside = [weigh(p) for p in parts.values()]
    unknown = weigh(rows) - sum(inside)
    return entropy([*inside, unknown if unknown > 1e-9 else 0.0])


def significant(parts, level):
    labels = sorted({label for p in parts.values() for label in class_weights(p)})
    table = np.array([[class_weights(p).get(c, 0.0) for c in labels] for p in parts.values()])
    expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
    freedom = (table.shape[0] - 1) * (table.shape[1] - 1)
    return ((table - expected) ** 2 / expected).sum() >= chi2.isf(level, freedom)


def best_split(rows, nominal, rules, n_classes):
    found = []
    for f in range(len(nominal)):
        cut, penalty, fewest = None, 0.0, rules["min_rows"]
        if not nominal[f]:
            if rules["c45"]:
                known = weigh([r for r in rows if not math.isnan(r[0][f])])
                fewest = max(fewest, min(25, 0.1 * known / n_classes))
            cuts = cuts_of(rows, f, fewest, 1e-5 if rules["c45"] else 0.0)
            if not cuts:
                continue
            cut, largest = None, -math.inf
            for c in cuts:
                gain = gain_of(rows, parts_of(rows, f, c))
                if gain > largest + EQUAL:
                    cut, largest = c, gain
            penalty = math.log2(len(cuts)) / weigh(rows) if rules["c45"] else 0.0
        parts = parts_of(rows, f, cut)
        if sum(weigh(p) >= fewest for p in parts.values()) < 2:
            continue
        gain = gain_of(rows, parts) - penalty
        if gain <= EQUAL or not (rules["c45"] or significant(parts, rules["significance"])):
            continue
        found.append((f, cut, gain, gain / split_info(rows, parts)))
    if not found:
        return None
    floor = sum(g for _, _, g, _ in found) / len(found) - 1e-3
    best, ratio = None, 0.0
    for f, cut, gain, r in found:
        if gain >= floor and r > ratio + EQUAL:
            best, ratio = (f, cut), r
    return best


def branch_rows(rows, parts, f, c45):
    known = weigh([row for part in parts.values() for row in part])
    largest = max(parts, key=lambda key: weigh(parts[key]))
    branches = {}
    for key, part in parts.items():
        mine = {id(row) for row in part}
        share = weigh(part) / known if c45 else float(key == largest)
        branches[key] = [
            (x, label, w if id(row) in mine else w * share)
            for row in rows
            for x, label, w in [row]
            if id(row) in mine or (math.isnan(x[f]) and share > 0)
        ]
    return branches


def upper_errors(n, e, confidence):
    z = NormalDist().inv_cdf(1 - confidence)
    if e < 1:
        none = n * (1 - confidence ** (1 / n))
        return none if e == 0 else none + e * (upper_errors(n, 1, confidence) - 1 - none) + e
    if e + 0.5 >= n:
        return max(n, e)
    f = (e + 0.5) / n
    root = z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return n * (f + z * z / (2 * n) + root) / (1 + z * z / n)


def grow(rows, nominal, rules, n_classes):
    """A node: (class weights, feature, cut, branches by value); a leaf has no feature."""
    weights = class_weights(rows)
    errors = weigh(rows) - max(weights.values())
    split = None
    if errors >= 1e-9 and weigh(rows) >= 2 * rules["min_rows"]:
        split = best_split(rows, nominal, rules, n_classes)
    if split is None:
        return (weights, None, None, {})
    parts = parts_of(rows, *split)
    branches = {
        key: grow(part, nominal, rules, n_classes)
        for key, part in branch_rows(rows, parts, split[0], rules["c45"]).items()
    }
    return (weights, *split, branches)


def leaf_errors(node):
    return sum(node[0].values()) - max(node[0].values())


def leaves(node):
    return [node] if node[1] is None else [x for b in node[3].values() for x in leaves(b)]


def expected(node, confidence):
    return sum(
        upper_errors(sum(leaf[0].values()), leaf_errors(leaf), confidence) for leaf in leaves(node)
    )


def prune(node, confidence):
    weights, feature, cut, branches = node
    if feature is None:
        return node
    node = (weights, feature, cut, {k: prune(b, confidence) for k, b in branches.items()})
    leaf = (weights, None, None, {})
    same = sum(map(leaf_errors, leaves(node))) >= leaf_errors(leaf) - 1e-3
    return leaf if same or expected(leaf, confidence) <= expected(node, confidence) + 0.1 else node


def collapse(node):
    """A leaf where the tree errs as often; top down."""
    weights, feature, cut, branches = node
    if feature is None or sum(map(leaf_errors, leaves(node))) >= leaf_errors(node) - 1e-3:
        return (weights, None, None, {})
    return (weights, feature, cut, {k: collapse(b) for k, b in branches.items()})


def sow(node, rows):
    """The same tests for other rows."""
    _, feature, cut, branches = node
    if feature is None:
        return (class_weights(rows), None, None, {})
    below = branch_rows(rows, parts_of(rows, feature, cut), feature, True)
    empty = ({}, None, None, {})
    kept = {key: sow(branches.get(key, empty), part) for key, part in below.items()}
    return (class_weights(rows), feature, cut, kept)


def prune_raising(node, rows, confidence):
    """Prune a subtree with these rows: as it is, a leaf, or its largest branch."""
    weights, feature, cut, branches = node
    if feature is None:
        return node
    below = branch_rows(rows, parts_of(rows, feature, cut), feature, True)
    branches = {k: prune_raising(b, below[k], confidence) for k, b in branches.items()}
    node, leaf = (weights, feature, cut, branches), (weights, None, None, {})
    largest = max(branches, key=lambda key: (round(weigh(below[key]), 6), key))
    branch = sow(branches[largest], rows)
    as_tree, as_leaf, as_branch = (expected(n, confidence) for n in (node, leaf, branch))
    if as_leaf <= as_tree + 0.1 and as_leaf <= as_branch + 0.1:
        return leaf
    return prune_raising(branch, rows, confidence) if as_branch <= as_tree + 0.1 else node


def id3(X, y, nominal, significance, min_rows=1):
    rules = {"c45": False, "significance": significance, "min_rows": min_rows}
    rows = [(list(x), int(c), 1.0) for x, c in zip(X, y, strict=True)]
    return grow(rows, nominal, rules, len(set(y)))


def c45(X, y, nominal, confidence=0.25, min_rows=2, raising=False, pruning=True):
    rules = {"c45": True, "min_rows": min_rows}
    rows = [(list(x), int(c), 1.0) for x, c in zip(X, y, strict=True)]
    tree = grow(rows, nominal, rules, len(set(y)))
    if not pruning:
        return collapse(tree)
    if raising:
        return prune_raising(collapse(tree), rows, confidence)
    return prune(tree, confidence)
