"""Rules of class means with distances: quadratic discriminants and nearest centroids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...._kernels.linear.linear_rules import quadratic_values
from ...._kernels.scoring.probabilities import ODDS
from ...._kernels.scoring.ranks import row_keys
from ....data._table import Table
from ..metrics.metric import Floats, Ints, Judged, Metric, Responses, Truth
from ..moments import Scaled
from ..sources.pipelines import Source, truth_values
from .linear import MomentRule, constant, is_number, too_old
from .linear_fold import ENOUGH_ODDS, rule_values
from .rule import Bools, Size

#: Scales of columns that differ by more than this leave too few digits to a factorisation.
MOST_MIXED = 1e7


@dataclass(frozen=True, eq=False)
class Means:
    """What distances from class means need of one fold, over some columns."""

    x: Floats  #: (columns, rows): the test rows.
    suspect: Bools  #: (columns,): columns with which only the estimator itself knows what it does.
    #: Gives, for masks over the columns and what a metric asks for, values of all classes, how far
    #: rounding may move them, and masks in doubt.
    values: Callable[[Bools, str], tuple[Floats, Floats, Bools]]
    precision: float  #: Relative rounding error of the type in which the estimator calculates.

    def judge(self, masks: Bools, metric: Metric, truth: Truth) -> Judged:
        """Return the metric of some masks over columns, and whether it is in doubt."""
        classes, slack, unsure = self.values(masks, metric.asks)

        def keys(some: Ints) -> NDArray[np.uint64]:
            return np.asarray(row_keys((self.x + 0.0).view(np.int64), masks[some]))

        unsure |= ~np.isfinite(slack.sum(axis=1)) | (masks & self.suspect).any(axis=1)
        values, doubts = metric.judge(Responses(classes, slack, False, ODDS, keys), truth)
        if metric.asks == "probabilities":
            enough = ENOUGH_ODDS * np.sqrt(self.precision)
            unsure |= ~(slack.max(axis=1, initial=0.0) <= enough)
        return values, doubts | unsure


class QuadraticRule(MomentRule):
    """QuadraticDiscriminantAnalysis by singular values: a covariance matrix per class."""

    takes_weights: ClassVar[bool] = False

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return why this model must be trained, in words; None if moments are enough."""
        name = "QuadraticDiscriminantAnalysis"
        if getattr(model, "solver", "") != "svd" or model.shrinkage is not None:
            return too_old() or f"{name} needs solver svd and no shrinkage"
        if model.priors is not None or model.covariance_estimator is not None:
            return f"{name} with priors or a covariance estimator is trained"
        if not is_number(model.reg_param, 0.0, 1.0) or not is_number(model.tol, 0.0, np.inf):
            return f"{name} needs numbers `reg_param` from 0 to 1 and `tol` from 0 on"
        return too_old()

    @classmethod
    def cost(cls, model: Any, size: Size) -> float:
        """Return the operations of factorisations per fold and class, and of all distances."""
        k = size.columns
        return size.classes * (size.folds * k**3 / 3.0 + size.rows * k * k / 2.0)

    def build(self, fold: int, scaled: Scaled, key: Any, pairs: bool) -> Means:
        """Return means and covariances of the classes."""
        train, test = self.numbers.split(fold)
        trained, _ = self.numbers.moments(fold, scaled, self.target(fold), key)
        labels, groups = self.labels(fold), self.source.table.target[train]
        rows, count = scaled.values[train], trained.weight[labels]
        parts = [rows[groups == c] for c in labels]
        still = [part.max(axis=0) == part.min(axis=0) for part in parts]
        suspect = scaled.strange | (np.logical_or.reduce(still) & (self.model.reg_param == 0.0))
        x, mean = np.ascontiguousarray(scaled.values[test].T), trained.mean[labels]
        covariance = trained.scatter[labels] / count[:, None, None]
        values = partial(self._values, x, scaled, np.ascontiguousarray(mean), count, covariance)
        return Means(x, suspect, values, self.source.precision)

    def _values(
        self, x: Floats, scaled: Scaled, mean: Floats, count: Floats, covariance: Floats,
        masks: Bools, asks: str,
    ) -> tuple[Floats, Floats, Bools]:  # fmt: skip
        """Return log-densities; scikit-learn refuses classes with fewer rows than columns."""
        share, n = float(self.model.reg_param), x.shape[1]
        values, slack = np.zeros((len(masks), len(mean), n)), np.zeros((len(masks), n))
        few = count.min()
        unsure = np.asarray((masks.sum(axis=1) >= few) | (few < 2.0))
        # The estimator factorises columns that are not scaled, and loses the small ones.
        largest = np.where(masks, scaled.unit, 0.0).max(axis=1, initial=0.0)
        smallest = np.where(masks, scaled.unit, np.inf).min(axis=1, initial=np.inf)
        unsure |= largest > MOST_MIXED * smallest
        todo = np.ascontiguousarray(masks & ~unsure[:, None])
        quadratic_values(
            (1.0 - share) * covariance, share / scaled.unit**2, mean,
            np.log(count / count.sum()), x, scaled.unit, float(self.model.tol),
            scaled.drift, self.source.precision, todo, values, slack, unsure,
        )  # fmt: skip
        return values, slack, unsure


class CentroidRule(MomentRule):
    """NearestCentroid by Euclidean distance: x is nearest to m with the largest x·m - m·m / 2.

    Its decision values and probabilities, other than its predictions, are those of distances in
    standard deviations within the classes.
    """

    takes_weights: ClassVar[bool] = False
    refuses_sparse = False

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return why this model must be trained, in words; None if means are enough."""
        if model.metric != "euclidean" or model.shrink_threshold:
            return "NearestCentroid needs metric='euclidean' and no shrink_threshold"
        priors = getattr(model, "priors", "uniform")
        if not isinstance(priors, str) or priors != "uniform":
            return "NearestCentroid with priors is trained"
        return None

    @classmethod
    def cost(cls, model: Any, size: Size) -> float:
        """Return the operations of the products of all rows with all means."""
        return 2.0 * size.classes * size.rows * size.columns

    @classmethod
    def blind(cls, source: Source, metric: Metric) -> str | None:
        """Return why probabilities are too coarse: dummies vary little within classes."""
        if metric.asks != "probabilities" or not source.dummies:
            return None
        return "rounding decides most probabilities of NearestCentroid beside dummies"

    def hopeless(self, fold: int) -> bool:
        """Return whether there are no more training rows than classes."""
        train = self.numbers.split(fold)[0]
        return super().hopeless(fold) or len(train) <= len(self.labels(fold))

    @cached_property
    def _bits(self) -> Bools:
        """Which features are truth values; the estimator cannot subtract them."""
        return truth_values(self.source.table)

    def _masks(self, fold: int, candidates: Bools) -> tuple[Bools, Bools]:
        """Return masks over the columns, and candidates to be trained."""
        masks, unsure = super()._masks(fold, candidates)
        return masks, unsure | ~(candidates & ~self._bits).any(axis=1)

    def build(self, fold: int, scaled: Scaled, key: Any, pairs: bool) -> Means:
        """Return means of the classes about the common mean, and spreads within classes."""
        train, test = self.numbers.split(fold)
        sums, _ = self.numbers.sums(fold, scaled, self.target(fold), key, False)
        labels, total = self.labels(fold), sums.weight.sum()
        centre = sums.weight @ sums.mean / total
        within = np.sqrt(sums.square / (total - len(labels)))
        still = constant(scaled.values, train, sums, groups=self.source.table.target)
        x = np.ascontiguousarray((scaled.values[test] - centre).T)
        values = partial(
            self._values, x, scaled, np.ascontiguousarray(sums.mean[labels] - centre),
            np.where(still, np.nan, within), constant(scaled.values, train, sums),
        )  # fmt: skip
        return Means(x, scaled.strange, values, self.source.precision)

    def _values(
        self, x: Floats, scaled: Scaled, mean: Floats, within: Floats, dead: Bools,
        masks: Bools, asks: str,
    ) -> tuple[Floats, Floats, Bools]:  # fmt: skip
        """Return how much nearer than the origin each class is, or whole distances for ranks."""
        unsure = np.asarray(~(masks & ~dead).any(axis=1))
        square, level = scaled.unit**2, scaled.drift / (4.0 * self.source.precision)
        size = square * (np.abs(x).max(axis=1, initial=0.0) + level) ** 2
        if asks != "labels":
            # The estimator divides by the spreads that are not 0, which rounding decides here.
            unsure |= (masks & np.isnan(within)).any(axis=1)
            square = 2.0 / np.where(np.isnan(within), 1.0, within) ** 2
            size = size / scaled.unit**2 * square
        weights = np.where(masks[:, None, :], square * mean, 0.0)
        values = rule_values(weights, mean, np.zeros(len(mean)), x)
        if asks != "labels":
            # Rows are ranked by whole distances.
            values -= 0.5 * ((masks * square) @ x**2)[:, None, :]
        # Distances are rounded where they are computed, far from the common mean.
        slack = 16.0 * self.source.precision * len(square) * (masks @ size)
        return values, np.repeat(slack[:, None], x.shape[1], axis=1), unsure
