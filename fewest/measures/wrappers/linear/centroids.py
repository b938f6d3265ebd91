"""The twin of NearestCentroid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....data.moments import Moments, training_moments
from ....data.table import Table
from ....kernels.linear.rules import apply_rules
from ....kernels.scoring.probabilities import ODDS
from ..additive import fewest_trained
from ..metrics.metric import Ints, Responses
from ..responses import FoldTwin, trained_labels
from ..splits import Split, Splits
from .columns import Bools, Columns, Floats, unscaled

EPS = float(np.finfo(np.float64).eps)


@dataclass(eq=False)
class CentroidFold(FoldTwin):
    """The nearest class mean: x is nearest to the mean with the largest x·m - m·m / 2."""

    rows: NDArray[np.intp]
    labels: Ints
    x: Floats
    mean: Floats
    square: Floats
    size: Floats
    dead: Bools

    def __post_init__(self) -> None:
        self.outputs = len(self.labels)
        self.x = np.ascontiguousarray(self.x)
        self.reach = np.abs(self.x).max(axis=1, initial=0.0)

    def respond(self, candidates: NDArray[np.bool_]) -> tuple[Responses, NDArray[np.bool_]]:
        """Half the squared distance by which each class is nearer than the origin."""
        m, n = len(candidates), len(self.rows)
        weights = np.where(candidates[:, None, :], self.square * self.mean, 0.0)
        values, slack = np.empty((m, self.outputs, n)), np.empty((m, n))
        # The distances are rounded where they are computed, far from the common mean.
        apply_rules(
            weights, self.mean, np.zeros(self.outputs), self.x, self.reach, np.zeros(m),
            values, slack,
        )  # fmt: skip
        slack[:] = (16.0 * EPS * len(self.size) * (candidates @ self.size))[:, None]
        unsure = np.asarray(~(candidates & ~self.dead).any(axis=1))
        nothing = np.zeros((1, 1), dtype=np.uint64)
        return Responses(values, slack, False, ODDS, lambda some: nothing), unsure


def centroid_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[CentroidFold] | None:
    """NearestCentroid by Euclidean distance, for metrics of predicted classes.

    Its probabilities follow another rule than its predictions and are left to it.
    """
    model, scaled = unscaled(estimator)
    plain = model.metric == "euclidean" and not model.shrink_threshold and asks == "labels"
    plain = plain and getattr(model, "priors", "uniform") == "uniform" and weight is None
    columns = Columns.of(table)
    if not plain or columns is None or fewest_trained(table, splits) < 2:
        return None
    found = training_moments(columns.values, splits, table.target, table.n_classes)
    return [
        _fold(columns, table, split, train, columns.units(train, scaled), scaled)
        for split, (train, _) in zip(splits, found, strict=True)
    ]


def _fold(
    columns: Columns, table: Table, split: Split, train: Moments, unit: Floats, scaled: bool
) -> CentroidFold:
    labels = trained_labels(table, split)
    centre = train.weight @ train.mean / train.weight.sum()
    values = columns.values + (0.0 if scaled else columns.centre)
    return CentroidFold(
        rows=split[1],
        labels=labels,
        x=(columns.values[split[1]] - centre).T,
        mean=np.ascontiguousarray(train.mean[labels] - centre),
        square=unit**2,
        size=(unit * np.abs(values).max(axis=0)) ** 2,
        dead=columns.constant(split),
    )
