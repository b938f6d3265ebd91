"""The rule of ID3 and C4.5: the trees of a batch share their nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....classifiers._trees.encoding import tree_table
from ....classifiers._trees.growth import Grower
from ....data._table import Table
from ..._steps import Steps
from ..metrics.metric import Floats
from ..sources.pipelines import Source
from ..splits import Split
from .rule import Bools, CountingRule, Counts, Size

#: Bytes that the trees grown together may take.
MOST_BYTES = 1 << 28


class TreeRule(CountingRule):
    """Decision trees over fixed splits.

    The goals are ``"leaves"`` and ``"nodes"``: the size of the tree, mean over the folds.

    Notes
    -----
    How well a feature splits a node depends on the rows of the node, not on the other features.
    So the trees of all subsets of a call are grown together: at a node stand the subsets whose
    trees have it, every feature that one of them asks for is judged once, and those that split
    it by the same feature go on together with the rows of its branches, which stay sorted by
    every feature (as in SLIQ, Mehta et al., 1996). Neither ``budget`` nor how the subsets are
    spread over calls changes a score.
    """

    goal_names = ("leaves", "nodes")
    batch = 512

    def __init__(
        self, model: Any, source: Source, weight: Floats | None, budget: int = MOST_BYTES
    ) -> None:
        super().__init__(model, source, weight)
        table = source.table
        grown = tree_table(table.doubles, table.levels, table.target, model.min_gap)
        rules = model.rules(grown, table.n_classes)
        # A split that takes a row twice is for the referee.
        self._growers = [
            None
            if _repeats((a, b))
            else Grower(grown, rules, table.n_classes, np.sort(a), np.sort(b), budget=budget)
            for a, b in source.splits
        ]

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return a reason where subtrees are raised, which depends on the whole tree."""
        model.check_parameters()
        return f"{type(model).__name__} raises subtrees" if model.raises else None

    @classmethod
    def cost(cls, model: Any, size: Size) -> float:
        """Count every row of every feature once per level of a tree."""
        depth = np.log2(max(2, size.rows))
        return float(size.folds * size.rows * size.columns * depth)

    def count(self, batch: Bools | Steps) -> Counts:
        """Count the rows that are right, with the sizes of the trees as goals."""
        subsets = np.ascontiguousarray(batch, dtype=bool)
        shape = len(self._growers), len(subsets)
        grown = np.full((*shape, 3), np.nan)
        for fold, grower in enumerate(self._growers):
            if grower is not None:
                grown[fold] = grower.score(subsets)
        known = ~np.isnan(grown[:, 0, 0])
        sizes = grown[known][:, :, 1:].sum(axis=0) / max(1, known.sum())
        right = np.where(known[:, None], grown[:, :, 0], 0.0).astype(np.int64)
        doubtful = np.repeat((~known)[:, None].astype(np.int64), len(subsets), axis=1)
        return Counts(right, doubtful, {"leaves": sizes[:, 0], "nodes": sizes[:, 1]})


def _repeats(split: Split) -> bool:
    rows = np.concatenate(split)
    return len(np.unique(rows)) < len(rows)
