"""mRMR and JMI: relevance less redundancy, as values of subsets."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...data.information import Floats, Information
from ...data.table import Table
from ...kernels.subsets.pair_sums import pair_sums
from ...parameters import one_of, whole
from ..base import Candidates, Scorer, Scores
from .base import InformationMeasure


@dataclass(frozen=True, eq=False)
class RelevanceRedundancy(Scorer):
    """Σ relevance - Σ over pairs of redundancy / (k - 1), for a subset of k features."""

    relevance: Floats
    redundancy: Floats

    def score(self, candidates: Candidates) -> Scores:
        """Score every subset."""
        subsets = np.ascontiguousarray(candidates, dtype=bool)
        others = np.maximum(subsets.sum(axis=1) - 1, 1)
        worth = np.where(subsets, self.relevance, 0.0).sum(axis=1)
        return Scores(worth - pair_sums(self.redundancy, subsets) / others)


class _Redundancy(InformationMeasure):
    """Base of both: what is redundant between two features."""

    @abstractmethod
    def _redundancy(self, bits: Information) -> Floats: ...

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count all pairs once."""
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

    def _redundancy(self, bits: Information) -> Floats:
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

    def _redundancy(self, bits: Information) -> Floats:
        difference: Floats = bits.mutual - bits.conditional
        return difference
