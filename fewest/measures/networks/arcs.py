"""Values of arcs between features, counted when a subset first holds one of their ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...data.information import Floats, Information
from ...kernels.networks.spanning_tree_sums import tree_sums
from ..base import Candidates
from ..filters.pair_values import FEW, PairValues
from ..steps import Steps

#: Steps whose trees are grown together.
TOGETHER = 128


@dataclass(frozen=True, eq=False)
class Arcs:
    """conditional·I(A_i; A_j | C) + mutual·I(A_i; A_j) + parameters·(r_i - 1)(r_j - 1).

    Examples
    --------
    >>> from fewest.data.information import count_nominal
    >>> from fewest.testing import toy_table
    >>> Arcs(count_nominal(toy_table(n_features=3)), mutual=2.0).values().n_features
    3
    """

    bits: Information
    conditional: float = 0.0
    mutual: float = 0.0
    parameters: float = 0.0

    def column(self, j: int) -> Floats:
        """The values of feature j with every feature."""
        bits, free = self.bits, self.bits.cardinalities - 1.0
        value = self.parameters * (free * free[j])
        if self.conditional:
            value += self.conditional * bits.conditional_with(j)
        if self.mutual:
            value += self.mutual * bits.mutual_with(j)
        return np.asarray(value)

    def everything(self) -> Floats:
        """All values."""
        bits, free = self.bits, self.bits.cardinalities - 1.0
        value = self.parameters * np.outer(free, free)
        if self.conditional:
            value += self.conditional * bits.conditional
        if self.mutual:
            value += self.mutual * bits.mutual
        return np.asarray(value)

    def values(self) -> PairValues:
        """As a matrix of which columns are worked out when they are needed."""
        return PairValues(self.bits.n_features, self.column, self.everything)

    def scaled(self, factor: float) -> Arcs:
        """The same in another unit."""
        return Arcs(
            self.bits, self.conditional * factor, self.mutual * factor, self.parameters * factor
        )


@dataclass(frozen=True, eq=False)
class Tree:
    """The sum of ``payload`` over the edges of the maximum spanning tree of ``weights``."""

    weights: PairValues
    payload: PairValues

    def sums(self, batch: Candidates | Steps) -> Floats:
        """The sum of each subset; steps must only add."""
        if isinstance(batch, Steps):
            return self._steps(batch)
        reached = np.flatnonzero(batch.any(axis=0))
        if len(reached) > FEW or self.weights.n_features <= FEW:
            return np.asarray(tree_sums(self.weights.matrix, self.payload.matrix, batch))
        return self._among(reached, reached, np.ascontiguousarray(batch[:, reached]))

    def _steps(self, steps: Steps) -> Floats:
        """Some steps at a time: only values of pairs with a feature of the base are needed."""
        have, sums = np.flatnonzero(steps.base), np.empty(len(steps))
        for low in range(0, len(steps), TOGETHER):
            new = steps.units[low : low + TOGETHER]
            inside = np.sort(np.concatenate([have, new]))
            subsets = np.repeat(np.isin(inside, have)[None], len(new), axis=0)
            subsets[np.arange(len(new)), np.searchsorted(inside, new)] = True
            sums[low : low + TOGETHER] = self._among(inside, have, subsets)
        return sums

    def _among(
        self, inside: NDArray[np.intp], known: NDArray[np.intp], subsets: NDArray[np.bool_]
    ) -> Floats:
        """Trees over some features, in their order; values of pairs without ``known`` are 0."""
        place = np.searchsorted(inside, known)
        parts = []
        for values in (self.weights, self.payload):
            part = np.zeros((len(inside), len(inside)))
            part[place] = values.columns(known)[:, inside]
            part[:, place] = part[place].T
            parts.append(part)
        return np.asarray(tree_sums(*parts, subsets))
