"""Base of spaces, and the constraints every search obeys."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...measures._measure import Candidates
from ...measures._steps import Steps


class Space(ABC):
    """Candidates of a search: vectors of small integers over the *free units*.

    A unit is a feature, or a group of features that come and go together. Units that must be
    in or must be out are not free: a search never sees them, the space adds them when it
    expands a candidate to the features. So include, exclude and groups hold by construction;
    sizes and budget are kept by ``repair`` and checked by ``feasible``.

    Examples
    --------
    >>> from fewest.search import Subsets
    >>> Subsets(4).cardinalities.tolist()
    [2, 2, 2, 2]
    """

    kind: ClassVar[str]
    #: The smallest and the largest number of features; None is no limit.
    min_features: int = 0
    max_features: int | None = None
    #: What each feature costs (None: all alike), and the most that a candidate may cost.
    costs: tuple[float, ...] | None = None
    budget: float | None = None

    @property
    @abstractmethod
    def cardinalities(self) -> NDArray[np.int64]:
        """Number of values each free unit can take (2 for subsets)."""

    @property
    def n_units(self) -> int:
        """Number of free units."""
        return len(self.cardinalities)

    @abstractmethod
    def sample(self, n: int, rng: np.random.Generator, p: Any = 0.5) -> Candidates:
        """Draw ``n`` feasible candidates; for subsets each unit is in with probability p."""

    @abstractmethod
    def repair(self, candidates: Candidates, rng: np.random.Generator) -> Candidates:
        """Return the candidates, changed at random as little as needed to be feasible."""

    @abstractmethod
    def feasible(self, candidates: Candidates) -> NDArray[np.bool_]:
        """Mark the candidates that keep the sizes and the budget."""

    @abstractmethod
    def expand(self, candidates: Candidates) -> Candidates:
        """Return the candidates over all features, as a measure scores them."""

    @abstractmethod
    def cost(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the cost of each candidate: the sum of the costs, or the number of features."""

    def size(self, candidates: Candidates) -> NDArray[np.int64]:
        """Return the number of features of each candidate."""
        return np.asarray(np.count_nonzero(self.expand(candidates), axis=1), dtype=np.int64)

    def uses(self, candidates: Candidates) -> NDArray[np.bool_]:
        """Mark the features that each candidate uses."""
        return np.asarray(self.expand(candidates)).astype(bool)

    def frequency(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the share of the candidates that use each feature."""
        batch = self.expand(candidates)
        if isinstance(batch, Steps):
            return batch.frequency()
        return np.asarray(self.uses(candidates).mean(axis=0))

    def spread(self, candidates: Candidates) -> float:
        """Return how different the candidates are: 0 if all are the same, at most 1."""
        share = self.frequency(candidates)
        return float(np.minimum(share, 1 - share).max(initial=0.0) * 2)

    def small_enough(self, candidates: Candidates) -> NDArray[np.bool_]:
        """Mark the candidates that keep the largest size and the budget; all without these."""
        return np.ones(len(candidates), dtype=bool)

    def large_enough(self, candidates: Candidates) -> NDArray[np.bool_]:
        """Mark the candidates that keep the smallest size; all, where there is none."""
        return np.ones(len(candidates), dtype=bool)

    def packed(self, candidates: Candidates) -> NDArray[np.uint8]:
        """Return a row of a few bytes for each candidate; equal candidates have equal rows."""
        rows = np.ascontiguousarray(candidates)
        return rows.view(np.uint8).reshape(len(rows), rows.shape[1] * rows.itemsize)

    def identities(self, candidates: Candidates) -> list[bytes]:
        """Return an identity for each candidate: its key, or less where that is long."""
        return self.keys(candidates)

    def keys(self, candidates: Candidates) -> list[bytes]:
        """Return a short key for each candidate: its packed row."""
        packed = self.packed(candidates)
        width, joined = packed.shape[1], packed.tobytes()
        return [joined[row * width : (row + 1) * width] for row in range(len(packed))]

    def layout(self, names: Sequence[str]) -> dict[str, Any]:
        """Return how to read keys, for journals: at least the names of the features."""
        return {"names": list(names)}
