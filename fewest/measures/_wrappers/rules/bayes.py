"""The naive Bayes classifiers: our own and those of scikit-learn."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from functools import cached_property
from numbers import Integral, Real
from typing import Any

import numpy as np

from ...._kernels.bayes.class_statistics import class_moments, level_counts
from ...._kernels.bayes.totals import evidence_totals, normal_totals
from ...._kernels.scoring.probabilities import ODDS
from ....classifiers._naive_bayes import Evidence, MLCNaiveBayes, posterior
from ....data._class_sums import ClassMoments, ClassSums
from ....data._columns import read_columns
from ....data._rows import BLOCK_ROWS, row_blocks
from ....data._sparse_values import MOST_BYTES
from ....data._table import Table
from ..._steps import Steps
from ..metrics.metric import EPS, Floats, Ints, Judged, Metric, Truth
from ..sources.pipelines import FoldColumns, Source
from ..splits import fold_of_rows
from .evidence import EvidenceRule
from .margins import COARSE, FoldModel, Places
from .rule import Bools, Counts
from .sparse import SparseFold, count_sparse

#: Values of a sparse table that is read as a dense one.
DENSE = 1 << 24
#: Relative rounding error of float32.
SINGLE = float(np.finfo(np.float32).eps)
#: Positive variances below this have lost digits.
TINY = 1e-280
#: Scaled numbers this close to the border of BernoulliNB, beside the largest, may be on any side.
NEAR_BORDER = 1e-13
#: Levels of a column, and of all columns; columns with more are left to the referee.
MOST_CODES, MOST_LEVELS = 4096, 1 << 20


class DensityRule(EvidenceRule):
    """Normal densities, whose moments are sums over the training rows."""

    @cached_property
    def nominal(self) -> Bools:
        """Which columns hold codes of levels."""
        return np.zeros(self.table.n_features, dtype=bool)

    @property
    def _precision(self) -> float:
        """Return the relative rounding error with which the estimator learns."""
        return self.source.precision

    @cached_property
    def _whole_numbers(self) -> Bools:
        """Which columns of a shared source hold whole numbers."""
        return whole_numbers(self.columns(0).values[:, ~self.nominal])

    def _summed_exactly(self, model: FoldModel, weight: Floats | None) -> Bools:
        """Return which columns have exact sums, so that means are those of the estimator."""
        if weight is not None or self._precision > EPS:
            return np.zeros(1, dtype=bool)
        return self._whole_numbers if self.source.shared else whole_numbers(model.numbers)

    @cached_property
    def _sums(self) -> ClassSums | None:
        """Sums by fold and class, by one reading of the table; None where the folds overlap."""
        if not self.source.shared or self.weight is not None:
            return None
        fold = fold_of_rows(self.table.n_rows, self.source.splits)
        if fold is None:
            return None
        levels = int(self.table.cardinalities[self.nominal].max(initial=0))
        sums = ClassSums.nothing(self.nominal, levels, len(self.source.splits) + 1, self.outputs)
        values = self.columns(0).values
        for rows in row_blocks(len(fold)):
            part = np.ascontiguousarray(values[rows], dtype=np.float64)
            sums.add(part, self.table.target[rows], fold[rows], np.ones(len(part)))
        return sums

    def moments(
        self, model: FoldModel, fold: int, target: Ints, weight: Floats | None
    ) -> tuple[Floats, Floats, ClassMoments]:
        """Return class weights, counts of levels, and moments of the training rows of a fold."""
        if self._sums is not None:
            prior, counts, whole = self._sums.training(fold)
            seen = self.labels(fold)
            rows = np.append(seen, len(prior))
            prior, counts = prior[seen], np.ascontiguousarray(counts[:, :, seen])
            moments = whole[0][rows], whole[1][rows], whole[2][rows]
        else:
            own = np.ones(len(target)) if weight is None else weight
            train = self.source.splits[fold][0]
            part = np.ascontiguousarray(model.numbers[train], dtype=np.float64)
            prior = class_weights(target, own)
            counts = np.zeros((0, 0, len(prior)))
            moments = class_moments(part, target, own, len(prior))
        count, mean, variance = moments
        exact = np.rint(mean * count) / np.maximum(count, 1.0)
        return (
            prior,
            counts,
            (count, np.where(self._summed_exactly(model, weight), exact, mean), variance),
        )

    def errors_of(
        self, model: FoldModel, moments: ClassMoments, target: Ints, weight: Floats | None
    ) -> tuple[float, Floats]:
        """Return the relative error of sums over the rows of a class, and the error of their means.

        Sums of n numbers, added one by one, are off by at most n / 4 units in the last place of
        their mean magnitude, which is at most the root of the mean square. Ours are added in
        blocks. Sums over the columns of a row are short or pairwise.
        """
        n, most = len(target), int(np.bincount(target).max())
        ours = 4.0 * (min(n, BLOCK_ROWS) + n / BLOCK_ROWS + 32.0 + moments[0].shape[1]) * EPS
        unit = ours + self._precision * (0.25 * most + 32.0)
        shift = unit * np.sqrt((moments[1] ** 2 + moments[2]).max(axis=0))
        return unit, np.where(self._summed_exactly(model, weight), 0.0, shift)

    def sums(
        self, model: FoldModel, fold: int, places: Places, used: Places, members: Ints, ends: Ints
    ) -> tuple[Floats, Floats]:
        """Sum normal log-densities with the variances of each candidate."""
        own = model.learned
        # One more at the end, so that a candidate without any column has a place.
        more = np.maximum.reduceat(np.append(model.wide[members], 0.0), ends[:-1])
        found: tuple[Floats, Floats] = normal_totals(
            model.values(places, used), own.log_prior, np.ascontiguousarray(own.mean[:, used]),
            np.ascontiguousarray(own.variance[:, used]), more, model.unit, model.shift[used],
            np.searchsorted(used, members), ends,
        )  # fmt: skip
        return found


def whole_numbers(values: Any) -> Bools:
    """Return which columns hold whole numbers whose sums over all rows are exact."""
    n = len(values)
    found, most = np.ones(values.shape[1], dtype=bool), 2.0**52 / max(1, n)
    for rows in (slice(0, 1), *row_blocks(n)):
        if not found.any():
            break
        part = np.ascontiguousarray(values[rows][:, found], dtype=np.float64)
        fits = np.isnan(part) | ((part == np.rint(part)) & (np.abs(part) < most))
        found[found] = fits.all(axis=0)
    return found


class NaiveBayesRule(DensityRule):
    """Our own NaiveBayes, on tables as they are or on the numbers of a pipeline.

    Where nothing comes before it, a second look repeats its sums to the last bit: it learns
    every feature on its own and adds their evidence in the order of the features.
    """

    way = ODDS

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return why the model must be trained."""
        for name in ("alpha", "variance_floor"):
            value = getattr(model, name)
            if not isinstance(value, Real) or not 0.0 <= float(value) < np.inf:
                return f"{name}={value!r} is no number from 0 on"
        return "variance_floor=0 may divide by zero" if model.variance_floor == 0.0 else None

    @cached_property
    def nominal(self) -> Bools:
        """The nominal features of the table; after a pipeline there are only numbers."""
        return self.table.nominal if self.source.shared else np.zeros_like(self.table.nominal)

    @cached_property
    def _exact(self) -> dict[int, FoldModel]:
        return {}

    def columns(self, fold: int) -> FoldColumns:
        """Return the values of the table, unknown ones included."""
        if not self.source.shared:
            return self.source.columns(fold)
        return self._whole

    @cached_property
    def _whole(self) -> FoldColumns:
        every, sparse = np.arange(self.table.n_features), self.table.sparse
        dense = sparse is not None and not self.large
        values: Any = self.table.doubles if dense else self.table.values
        lost = self.table.incomplete if self.large else np.zeros(len(every), dtype=bool)
        return FoldColumns(values, every, lost)

    @property
    def large(self) -> bool:
        """Whether the table is sparse and would be large as a dense one."""
        return self.table.sparse is not None and self.table.n_rows * self.table.n_features > DENSE

    @cached_property
    def _sparse(self) -> list[SparseFold | None]:
        values, found = self.table.sparse, []
        assert values is not None
        for fold, model in enumerate(self.folds):
            train, floor = self.source.splits[fold][0], float(self.model.variance_floor)
            target = np.searchsorted(self.labels(fold), self.table.target[train]).astype(np.int64)
            own = None if model is None else SparseFold.of(values, model, train, target, floor)
            found.append(own)
        return found

    def count(self, batch: Bools | Steps) -> Counts | None:
        """Count rows that are right; of a large sparse table from what it stores."""
        if not self.large:
            return super().count(batch)
        if self.weight is not None:
            return None
        right, doubtful = np.zeros((2, len(self.folds), len(batch)), dtype=np.int64)
        count_sparse(self._sparse, batch, right, doubtful)
        lost = self.table.incomplete
        if isinstance(batch, Steps):
            # What is unknown in the base is in the sums of every step.
            again = np.asarray((batch.base & lost).any() | lost[batch.units])
        else:
            again = np.asarray((batch & lost).any(axis=1))
        self._look_again(batch, again, right, doubtful)
        return Counts(right, doubtful)

    def learn(self, model: FoldModel, fold: int, target: Ints, weight: Floats | None) -> FoldModel:
        """Learn levels and densities."""
        model = replace(model, unsure=model.unsure | self._unsure)
        if self.large:
            own = class_weights(target, weight)
            return replace(model, learned=replace(model.learned, log_prior=np.log(own / own.sum())))
        if self.source.shared and self._sums is None:
            exact = self._as_estimator(model, fold, None)
            shift = np.where(_tiny(exact.learned.variance), np.nan, exact.shift)
            return replace(exact, unit=4.0 * (self.table.n_features + 4) * EPS, shift=shift)
        nominal = np.zeros(len(model.owner), dtype=bool)
        if self.source.shared:
            nominal = self.nominal
        prior, counts, moments = self.moments(model, fold, target, weight)
        learned = self.describe(nominal, prior, counts, moments)
        unit, own = self.errors_of(model, moments, target, weight)
        shift = np.zeros(len(nominal))
        shift[~nominal] = self.errors(moments, learned.variance[:, ~nominal], own)
        shift[_tiny(learned.variance)] = np.nan
        return replace(model, learned=learned, unit=unit, shift=shift)

    def describe(
        self, nominal: Bools, prior: Floats, counts: Floats, moments: ClassMoments
    ) -> Evidence:
        """Return what the model learns from sums over rows."""
        alpha, floor = float(self.model.alpha), float(self.model.variance_floor)
        return Evidence.from_statistics(nominal, prior, counts, moments, alpha, floor)

    def errors(self, moments: ClassMoments, variance: Floats, shift: Floats) -> Floats:
        """Return errors of means; NaN where all digits of the values are needed.

        Such as for a column that looks constant and may not be.
        """
        flat = moments[2][-1] <= 1e-26 * moments[1][-1] ** 2
        return np.where(np.isinf(variance[0]) & ~flat, np.nan, np.where(flat, 0.0, shift))

    @property
    def _precision(self) -> float:
        """It calculates in float64, but a scaler before it may not."""
        return EPS if self.source.shared else self.source.precision

    @cached_property
    def _unsure(self) -> Bools:
        """Features whose kind may depend on the rows or on the pipeline."""
        X, nominal = self.table.X, self.table.nominal
        objects = isinstance(X, np.ndarray) and X.dtype.kind == "O"
        if self.source.shared:
            return ~nominal if objects else np.zeros_like(nominal)
        return np.ones_like(nominal) if objects else nominal

    def _as_estimator(self, model: FoldModel, fold: int, used: Places | None) -> FoldModel:
        """Return what the estimator learns, to the last bit, of some columns or of all."""
        train = self.source.splits[fold][0]
        labels, weight = self.labels(fold), self.training_weights(fold)
        target = np.searchsorted(labels, self.table.target[train]).astype(np.int64)
        values = model.numbers if used is None else model.numbers[:, used]
        nominal = self.nominal if used is None else self.nominal[used]
        own = np.ones(len(target)) if weight is None else weight
        most = int(self.table.cardinalities[self.nominal].max(initial=0))
        learned = Evidence.learn(
            values, nominal, target, own, len(labels), self.describe, train, most
        )
        return replace(model, learned=learned, unit=-1.0)

    def sums(
        self, model: FoldModel, fold: int, places: Places, used: Places, members: Ints, ends: Ints
    ) -> tuple[Floats, Floats]:
        """Sum in the order of the estimator, or densities of the numbers of a pipeline."""
        if not self.source.shared:
            return super().sums(model, fold, places, used, members, ends)
        if self.large:
            exact = self._as_estimator(model, fold, used)
            evidence = exact.learned.of(model.values(places, used).T)
            members, log_prior = np.searchsorted(used, members), exact.learned.log_prior
            found: tuple[Floats, Floats] = evidence_totals(
                evidence, np.zeros(len(used)), log_prior, exact.unit, members, ends
            )
            return found
        if fold not in self._exact:
            self._exact[fold] = self._as_estimator(model, fold, None)
        exact = self._exact[fold]
        totals, slack = EvidenceRule.sums(self, exact, fold, places, used, members, ends)
        if np.isneginf(model.learned.levels).any():
            # A row that no class could have produced is decided by the priors.
            impossible = np.asarray(np.isneginf(totals).all(axis=1))
            start = np.broadcast_to(model.learned.log_prior[:, None], totals.shape)
            totals = np.where(impossible[:, None], start, totals)
        return totals, slack

    def judge(self, fold: int, batch: Bools | Steps, metric: Metric, truth: Truth) -> Judged:
        """Judge; candidates in doubt again, by the very probabilities of the estimator."""
        values, doubts = super().judge(fold, batch, metric, truth)
        size = self.block(batch, truth)
        still = np.flatnonzero(doubts) if self.source.shared else ()
        for low in range(0, len(still), size):
            some = still[low : low + size]
            answers, unsure = self.respond(fold, np.asarray(batch[some], dtype=bool))
            rows = np.ascontiguousarray(answers.values.transpose(0, 2, 1))
            shares = posterior(rows.reshape(-1, rows.shape[2])).reshape(rows.shape)
            shares = np.ascontiguousarray(shares.transpose(0, 2, 1))
            values[some], open_rows = metric.judge(replace(answers, shares=shares), truth)
            doubts[some] = open_rows | unsure
        return values, doubts


class MLCRule(NaiveBayesRule):
    """The naive Bayes of MLC++, in which a level that a class never shows rules it out."""

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return why the model must be trained."""
        large = table.sparse is not None and table.n_rows * table.n_features > DENSE
        return "the sparse table would be large as a dense one" if large else None

    def _learned(self, fold: int) -> FoldModel | None:
        """Leave folds to the referee whose rows of a level may weigh nothing: it is known."""
        weight = self.training_weights(fold)
        if weight is not None and self.nominal.any() and not weight.all():
            return None
        return super()._learned(fold)

    @cached_property
    def _declared(self) -> Bools:
        """Which features have declared levels: those that no row shows are levels, too."""
        if self.table.X is None or not self.nominal.any():
            return np.zeros(self.table.n_features, dtype=bool)
        found = read_columns(self.table.X).columns
        return np.array([column.levels is not None for column in found])

    def _with_unknown(self, learned: Evidence) -> Evidence:
        """Return evidence in which other levels that no training row shows are unknown."""
        lost = np.isneginf(learned.levels).all(axis=2) & ~self._declared[:, None]
        return replace(learned, levels=np.where(lost[:, :, None], 0.0, learned.levels))

    def describe(
        self, nominal: Bools, prior: Floats, counts: Floats, moments: ClassMoments
    ) -> Evidence:
        """Return what the model learns from sums over rows."""
        learned = MLCNaiveBayes.from_statistics(nominal, prior, counts, moments)
        return self._with_unknown(learned) if nominal.any() else learned

    def errors(self, moments: ClassMoments, variance: Floats, shift: Floats) -> Floats:
        """Return errors of means; NaN where a variance may be exactly 0."""
        flat = (moments[0][:-1] > 1.0) & (moments[2][:-1] <= shift**2) & (shift > 0.0)
        return np.where(flat.any(axis=0), np.nan, shift)


@np.errstate(all="ignore")
def errors_in_single(rows: Floats, target: Ints, moments: ClassMoments) -> tuple[float, Floats]:
    """Return the errors of sums and of means where an estimator calculates in float32.

    Its moments are those of numpy, which adds rows one by one or by halves, as they lie in memory:
    how far both are from ours is measured. An error of a variance is given as one of the mean.
    What is left are short sums over the columns of a row.
    """
    values, shift, rough = rows.astype(np.float32), np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    for c, (mean, variance) in enumerate(zip(*moments[1:], strict=True)):
        whole = c == len(moments[1]) - 1
        part = values if whole else values[target == c]
        for order in ("C", "F"):
            own = np.asarray(part, order=order)
            bent = np.abs(own.var(axis=0) - variance)
            if whole:
                rough = np.maximum(rough, bent / np.where(variance > 0.0, variance, np.inf))
                continue
            off = np.abs(own.mean(axis=0) - mean)
            near = np.minimum(np.sqrt(bent), bent / np.sqrt(np.maximum(variance, TINY)))
            shift = np.maximum(shift, np.maximum(off, near))
    # What is added to all variances must be known; for a column that is lost it is not.
    lost = ~(rough <= COARSE)
    unit = SINGLE * min(32.0, 0.25 * len(shift) + 2.0) + rough[~lost].max(initial=0.0)
    return float(unit), np.where(lost, np.inf, shift)


class GaussianRule(DensityRule):
    """GaussianNB, which adds a share of the largest variance of a candidate to all of them."""

    priors = "priors"
    refuses_sparse = True

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return why the model must be trained."""
        smoothing = model.var_smoothing
        if not isinstance(smoothing, Real) or not 0.0 <= float(smoothing) < np.inf:
            return f"var_smoothing={smoothing!r} is no number from 0 on"
        return too_large(table) or unusable_priors("priors", model.priors, table)

    def learn(self, model: FoldModel, fold: int, target: Ints, weight: Floats | None) -> FoldModel:
        """Learn densities."""
        prior, _, moments = self.moments(model, fold, target, weight)
        if self.source.precision == SINGLE and weight is None:
            rows = model.numbers[self.source.splits[fold][0]]
            unit, shift = errors_in_single(rows, target, moments)
        else:
            unit, shift = self.errors_of(model, moments, target, weight)
        mean, variance, spread = moments[1][:-1], moments[2][:-1], moments[2][-1]
        if weight is not None:
            # The share is taken of the variance without weights.
            spread = self.moments(model, fold, target, None)[2][2][-1]
        # What rounding alone can make is no variance.
        spread = np.where(spread <= shift**2, 0.0, spread)
        smoothing = float(self.model.var_smoothing)
        lost = ~np.isfinite(mean + variance).all(axis=0) | ~np.isfinite(spread)
        lost |= (spread > 0.0) & (spread < TINY)
        if smoothing == 0.0:
            lost |= variance.min(axis=0) <= shift**2
        unsure = model.unsure.copy()
        unsure[model.owner[lost]] = True
        priors = prior / prior.sum() if self.model.priors is None else self.model.priors
        learned = Evidence(
            np.zeros(len(lost), dtype=bool), np.log(priors), np.zeros((len(lost), 0, len(prior))),
            np.where(lost, 0.0, mean), np.where(lost, 1.0, variance),
        )  # fmt: skip
        wide = np.where(lost, 0.0, smoothing * spread)
        return replace(model, learned=learned, unit=unit, shift=shift, wide=wide, unsure=unsure)

    @classmethod
    def blind(cls, source: Source, metric: Metric) -> str | None:
        """Return why probabilities are too coarse: in float32, or beside dummies.

        A dummy that a class never shows has next to no variance there, so that most probabilities
        are rounded to 0 or 1.
        """
        if metric.asks == "labels" or (source.precision <= EPS and not source.dummies):
            return None
        where = "beside dummies" if source.dummies else "in float32"
        return f"rounding decides nearly all probabilities of GaussianNB {where}"


class LevelRule(EvidenceRule):
    """Frequencies of levels: CategoricalNB and BernoulliNB."""

    priors = "class_prior"

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return why the model must be trained."""
        alpha = model.alpha
        if not isinstance(alpha, Real) or not 1e-9 <= float(alpha) < np.inf:
            return f"alpha={alpha!r} is no number from 1e-9 on"
        if not isinstance(model.fit_prior, (bool, np.bool_)):
            return f"fit_prior={model.fit_prior!r} is neither True nor False"
        return too_large(table) or unusable_priors("class_prior", model.class_prior, table)

    def columns(self, fold: int) -> FoldColumns:
        """Return codes of levels."""
        return self._codes if self.source.shared else self.encode(self.source.columns(fold))

    @cached_property
    def _codes(self) -> FoldColumns:
        return self.encode(self.source.columns(0))

    @abstractmethod
    def encode(self, columns: FoldColumns) -> FoldColumns:
        """Return the levels that the model reads from numbers."""

    @abstractmethod
    def frequencies(self, counts: Floats, weight: Floats, top: Ints) -> tuple[Floats, Ints]:
        """Return log-probabilities from counts (columns, levels, classes), and levels by column.

        ``weight`` has that of each class, ``top`` the largest code of each column.
        """

    def learn(self, model: FoldModel, fold: int, target: Ints, weight: Floats | None) -> FoldModel:
        """Learn frequencies; a level that no training row shows goes to the referee."""
        train, alpha = self.source.splits[fold][0], float(self.model.alpha)
        own, codes = np.ones(len(target)) if weight is None else weight, model.numbers[train]
        by_class, top = class_weights(target, own), codes.max(axis=0).astype(np.int64)
        counts = level_counts(codes, target, own, len(by_class), int(top.max(initial=1)) + 1)
        levels, known = self.frequencies(counts, by_class, top)
        unsure = model.unsure.copy()
        unsure[model.owner[model.numbers[model.rows].max(axis=0) >= known]] = True
        d = len(model.owner)
        nothing = np.zeros((len(by_class), d))
        learned = Evidence(np.ones(d, dtype=bool), self._prior(by_class), levels, nothing, nothing)
        # A logarithm of 1 - p loses digits where p is near 1, which alpha keeps it from.
        unit = 4.0 * (len(train) + d + 16.0) * (1.0 + 1.0 / alpha) * EPS
        return replace(model, learned=learned, unit=unit, unsure=unsure)

    def _prior(self, weight: Floats) -> Floats:
        """Return logarithms of the class probabilities."""
        if self.model.class_prior is not None:
            return np.log(np.asarray(self.model.class_prior, dtype=np.float64))
        if self.model.fit_prior:
            return np.asarray(np.log(weight) - np.log(weight.sum()))
        return np.full(len(weight), -np.log(len(weight)))


class CategoricalRule(LevelRule):
    """CategoricalNB, which takes numbers as codes."""

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return why the model must be trained."""
        least = model.min_categories
        if least is not None and not (
            isinstance(least, Integral) and 0 <= int(least) <= MOST_CODES
        ):
            return f"min_categories={least!r} is no number up to {MOST_CODES}"
        return super().refusal(model, table)

    def encode(self, columns: FoldColumns) -> FoldColumns:
        """Return whole numbers; negative and very large ones go to the referee."""
        codes = np.trunc(columns.values)
        most = min(MOST_CODES, max(2, MOST_LEVELS // max(1, codes.shape[1] * self.outputs)))
        bad = (codes.min(axis=0) < 0.0) | (codes.max(axis=0) >= most)
        return without(FoldColumns(codes, columns.owner, columns.unusable), np.asarray(bad))

    def frequencies(self, counts: Floats, weight: Floats, top: Ints) -> tuple[Floats, Ints]:
        """Return frequencies of all codes up to the largest one."""
        known = np.maximum(top + 1, self.model.min_categories or 0)
        more = int(known.max(initial=0)) - counts.shape[1]
        counts = np.pad(counts, ((0, 0), (0, max(0, more)), (0, 0))) + float(self.model.alpha)
        inside = (np.arange(counts.shape[1]) < known[:, None])[:, :, None]
        total = np.where(inside, counts, 0.0).sum(axis=1, keepdims=True)
        return np.where(inside, np.log(counts) - np.log(total), 0.0), known


class BernoulliRule(LevelRule):
    """BernoulliNB, which takes numbers as 0 or 1."""

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return why the model must be trained."""
        if model.binarize is not None and not isinstance(model.binarize, Real):
            return f"binarize={model.binarize!r} is no number"
        return super().refusal(model, table)

    def encode(self, columns: FoldColumns) -> FoldColumns:
        """Return bits; where the type of the numbers decides on which side they are is no bit."""
        values, threshold = columns.values, self.model.binarize
        if threshold is None:
            bad = ~np.isin(values, (0.0, 1.0)).all(axis=0)
            return without(FoldColumns(values, columns.owner, columns.unusable), np.asarray(bad))
        bits = values > float(threshold)
        bad = np.zeros(values.shape[1], dtype=bool)
        if self.source.precision > EPS:
            bad |= (bits != (values > float(np.float32(threshold)))).any(axis=0)
        if not self.source.shared:  # a mean that was filled in is 0 after a scaler, or nearly
            near = np.abs(values - float(threshold)) <= NEAR_BORDER * np.abs(values).max(axis=0)
            bad |= near.any(axis=0) & (values % 1.0 != 0.0).any(axis=0)
        found = FoldColumns(bits.astype(np.float64), columns.owner, columns.unusable)
        return without(found, bad)

    def frequencies(self, counts: Floats, weight: Floats, top: Ints) -> tuple[Floats, Ints]:
        """Return frequencies of 0 and 1."""
        alpha = float(self.model.alpha)
        return np.log(counts[:, :2] + alpha) - np.log(weight + 2.0 * alpha), np.full(len(top), 2)


def without(columns: FoldColumns, bad: Bools) -> FoldColumns:
    """Return columns of which some are left to the referee."""
    if not bad.any():
        return columns
    unusable = columns.unusable.copy()
    unusable[columns.owner[bad]] = True
    return FoldColumns(np.where(bad, 0.0, columns.values), columns.owner, unusable)


def unusable_priors(name: str, given: Any, table: Table) -> str | None:
    """Return what is wrong with given probabilities of the classes."""
    if given is None:
        return None
    values = np.asarray(given, dtype=np.float64)
    fits = values.shape == (table.n_classes,) and bool((values > 0.0).all())
    fits = fits and (name != "priors" or bool(np.isclose(values.sum(), 1.0)))
    return None if fits else f"{name} are not one positive probability per class"


def class_weights(target: Ints, weight: Floats | None) -> Floats:
    """Return the weight of each class."""
    return np.bincount(target, weight).astype(np.float64)


def _tiny(variance: Floats) -> Bools:
    """Return which columns have a variance, shape (classes, columns), that has lost digits."""
    return np.asarray(((variance > 0.0) & (variance < TINY)).any(axis=0))


def too_large(table: Table) -> str | None:
    """Return why a sparse table cannot be read as a whole."""
    sparse = table.sparse is not None and 8 * table.n_rows * table.n_features > MOST_BYTES
    return "the sparse table would be too large as a dense one" if sparse else None
