"""Values between pairs of features, worked out for those features that a search reaches."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...kernels.subsets.pair_sums import (
    member_sums,
    member_sums_with,
    pair_sums,
    pair_sums_with,
)
from ..base import Candidates, Scorer, Scores
from ..steps import Steps

Floats = NDArray[np.float64]
#: Up to so many features all pairs are worked out at once.
FEW = 500


class PairValues:
    """A symmetric matrix over the features of which columns are worked out when they are needed.

    Parameters
    ----------
    n_features : int
    column : function of a feature to float64 array of shape (n_features,)
    everything : function to float64 array of shape (n_features, n_features)
        All columns at once, the same values.
    """

    def __init__(
        self, n_features: int, column: Callable[[int], Floats], everything: Callable[[], Floats]
    ) -> None:
        self.n_features = n_features
        self._column, self._everything = column, everything
        self._known: dict[int, Floats] = {}

    @cached_property
    def matrix(self) -> Floats:
        """All values."""
        return np.ascontiguousarray(self._everything())

    def columns(self, features: NDArray[np.intp]) -> Floats:
        """The values of some features with every feature, one row for each of them."""
        if self.n_features <= FEW:
            return self.matrix[features]
        for j in features.tolist():
            if j not in self._known:
                self._known[j] = self._column(j)
        rows = [self._known[j] for j in features.tolist()]
        return np.array(rows).reshape(len(features), self.n_features)

    def sums(self, subsets: NDArray[np.bool_]) -> Floats:
        """The sum over the pairs of each subset."""
        reached = np.flatnonzero(subsets.any(axis=0))
        if self.n_features <= FEW or 2 * len(reached) > self.n_features:
            return np.asarray(pair_sums(self.matrix, subsets))
        inside = np.ascontiguousarray(self.columns(reached)[:, reached])
        return np.asarray(pair_sums(inside, np.ascontiguousarray(subsets[:, reached])))


def adds_only(steps: Steps) -> bool:
    """Whether every step adds a feature."""
    return bool((steps.gains > 0).all())


def sums_of(worth: Floats, batch: Candidates | Steps) -> Floats:
    """The sum of what the members of each candidate are worth; steps must only add."""
    if isinstance(batch, Steps):
        return np.asarray(member_sums_with(worth, np.flatnonzero(batch.base), batch.units))
    return np.asarray(member_sums(worth, batch))


def pair_sums_of(values: PairValues, batch: Candidates | Steps) -> Floats:
    """The sum over the pairs of each candidate; steps must only add."""
    if isinstance(batch, Steps):
        members = np.flatnonzero(batch.base)
        return np.asarray(pair_sums_with(values.columns(members), members, batch.units))
    return values.sums(batch)


def sizes_of(batch: Candidates | Steps) -> NDArray[np.int64]:
    """How many features each candidate has."""
    return batch.sizes() if isinstance(batch, Steps) else np.count_nonzero(batch, axis=1)


class BatchScorer(Scorer):
    """A scorer that gives matrices and steps that add a feature to the same formula."""

    @abstractmethod
    def formula(self, batch: Candidates | Steps) -> Floats:
        """The values of a bool matrix, or of steps that only add."""

    def score(self, candidates: Candidates) -> Scores:
        """Score every subset."""
        return Scores(self.formula(np.ascontiguousarray(candidates, dtype=bool)))

    def score_steps(self, steps: Steps) -> Scores:
        """Score every subset, from the sums of the base where features are added."""
        return Scores(self.formula(steps)) if adds_only(steps) else super().score_steps(steps)
