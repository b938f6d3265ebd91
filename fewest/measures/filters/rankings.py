"""Rankings: what each feature alone is worth. The value of a subset is the sum."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...data.information import Floats, Information
from ...data.table import Table
from ...parameters import number, one_of, whole
from ..base import Scorer
from .base import InformationMeasure, SumScore


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
    discretise : "mdl", "width" or "frequency"
        How continuous features are cut.
    bins : int
        Into how many intervals, for "width" and "frequency".
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
    """Sum over the subset of what each feature tells about the class, less a threshold.

    Parameters
    ----------
    threshold, discretise, bins
        As for :class:`~fewest.measures.filters.rankings.Ranking`.

    Notes
    -----
    I(A_i; C), in bits. Looks at one feature at a time: copies count twice.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("corral")
    >>> selector = fewest.SubsetSelector(measure="information-gain", search="exhaustive")
    >>> selector.fit(data.X, data.y).result_.features
    ['A0', 'A1', 'B0', 'B1', 'correlated']
    """

    name: ClassVar[str] = "information-gain"
    source: ClassVar[str] = "Quinlan (1986)"

    def _scores(self, bits: Information) -> Floats:
        return bits.relevance


@dataclass
class GainRatio(Ranking):
    """Sum over the subset of information gain by the feature's own entropy, less a threshold.

    Parameters
    ----------
    threshold, discretise, bins
        As for :class:`~fewest.measures.filters.rankings.Ranking`.

    Notes
    -----
    I(A_i; C) / H(A_i); 0 for a constant feature.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("corral")
    >>> selector = fewest.SubsetSelector(measure="gain-ratio", search="exhaustive")
    >>> selector.fit(data.X, data.y).result_.features
    ['A0', 'A1', 'B0', 'B1', 'correlated']
    """

    name: ClassVar[str] = "gain-ratio"
    source: ClassVar[str] = "Quinlan (1986)"

    def _scores(self, bits: Information) -> Floats:
        none = np.zeros_like(bits.relevance)
        return np.divide(bits.relevance, bits.entropy, out=none, where=bits.entropy > 0)


@dataclass
class SymmetricUncertainty(Ranking):
    """Sum over the subset of each feature's symmetric uncertainty with the class.

    Parameters
    ----------
    threshold, discretise, bins
        As for :class:`~fewest.measures.filters.rankings.Ranking`.

    Notes
    -----
    2·I(A_i; C) / (H(A_i) + H(C)), between 0 and 1.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("corral")
    >>> selector = fewest.SubsetSelector(measure="symmetric-uncertainty", search="exhaustive")
    >>> selector.fit(data.X, data.y).result_.features
    ['A0', 'A1', 'B0', 'B1', 'correlated']
    """

    name: ClassVar[str] = "symmetric-uncertainty"
    source: ClassVar[str] = "Hall (2000)"

    def _scores(self, bits: Information) -> Floats:
        return bits.class_uncertainty
