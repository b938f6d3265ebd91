"""Naive Bayes for tables as they are: nominal, continuous and unknown values side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from .._kernels.bayes.class_statistics import class_evidence, class_moments, level_counts
from .._parameters import number
from ..data._class_sums import ClassSums
from ..data._feature_names import Features
from ..data._rows import BLOCK_ROWS, row_blocks
from ..data._schema import Schema, learn_store
from ._base import Floats, Rows, TableClassifier, checked_table

#: Makes evidence of which features are nominal, class weights, counts of levels, and moments.
Describe = Callable[[Any, Any, Any, Any], "Evidence"]
#: What MLC++ takes for a variance of exactly 0.
ZERO_VARIANCE = 0.01


@dataclass(frozen=True, eq=False)
class Evidence:
    """Log-likelihoods by class of each feature alone, learned from rows.

    ``levels`` has the shape (features, levels, classes) and is zero where nothing is known;
    ``mean`` and ``variance`` have the shape (classes, features); a variance of infinity
    stands for a feature without information. Each feature is learned on its own.
    """

    nominal: NDArray[np.bool_]
    log_prior: Floats
    levels: Floats
    mean: Floats
    variance: Floats

    @staticmethod
    def learn(
        values: NDArray[np.floating[Any]],
        nominal: NDArray[np.bool_],
        target: NDArray[np.int64],
        weight: Floats,
        n_classes: int,
        describe: Describe,
        rows: NDArray[np.intp] | None = None,
        levels: int = 0,
    ) -> Evidence:
        """Learn from encoded values (see :class:`~fewest.data._table.Table`).

        ``describe`` makes evidence of sums, such as :meth:`from_statistics`. ``target`` and
        ``weight`` are those of ``rows``, by default of all. Nominal features have at least
        ``levels`` levels. Rows are read and added block by block, so that no second table is made.
        """
        n = len(target)
        tops = [np.nanmax(v[:, nominal], initial=-1.0) for _, v in _blocks(values, rows)]
        top = max(int(max(tops, default=-1)), levels - 1)
        if n <= BLOCK_ROWS:
            _, whole = next(_blocks(values, rows))
            prior = np.bincount(target, weight, minlength=n_classes)
            codes, numbers = whole[:, nominal], whole[:, ~nominal]
            counts = np.zeros((codes.shape[1], 0, n_classes))
            if top >= 0:
                counts = level_counts(codes, target, weight, n_classes, top + 1)
            moments = class_moments(numbers, target, weight, n_classes)
            return describe(nominal, prior, counts, moments)
        sums = ClassSums.nothing(nominal, top + 1, 1, n_classes)
        for part, block in _blocks(values, rows):
            one = np.zeros(len(block), dtype=np.int64)
            sums.add(block, target[part], one, weight[part])
        return describe(nominal, *sums.whole())

    @staticmethod
    def from_statistics(
        nominal: NDArray[np.bool_],
        prior: NDArray[Any],
        counts: Floats,
        moments: tuple[Floats, Floats, Floats],
        alpha: float,
        floor: float,
    ) -> Evidence:
        """Learn from sums over rows, wherever they were made.

        ``prior`` has the weight of each class, ``counts`` those of the levels of the nominal
        features, shape (nominal features, levels, classes); ``moments`` are weight, mean and
        variance of the others, each of shape (classes + 1, features), the last row for all
        classes together.
        """
        with np.errstate(divide="ignore"):
            log_prior = np.log(prior / prior.sum())
        levels = _level_evidence(nominal, counts, alpha)
        mean, variance = _moments(nominal, moments, floor)
        return Evidence(nominal, log_prior, levels, mean, variance)

    def take(self, features: NDArray[Any]) -> Evidence:
        """Return the same for some of the features."""
        return Evidence(
            self.nominal[features],
            self.log_prior,
            self.levels[features],
            np.ascontiguousarray(self.mean[:, features]),
            np.ascontiguousarray(self.variance[:, features]),
        )

    def of(self, values: Floats) -> Floats:
        """Return log-likelihoods of encoded rows, shape (features, classes, rows)."""
        evidence: Floats = class_evidence(
            np.ascontiguousarray(values), self.nominal, self.levels, self.mean, self.variance
        )
        return evidence


def _blocks(
    values: NDArray[np.floating[Any]], rows: NDArray[np.intp] | None
) -> Iterator[tuple[slice, Floats]]:
    """Yield blocks of some rows as float64, with their positions among these rows."""
    for part in row_blocks(len(values) if rows is None else len(rows)):
        yield (
            part,
            np.ascontiguousarray(values[part if rows is None else rows[part]], dtype=np.float64),
        )


def _level_evidence(nominal: NDArray[np.bool_], counts: Floats, alpha: float) -> Floats:
    evidence = np.zeros((len(nominal), *counts.shape[1:]))
    if counts.shape[1] == 0:
        return evidence
    seen = counts.sum(axis=2) > 0.0
    # A level that no row shows is unknown, so it is no value of the feature either.
    levels = seen.sum(axis=1)[:, None, None]
    total = counts.sum(axis=1, keepdims=True) + alpha * levels
    # A class in which the feature is never known (and no alpha) has no evidence about it.
    even = np.broadcast_to(1.0 / np.maximum(levels, 1), counts.shape).copy()
    with np.errstate(divide="ignore"):
        logs = np.log(np.divide(counts + alpha, total, out=even, where=total > 0.0))
    evidence[nominal] = np.where(seen[:, :, None], logs, 0.0)
    return evidence


def _moments(
    nominal: NDArray[np.bool_], moments: tuple[Floats, Floats, Floats], floor: float
) -> tuple[Floats, Floats]:
    shape = len(moments[0]) - 1, len(nominal)
    mean, variance = np.zeros(shape), np.full(shape, np.inf)
    mean[:, ~nominal], variance[:, ~nominal] = described_classes(moments, floor)
    return mean, variance


def described_classes(
    moments: tuple[Floats, Floats, Floats], floor: float
) -> tuple[Floats, Floats]:
    """Return mean and variance of each class, from the moments of the classes and of all rows.

    ``moments`` are count, mean and variance of shape (classes + 1, features); the answer has the
    shape (classes, features).
    """
    count, means, variances = moments
    # A class without a known value is described by the rows of all classes.
    means = np.where(count[:-1] > 0.0, means[:-1], means[-1])
    own = np.where(count[:-1] > 0.0, variances[:-1], variances[-1])
    floors = floor * variances[-1]
    # Equal values differ from their rounded mean by a few units in the last place.
    constant = variances[-1] <= 1e-24 * (means**2).max(axis=0, initial=0.0)
    return means, np.where(constant, np.inf, np.maximum(own, floors))


class EvidenceClassifier(TableClassifier):
    """Base of the classifiers that add up the evidence of each feature alone."""

    _evidence: Evidence

    def _read(self, X: Any, nominal: Features | None) -> tuple[Schema, Floats]:
        """Read without a copy: rows are read block by block, and none is kept."""
        schema, values = learn_store(X, nominal)
        return schema, cast("Floats", values)

    def _chances(self, values: Floats) -> Floats:
        return posterior(self._joint(values))

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return log P(c) + log p(x | c), shape (rows, classes)."""
        check_is_fitted(self)
        return self._joint(self.schema_.encode(checked_table(self, X, reset=False)))

    def _joint(self, values: Floats) -> Floats:
        scores = np.empty((len(values), len(self._evidence.log_prior)))
        for rows in row_blocks(len(values)):
            scores[rows] = joint(self._evidence.log_prior, self._evidence.of(values[rows])).T
        # A row that no class could have produced (only without alpha) is no evidence.
        scores[np.isneginf(scores).all(axis=1)] = self._evidence.log_prior
        return scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        # By logarithms: probabilities that differ by less than their rounding are still distinct.
        scores = self.predict_joint_log_proba(X)
        labels: NDArray[Any] = self.classes_[scores.argmax(axis=1)]
        return labels


@dataclass(eq=False, repr=False)
class NaiveBayes(EvidenceClassifier):
    """Naive Bayes over nominal, continuous and unknown values together.

    Parameters
    ----------
    alpha : float, default=1.0
        Added to the count of every level; 1 is Laplace's correction. With 0 a level never seen
        with a class rules it out; where all are ruled out, the priors decide.
    variance_floor : float, default=0.1
        The smallest variance of a continuous feature within a class, as a share of its
        variance over all classes.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,)
        Only where ``X`` has names.

    Notes
    -----
    The class of a row is the c that maximises log P(c) + Σ_j log p(x_j | c), where j runs over
    the features known in that row (Inza et al., 2000, section 4). For a nominal feature with
    the levels seen in training, p(v | c) = (n_cv + α) / (n_c + α·levels), where n_c counts the
    rows of c in which the feature is known; for a continuous one it is the normal density
    with the mean and variance of its known values in c. The floor keeps a column that is
    constant within a class from outvoting all others; a column that is constant altogether,
    and a level never seen in training, say nothing. Priors are relative frequencies.

    :class:`MLCNaiveBayes` is the naive Bayes of the program that Inza et al. used.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.2, "red"], [0.9, "red"], [3.1, "blue"], [2.9, None]], dtype=object)
    >>> model = NaiveBayes().fit(X, ["a", "a", "b", "b"])
    >>> model.predict(np.array([[1.1, None], [np.nan, "blue"]], dtype=object)).tolist()
    ['a', 'b']
    """

    alpha: float = number(1.0, low=0.0)
    variance_floor: float = number(0.1, low=0.0)

    def _learn(self, rows: Rows) -> None:
        self._evidence = Evidence.learn(
            rows.values,
            rows.nominal,
            rows.target,
            rows.weight,
            rows.n_classes,
            partial(
                Evidence.from_statistics,
                alpha=float(self.alpha),
                floor=float(self.variance_floor),
            ),
        )


@dataclass(eq=False, repr=False)
class MLCNaiveBayes(EvidenceClassifier):
    """Naive Bayes of MLC++ 2, with which Inza et al. (2000) and Inza (2002) worked.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)

    Notes
    -----
    As :class:`NaiveBayes`, with these rules: p(v | c) is the plain frequency n_cv / n_c, where
    n_c counts all rows of the class, also those in which the feature is unknown, so that a level
    never seen with a class rules it out; where all classes are ruled out, as by a level that no
    row shows (a category of a frame), the most frequent one is the answer. A normal density has
    the sample variance (n - 1), 0.01 instead of a variance of exactly 0, and 1 for a single value.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.2, "red"], [0.9, "red"], [3.1, "blue"], [2.9, None]], dtype=object)
    >>> model = MLCNaiveBayes().fit(X, ["a", "a", "b", "b"])
    >>> model.predict(np.array([[2.9, "red"], [3.0, "blue"]], dtype=object)).tolist()
    ['a', 'b']
    """

    def _learn(self, rows: Rows) -> None:
        most = int(rows.cardinalities.max(initial=0))
        self._evidence = Evidence.learn(
            rows.values, rows.nominal, rows.target, rows.weight, rows.n_classes,
            self.from_statistics, levels=most,
        )  # fmt: skip

    @staticmethod
    def from_statistics(
        nominal: NDArray[np.bool_],
        prior: Floats,
        counts: Floats,
        moments: tuple[Floats, Floats, Floats],
    ) -> Evidence:
        """Learn from sums over rows; see :meth:`Evidence.from_statistics`."""
        levels = np.zeros((len(nominal), *counts.shape[1:]))
        with np.errstate(divide="ignore", invalid="ignore"):
            levels[nominal] = np.log(counts / prior)
            log_prior = np.log(prior / prior.sum())
        count, means, variances = moments
        sample = variances * count / np.maximum(count - 1.0, 1e-300)
        sample = np.where(count <= 1.0, 1.0, np.where(variances == 0.0, ZERO_VARIANCE, sample))
        shape = len(prior), len(nominal)
        mean, variance = np.zeros(shape), np.full(shape, np.inf)
        known = count[:-1] > 0.0
        mean[:, ~nominal] = np.where(known, means[:-1], means[-1])
        variance[:, ~nominal] = np.where(known, sample[:-1], sample[-1])
        return Evidence(nominal, log_prior, levels, mean, variance)


def joint(log_prior: Floats, evidence: Floats) -> Floats:
    """Sum over the features in their order, shape (classes, rows).

    The order is fixed so that a batch of subsets can be scored with the very same numbers.
    """
    total = np.repeat(log_prior[:, None], evidence.shape[2], axis=1)
    for feature in evidence:
        total += feature
    return total


def posterior(scores: Floats) -> Floats:
    """Return probabilities from joint logarithms, both of shape (rows, classes)."""
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = odds / odds.sum(axis=1, keepdims=True)
    return shares
