"""What TAN and selective naive Bayes say of the test rows of a fold, for every candidate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...classifiers.bayes.factors import class_posteriors
from ...data.table import Table
from ...kernels.bayes.tan_accuracy import log_joints
from ...kernels.scoring.probabilities import ODDS
from ...kernels.scoring.ranks import row_keys
from .additive import Floats, Ints
from .metrics.metric import Responses
from .network_twin import Fold, network_folds
from .responses import FoldTwin, trained_labels
from .splits import Splits

EPS = float(np.finfo(np.float64).eps)


@dataclass(eq=False)
class NetworkFold(FoldTwin):
    """Sums of logarithms over the arcs of a tree; see :mod:`.network_twin`."""

    rows: NDArray[np.intp]
    labels: Ints
    fold: Fold

    def __post_init__(self) -> None:
        self.outputs = len(self.labels)

    def respond(self, candidates: NDArray[np.bool_]) -> tuple[Responses, NDArray[np.bool_]]:
        """Joint logarithms."""
        codes = self.fold.test[:-1]
        arcs, families, arc_of, prior = self.fold.arcs(candidates)
        logs, table, starts, cells = self.fold.tables(arcs, families, prior)
        totals = log_joints(codes, logs, table, starts, cells, arc_of)
        size = np.abs(totals).max(axis=1)
        slack = 4.0 * EPS * (len(codes) + 2) * (1.0 + size)

        def keys(some: Ints) -> NDArray[np.uint64]:
            return np.asarray(row_keys(codes.astype(np.int64), candidates[some]))

        unsure = ~np.isfinite(totals).all(axis=(1, 2))
        return Responses(totals, slack, True, ODDS, keys), np.asarray(unsure)

    def exact(self, candidate: NDArray[np.bool_]) -> tuple[Floats, Floats] | None:
        """Posteriors as the classifier computes them, in the order of its families."""
        _, families, arc_of, prior = self.fold.arcs(candidate[None])
        chosen = [*(families[a] for a in arc_of[0] if a >= 0), prior]
        last = len(self.fold.sizes) - 1
        shares = class_posteriors(chosen, self.fold.test, last, self.outputs)
        return shares, shares


def _folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, tree: bool
) -> list[NetworkFold] | None:
    """None with weights of rows, with unknown values, and for some of the features only."""
    if weight is not None or estimator.features is not None or table.incomplete.any():
        return None
    folds = network_folds(estimator, table, splits, tree)
    if folds is None or any(fold.holes.any() for fold in folds):
        return None
    return [
        NetworkFold(split[1], trained_labels(table, split), fold)
        for split, fold in zip(splits, folds, strict=True)
    ]


def tan_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[NetworkFold] | None:
    """TAN with the default root."""
    return None if estimator.root is not None else _folds(estimator, table, splits, weight, True)


def selective_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[NetworkFold] | None:
    """Selective naive Bayes."""
    return _folds(estimator, table, splits, weight, False)
