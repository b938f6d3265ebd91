"""What a measure that proves its best subsets is asked, and what it answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Allowed:
    """The subsets among which the best is sought.

    Parameters
    ----------
    fixed : bool array of shape (features,)
        The features that are always in.
    units : bool array of shape (units, features)
        The features that each free unit brings.
    costs : float64 array of shape (units,)
        The cost of each unit.
    budget : float
        The largest sum of these costs.
    min_features, max_features : int
        The allowed sizes.
    each_size : bool
        Whether the best of each size is sought, not only the best of all.
    """

    fixed: Mask
    units: Mask
    costs: NDArray[np.float64]
    budget: float
    min_features: int
    max_features: int
    each_size: bool = False


class Proof(ABC):
    """A search for the best subsets that goes on in slices, with bounds at any time."""

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether every allowed subset is visited or excluded."""

    @abstractmethod
    def offer(self, subsets: Mask) -> None:
        """Take subsets (over the units) into account, as good ones to start from."""

    @abstractmethod
    def work(self) -> Mask:
        """Go on for less than a second; the improvements found, as subsets over the units."""

    @abstractmethod
    def bound(self) -> float:
        """The highest value that is not excluded."""

    @abstractmethod
    def sizes(self) -> list[tuple[int, float, float]]:
        """For every size with a subset its value and the highest value not excluded."""
