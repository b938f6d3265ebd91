"""Filters by information: rankings of single features, CMIM, mRMR and JMI."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._kernels.subsets.masks import member_sums, member_sums_with, pair_sums, pair_sums_with
from ..._parameters import number, one_of, whole
from ...data._information import Information
from ...data._table import Table
from .._measure import Candidates, Measure, Scorer, Scores
from .._steps import Steps

Floats = NDArray[np.float64]
#: Up to this many features all pairs are computed at once.
ALL_PAIRS_UP_TO = 500


class PairValues:
    """Symmetric matrix over the features whose columns are computed when they are needed.

    column: function of a feature to an array (n_features,).
    everything: function to an array (n_features, n_features): all columns at once, the same values.
    """

    def __init__(
        self, n_features: int, column: Callable[[int], Floats], everything: Callable[[], Floats]
    ) -> None:
        self.n_features = n_features
        self._column, self._everything = column, everything
        self._known: dict[int, Floats] = {}

    @cached_property
    def matrix(self) -> Floats:
        """Return all values."""
        return np.ascontiguousarray(self._everything())

    def columns(self, features: NDArray[np.intp]) -> Floats:
        """Return the values of some features with every feature, one row for each of them."""
        if self.n_features <= ALL_PAIRS_UP_TO:
            return self.matrix[features]
        for j in features.tolist():
            if j not in self._known:
                self._known[j] = self._column(j)
        rows = [self._known[j] for j in features.tolist()]
        return np.array(rows).reshape(len(features), self.n_features)

    def sums(self, subsets: NDArray[np.bool_]) -> Floats:
        """Return the sum over the pairs of each subset."""
        reached = np.flatnonzero(subsets.any(axis=0))
        if self.n_features <= ALL_PAIRS_UP_TO or 2 * len(reached) > self.n_features:
            return np.asarray(pair_sums(self.matrix, subsets))
        inside = np.ascontiguousarray(self.columns(reached)[:, reached])
        return np.asarray(pair_sums(inside, np.ascontiguousarray(subsets[:, reached])))


def adds_only(steps: Steps) -> bool:
    """Return whether every step adds a feature."""
    return bool((steps.gains > 0).all())


def sums_of(worth: Floats, batch: Candidates | Steps) -> Floats:
    """Sum what the members of each candidate are worth; steps must only add."""
    if isinstance(batch, Steps):
        return np.asarray(member_sums_with(worth, np.flatnonzero(batch.base), batch.units))
    return np.asarray(member_sums(worth, batch))


def pair_sums_of(values: PairValues, batch: Candidates | Steps) -> Floats:
    """Sum over the pairs of each candidate; steps must only add."""
    if isinstance(batch, Steps):
        members = np.flatnonzero(batch.base)
        return np.asarray(pair_sums_with(values.columns(members), members, batch.units))
    return values.sums(batch)


def sizes_of(batch: Candidates | Steps) -> NDArray[np.int64]:
    """Count the features of each candidate."""
    return batch.sizes() if isinstance(batch, Steps) else np.count_nonzero(batch, axis=1)


class BatchScorer(Scorer):
    """Scorer that gives matrices and steps that add a feature to the same formula."""

    @abstractmethod
    def formula(self, batch: Candidates | Steps) -> Floats:
        """Return the values of a bool matrix, or of steps that only add."""

    def score(self, candidates: Candidates) -> Scores:
        """Score every subset."""
        return Scores(self.formula(np.ascontiguousarray(candidates, dtype=bool)))

    def score_steps(self, steps: Steps) -> Scores:
        """Score every subset, from the sums of the base where features are added."""
        return Scores(self.formula(steps)) if adds_only(steps) else super().score_steps(steps)


class InformationMeasure(Measure):
    """Base of the filters that use discretised features, two at a time.

    Parameters
    ----------
    discretise : "mdl", "width" or "frequency"
        How continuous features are cut.
    bins : int
        Number of intervals, for "width" and "frequency".
    """

    name: ClassVar[str]
    example: ClassVar[str] = """
    >>> import fewest
    >>> from fewest.measures import {name}
    >>> data = fewest.load("corral")
    >>> selector = fewest.SubsetSelector({name}(), search="exhaustive").fit(data.X, data.y)
    >>> selector.result_.features[:4]
    ['A0', 'A1', 'B0', 'B1']
    """
    reads: ClassVar[frozenset[str]] = frozenset({"sample_weight"})
    scans: ClassVar[bool] = True

    discretise: str
    bins: int

    def _information(self, table: Table) -> Information:
        self.check_parameters()
        return table.information(self.discretise, self.bins)


@dataclass(frozen=True, eq=False)
class SumScore(BatchScorer):
    """Sum of what each feature of a subset is worth."""

    worth: NDArray[np.float64]
    notes: tuple[str, ...] = ()

    def formula(self, batch: Candidates | Steps) -> NDArray[np.float64]:
        """Return the sums."""
        return sums_of(self.worth, batch)


@dataclass
class Ranking(InformationMeasure):
    """Base: Σ (score of the feature - ``threshold``) over the subset.

    So forward selection adds the features in the order of the ranking, up to ``max_features``
    or until no further one scores above the threshold, and every search that finds the best
    subset finds the features above it. A constant feature scores 0 and is never chosen.

    Parameters
    ----------
    threshold : float
        What a feature must score to be worth its place.
    """

    threshold: float = number(0.0, low=0.0)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    @abstractmethod
    def _scores(self, bits: Information) -> Floats: ...

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Score every feature once."""
        return SumScore(self._scores(self._information(table)) - self.threshold)


@dataclass
class InformationGain(Ranking):
    """Sum over the subset of each feature's mutual information with the class, less a threshold.

    Notes
    -----
    I(A_i; C), in bits. Features are scored one at a time: copies count twice.
    """

    name: ClassVar[str] = "information-gain"
    source: ClassVar[str] = "Quinlan (1986)"

    def _scores(self, bits: Information) -> Floats:
        return bits.relevance


@dataclass
class GainRatio(Ranking):
    """Sum over the subset of information gain by the feature's own entropy, less a threshold.

    Notes
    -----
    I(A_i; C) / H(A_i); 0 for a constant feature.
    """

    name: ClassVar[str] = "gain-ratio"
    source: ClassVar[str] = "Quinlan (1986)"

    def _scores(self, bits: Information) -> Floats:
        none = np.zeros_like(bits.relevance)
        return np.divide(bits.relevance, bits.entropy, out=none, where=bits.entropy > 0)


@dataclass
class SymmetricUncertainty(Ranking):
    """Sum over the subset of each feature's symmetric uncertainty with the class.

    Notes
    -----
    2·I(A_i; C) / (H(A_i) + H(C)), between 0 and 1.
    """

    name: ClassVar[str] = "symmetric-uncertainty"
    source: ClassVar[str] = "Hall (2000)"

    def _scores(self, bits: Information) -> Floats:
        return bits.class_uncertainty


def cmim_scores(bits: Information) -> Floats:
    """Return what each feature was worth when its turn came in the classical greedy order.

    Pairs are counted for one feature at a time, in the order in which they are reached, and no
    more once all that are left add nothing: what a feature adds never rises.
    """
    left = bits.relevance.copy()
    scores = np.full(len(left), -1.0)
    while (scores < 0).any():
        open_scores = np.where(scores < 0, left, -1.0)
        chosen = int(np.argmax(open_scores))
        if left[chosen] <= 0.0:
            scores[scores < 0] = 0.0
            break
        scores[chosen] = left[chosen]
        few = len(left) <= ALL_PAIRS_UP_TO
        np.minimum(left, bits.added[:, chosen] if few else bits.added_with(chosen), out=left)
    return scores


@dataclass
class CMIM(InformationMeasure):
    """Conditional mutual information maximisation: the sum of what each feature still adds.

    Parameters
    ----------
    threshold : float
        What a feature must still add, in bits, to be worth its place.

    Notes
    -----
    Fleuret (2004): the next feature is the one with the largest min(I(f; C), min_{s∈S}
    I(f; C | s)). No value of subsets as such has this greedy order, so the order is computed
    once, when the measure is bound, and a feature is worth what that minimum was when its turn
    came. These never rise along the order: forward selection repeats it.
    """

    name: ClassVar[str] = "cmim"
    source: ClassVar[str] = "Fleuret (2004)"

    threshold: float = number(0.0, low=0.0)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Compute the order."""
        return SumScore(cmim_scores(self._information(table)) - self.threshold)


@dataclass(frozen=True, eq=False)
class RelevanceRedundancy(BatchScorer):
    """Σ relevance - Σ over pairs of redundancy / (k - 1), for a subset of k features."""

    relevance: Floats
    redundancy: PairValues

    def formula(self, batch: Candidates | Steps) -> Floats:
        """Return the difference."""
        others = np.maximum(sizes_of(batch) - 1, 1)
        apart = pair_sums_of(self.redundancy, batch) / others
        return np.asarray(sums_of(self.relevance, batch) - apart)


@dataclass
class _Redundancy(InformationMeasure):
    """Base of mRMR and JMI: what is redundant between two features."""

    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    @abstractmethod
    def _redundancy(self, bits: Information) -> PairValues: ...

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count the features alone; pairs are counted when a search reaches them."""
        bits = self._information(table)
        return RelevanceRedundancy(bits.relevance, self._redundancy(bits))


@dataclass
class MRMR(_Redundancy):
    """Maximum relevance, minimum redundancy.

    Notes
    -----
    For k features, Σ I(A_i; C) - Σ_{i<j} I(A_i; A_j) / (k - 1). Among all ways to add a
    feature f to a subset S this is largest where I(f; C) - Σ_{s∈S} I(f; s) / |S| is, so forward
    selection adds the features in the classical order (Peng, Long and Ding, 2005, the
    difference form).
    """

    name: ClassVar[str] = "mrmr"
    source: ClassVar[str] = "Peng, Long and Ding (2005)"

    def _redundancy(self, bits: Information) -> PairValues:
        return PairValues(bits.n_features, bits.mutual_with, partial(getattr, bits, "mutual"))


@dataclass
class JMI(_Redundancy):
    """Joint mutual information: redundancy counts only where the class does not explain it.

    Notes
    -----
    For k features, Σ I(A_i; C) - Σ_{i<j} [I(A_i; A_j) - I(A_i; A_j | C)] / (k - 1). Among all
    ways to add a feature f to a subset S this is largest where Σ_{s∈S} I(f, s; C) is, so
    forward selection adds the features in the classical order (Yang and Moody, 1999; Brown et
    al., 2012, section 3).
    """

    name: ClassVar[str] = "jmi"
    source: ClassVar[str] = "Yang and Moody (1999)"

    def _redundancy(self, bits: Information) -> PairValues:
        return PairValues(bits.n_features, bits.excess_with, partial(_excess, bits))


def _excess(bits: Information) -> Floats:
    difference: Floats = bits.mutual - bits.conditional
    return difference
