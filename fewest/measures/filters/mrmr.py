"""mRMR and JMI: relevance less redundancy, as values of subsets."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from ...data.information import Floats, Information
from ...data.table import Table
from ...parameters import one_of, whole
from ..base import Candidates, Scorer
from ..steps import Steps
from .base import InformationMeasure
from .pair_values import BatchScorer, PairValues, pair_sums_of, sizes_of, sums_of


@dataclass(frozen=True, eq=False)
class RelevanceRedundancy(BatchScorer):
    """Σ relevance - Σ over pairs of redundancy / (k - 1), for a subset of k features."""

    relevance: Floats
    redundancy: PairValues

    def formula(self, batch: Candidates | Steps) -> Floats:
        """The difference."""
        others = np.maximum(sizes_of(batch) - 1, 1)
        apart = pair_sums_of(self.redundancy, batch) / others
        return np.asarray(sums_of(self.relevance, batch) - apart)


class _Redundancy(InformationMeasure):
    """Base of both: what is redundant between two features."""

    @abstractmethod
    def _redundancy(self, bits: Information) -> PairValues: ...

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count the features alone; pairs are counted when a search reaches them."""
        bits = self._information(table)
        return RelevanceRedundancy(bits.relevance, self._redundancy(bits))


@dataclass
class MRMR(_Redundancy):
    """Maximum relevance, minimum redundancy.

    Parameters
    ----------
    discretise, bins
        How continuous features are cut.

    Notes
    -----
    For k features, Σ I(A_i; C) - Σ_{i<j} I(A_i; A_j) / (k - 1). Among all ways to add a
    feature f to a subset S this is largest where I(f; C) - Σ_{s∈S} I(f; s) / |S| is, so forward
    selection adds the features in the classical order (Peng, Long and Ding, 2005, the
    difference form).

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("corral")
    >>> selector = fewest.SubsetSelector(measure="mrmr", search="exhaustive")
    >>> selector.fit(data.X, data.y).result_.features
    ['A0', 'A1', 'B0', 'B1', 'irrelevant', 'correlated']
    """

    name: ClassVar[str] = "mrmr"
    source: ClassVar[str] = "Peng, Long and Ding (2005)"

    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def _redundancy(self, bits: Information) -> PairValues:
        return PairValues(bits.n_features, bits.mutual_with, partial(_mutual, bits))


def _mutual(bits: Information) -> Floats:
    return bits.mutual


@dataclass
class JMI(_Redundancy):
    """Joint mutual information: redundancy counts only where the class does not explain it.

    Parameters
    ----------
    discretise, bins
        How continuous features are cut.

    Notes
    -----
    For k features, Σ I(A_i; C) - Σ_{i<j} [I(A_i; A_j) - I(A_i; A_j | C)] / (k - 1). Among all
    ways to add a feature f to a subset S this is largest where Σ_{s∈S} I(f, s; C) is, so
    forward selection adds the features in the classical order (Yang and Moody, 1999; Brown et
    al., 2012, section 3).

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("corral")
    >>> selector = fewest.SubsetSelector(measure="jmi", search="exhaustive")
    >>> selector.fit(data.X, data.y).result_.features
    ['A0', 'A1', 'B0', 'B1', 'correlated']
    """

    name: ClassVar[str] = "jmi"
    source: ClassVar[str] = "Yang and Moody (1999)"

    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def _redundancy(self, bits: Information) -> PairValues:
        return PairValues(bits.n_features, bits.excess_with, partial(_excess, bits))


def _excess(bits: Information) -> Floats:
    difference: Floats = bits.mutual - bits.conditional
    return difference
