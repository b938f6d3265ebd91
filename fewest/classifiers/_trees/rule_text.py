"""Decision trees as text: indented rules, and Graphviz."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

#: What a node shows: its words, and for every branch the condition and the node below.
Shown = tuple[str, list[tuple[str, Any]]]


class WrittenTree(ABC):
    """Base of classifiers that are a tree: it as text and as a graph."""

    @abstractmethod
    def _show(self, node: Any) -> Shown:
        """Return what a node shows, the root for None; a leaf has no branches."""

    def to_text(self) -> str:
        """Write indented rules, one line per branch; leaves with their training rows and errors."""
        check_is_fitted(self)
        words, below = self._show(None)
        lines = [] if below else [words]
        stack = [(0, f"{words} {condition}", child) for condition, child in reversed(below)]
        while stack:
            depth, line, node = stack.pop()
            words, below = self._show(node)
            lines.append(line if below else f"{line}: {words}")
            start = "|   " * (depth + 1) + words
            stack += [
                (depth + 1, f"{start} {condition}", kid) for condition, kid in reversed(below)
            ]
        return "\n".join(lines)

    def to_dot(self) -> str:
        """Write the tree in the language of Graphviz."""
        check_is_fitted(self)
        lines, stack, count = ["digraph tree {"], [(0, None)], 1
        while stack:
            number, node = stack.pop()
            words, below = self._show(node)
            shape = "" if below else ", shape=box"
            lines.append(f"  n{number} [label={quoted(words)}{shape}];")
            for kid, (condition, _) in enumerate(below, count):
                lines.append(f"  n{number} -> n{kid} [label={quoted(condition)}];")
            stack += reversed([(kid, child) for kid, (_, child) in enumerate(below, count)])
            count += len(below)
        return "\n".join([*lines, "}"])


def leaf_text(counts: NDArray[np.float64], classes: NDArray[Any]) -> str:
    """Write the class of a leaf, its training rows, and how many of them are of other classes."""
    major = int(np.argmax(counts))
    total, errors = counts.sum(), counts.sum() - counts[major]
    rows = f"{total:.6g}" if errors < 1e-9 else f"{total:.6g}/{errors:.6g}"
    return f"{classes[major]} ({rows})"


def quoted(text: str) -> str:
    """Quote a string as Graphviz reads it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
