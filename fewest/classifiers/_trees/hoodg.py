"""HOODG: an oblivious read-once decision graph, built from the classes upwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..._parameters import flag, one_of, whole
from .._base import Floats, Rows, UnweightedClassifier
from .._cells import Intervals
from .._table_majority import choose_features
from .rule_text import quoted

#: A row on the features that are not used yet, and the node below it that it must reach.
Projections = dict[tuple[int, ...], int]
#: For each value of a feature, the node below it; values that no row shows are not there.
Branches = dict[int, int]


@dataclass(frozen=True)
class Level:
    """Nodes that test one feature: the branches of each, and where other values go."""

    feature: int
    nodes: tuple[Branches, ...]
    otherwise: tuple[int, ...]


@dataclass(eq=False)
class HOODG(UnweightedClassifier):
    """Decision graph whose levels test one feature each, every feature at most once.

    Parameters
    ----------
    select : bool
        Choose the features first, as :class:`TableMajority` does; False uses all of them.
    discretise : {"mdl", "width", "frequency"}
        How continuous features are cut into intervals first.
    bins : int
        Intervals of ``"width"`` and ``"frequency"``.

    Attributes
    ----------
    levels_ : list of Level
        From the root down.
    n_nodes_ : int
        Number of nodes that test a feature.
    classes_ : array

    Notes
    -----
    The graph is built bottom-up (Kohavi, 1994; 1995, chapter 6). At first every distinct row
    leads to its majority class. Then, again and again, one feature is taken out: rows that agree
    on the other features become one, a partial function from the values of the feature to the
    nodes below. Functions that do not contradict each other become one node, the most complete
    first. The feature that leaves the fewest nodes becomes the next level, the earlier one if
    several do. A value that a node has not seen leads where most of its rows go. The original
    chooses features by a wrapper around itself; here the leave-one-out accuracy of the decision
    table over them decides, which is what the graph represents. Unknown values are refused as in
    the original.

    Examples
    --------
    >>> X = [["a", "p"], ["a", "q"], ["b", "p"], ["b", "q"]]
    >>> graph = HOODG(select=False).fit(X, ["no", "yes", "yes", "no"])
    >>> print(graph.to_text())
    x1: 1 node
    x0: 2 nodes
    """

    refuses_unknown = "every level of the graph needs a value of its feature"

    select: bool = flag(True)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def _learn(self, rows: Rows) -> None:
        self._intervals = Intervals.learn(rows, self.schema_, self.discretise, self.bins)
        codes = self._intervals.codes(rows.values)
        chosen = choose_features(codes, rows, 5) if self.select else range(codes.shape[1])
        features = sorted(chosen)
        self._majority = int(rows.class_weights.argmax())
        projections, weights = _majorities(codes[:, features], rows)
        self.levels_: list[Level] = []
        while features:
            level, projections, weights = _next_level(features, projections, weights)
            features = [f for f in features if f != level.feature]
            self.levels_.insert(0, level)

    @property
    def n_nodes_(self) -> int:
        """Number of nodes that test a feature."""
        return sum(len(level.nodes) for level in self.levels_)

    def _chances(self, values: Floats) -> Floats:
        codes = self._intervals.codes(values)
        out = np.zeros((len(codes), len(self.classes_)))
        for i, row in enumerate(codes):
            node = 0 if self.levels_ else self._majority
            for level in self.levels_:
                node = level.nodes[node].get(int(row[level.feature]), level.otherwise[node])
            out[i, node] = 1.0
        return out

    def to_text(self) -> str:
        """Write the features from the root down, with their numbers of nodes."""
        names = self.schema_.names
        lines = [
            f"{names[level.feature]}: {len(level.nodes)} node{'s' * (len(level.nodes) > 1)}"
            for level in self.levels_
        ]
        return "\n".join(lines) or f"always {self.classes_[self._majority]}"

    def to_dot(self) -> str:
        """Write the graph in the language of Graphviz."""
        lines, depth = ["digraph graph_ {"], len(self.levels_)
        for i, level in enumerate(self.levels_):
            name = quoted(self.schema_.names[level.feature])
            for n, branches in enumerate(level.nodes):
                lines.append(f"  n{i}_{n} [label={name}];")
                for value, below in sorted(branches.items()):
                    words = quoted(self._value(level.feature, value))
                    lines.append(f"  n{i}_{n} -> n{i + 1}_{below} [label={words}];")
        for c, label in enumerate(self.classes_):
            lines.append(f"  n{depth}_{c} [label={quoted(str(label))}, shape=box];")
        return "\n".join([*lines, "}"])

    def _value(self, feature: int, code: int) -> str:
        levels, cuts = self.schema_.levels[feature], self._intervals.cuts.cuts[feature]
        if cuts is None:
            return str((levels or ())[code])
        low = "" if code == 0 else f"> {cuts[code - 1]:.6g}"
        high = "" if code == len(cuts) else f"<= {cuts[code]:.6g}"
        return " and ".join(part for part in (low, high) if part) or "any"


def _majorities(
    codes: NDArray[np.int64], rows: Rows
) -> tuple[Projections, dict[tuple[int, ...], float]]:
    """Return every distinct row with its majority class, and its weight."""
    counts: dict[tuple[int, ...], Floats] = {}
    for row, label, weight in zip(codes.tolist(), rows.target, rows.weight, strict=True):
        counts.setdefault(tuple(row), np.zeros(rows.n_classes))[label] += weight
    found = {row: int(count.argmax()) for row, count in counts.items()}
    return found, {row: float(count.sum()) for row, count in counts.items()}


def _next_level(
    features: Sequence[int],
    projections: Projections,
    weights: dict[tuple[int, ...], float],
) -> tuple[Level, Projections, dict[tuple[int, ...], float]]:
    """Take out the feature that leaves the fewest nodes."""
    best: tuple[list[Branches], Projections] | None = None
    taken = 0
    for position in range(len(features)):
        found = _merged(_functions(projections, position))
        if best is None or len(found[0]) < len(best[0]):
            best, taken = found, position
    assert best is not None
    nodes, above = best
    passed: list[dict[int, float]] = [{} for _ in nodes]
    merged_weights: dict[tuple[int, ...], float] = {}
    for row, below in projections.items():
        rest = row[:taken] + row[taken + 1 :]
        merged_weights[rest] = merged_weights.get(rest, 0.0) + weights[row]
        goes = passed[above[rest]]
        goes[below] = goes.get(below, 0.0) + weights[row]
    otherwise = tuple(max(goes, key=lambda b: (goes[b], -b)) for goes in passed)
    return Level(features[taken], tuple(nodes), otherwise), above, merged_weights


def _functions(projections: Projections, position: int) -> dict[tuple[int, ...], Branches]:
    """Return, for every row without one feature, where each value of that feature leads."""
    functions: dict[tuple[int, ...], Branches] = {}
    for row, below in projections.items():
        rest = row[:position] + row[position + 1 :]
        functions.setdefault(rest, {})[row[position]] = below
    return functions


def _merged(functions: dict[tuple[int, ...], Branches]) -> tuple[list[Branches], Projections]:
    """Return nodes for functions that do not contradict each other, and who uses which."""
    nodes: list[Branches] = []
    above: Projections = {}
    for rest, branches in sorted(functions.items(), key=lambda item: (-len(item[1]), item[0])):
        for number, node in enumerate(nodes):
            if all(node.get(value, below) == below for value, below in branches.items()):
                node.update(branches)
                above[rest] = number
                break
        else:
            above[rest] = len(nodes)
            nodes.append(dict(branches))
    return nodes, above
