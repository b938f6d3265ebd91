"""Decision trees as text: indented rules, and Graphviz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...data._schema import Schema

if TYPE_CHECKING:
    from .tree import Tree


def branches(tree: Tree, node: int, schema: Schema) -> Iterator[tuple[str, str, int]]:
    """Yield feature, condition and child of every branch of a node that has training rows."""
    f = tree.feature[node]
    levels = schema.levels[f]
    for b, child in enumerate(tree.children[tree.first[node] : tree.first[node + 1]]):
        if child >= 0:
            sign = "=" if levels is not None else ("<=", ">")[b]
            value = levels[b] if levels is not None else f"{tree.cut[node]:.6g}"
            yield schema.names[f], f"{sign} {value}", int(child)


def leaf_text(counts: NDArray[np.float64], classes: NDArray[Any]) -> str:
    """Write the class of a leaf, its training rows, and how many of them are of other classes."""
    major = int(np.argmax(counts))
    total, errors = counts.sum(), counts.sum() - counts[major]
    rows = f"{total:.6g}" if errors < 1e-9 else f"{total:.6g}/{errors:.6g}"
    return f"{classes[major]} ({rows})"


def rule_text(tree: Tree, schema: Schema, classes: NDArray[Any]) -> str:
    """Write the tree as indented rules, one line per branch."""
    if tree.feature[0] < 0:
        return leaf_text(tree.counts[0], classes)
    lines: list[str] = []
    stack = [(0, 0, "")]
    while stack:
        node, depth, line = stack.pop()
        if tree.feature[node] < 0:
            lines.append(f"{line}: {leaf_text(tree.counts[node], classes)}")
            continue
        if line:
            lines.append(line)
        below = list(branches(tree, node, schema))
        for name, condition, child in reversed(below):
            stack.append((child, depth + 1, f"{'|   ' * depth}{name} {condition}"))
    return "\n".join(lines)


def dot_text(tree: Tree, schema: Schema, classes: NDArray[Any]) -> str:
    """Write the tree in the language of Graphviz."""
    lines = ["digraph tree {"]
    for node, f in enumerate(tree.feature):
        if f < 0:
            label = quoted(leaf_text(tree.counts[node], classes))
            lines.append(f"  n{node} [label={label}, shape=box];")
            continue
        lines.append(f"  n{node} [label={quoted(schema.names[f])}];")
        for _, condition, child in branches(tree, node, schema):
            lines.append(f"  n{node} -> n{child} [label={quoted(condition)}];")
    return "\n".join([*lines, "}"])


def quoted(text: str) -> str:
    """Quote a string as Graphviz reads it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
