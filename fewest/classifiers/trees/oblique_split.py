"""The search for an oblique split: hill climbing, random jumps, restarts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...kernels.trees.oblique import best_step, side_weights, twoing

Floats = NDArray[np.float64]


@dataclass(eq=False)
class Hyperplanes:
    """The rows of a node, with a last column of ones, and what splits them well.

    Parameters
    ----------
    values : array of shape (rows, features + 1)
    target : int64 array of shape (rows,)
    n_classes : int
    rng : draws hyperplanes and jumps
    """

    values: Floats
    target: NDArray[np.int64]
    n_classes: int
    rng: np.random.Generator

    def goodness(self, plane: Floats) -> float:
        """How well a hyperplane splits the rows."""
        return float(twoing(*side_weights(self.values @ plane, self.target, self.n_classes)))

    def axis_parallel(self) -> Floats:
        """The best hyperplane that looks at one feature only."""
        best, chosen = -1.0, np.zeros(self.values.shape[1])
        ones = np.ones(len(self.values))
        for j in range(self.values.shape[1] - 1):
            step, value = best_step(self.values[:, j].copy(), ones, self.target, self.n_classes)
            if value > best + 1e-12:
                best = value
                chosen = np.zeros(self.values.shape[1])
                chosen[j], chosen[-1] = 1.0, step
        return chosen

    def best(self, restarts: int, jumps: int) -> Floats:
        """The best hyperplane of several climbs; the first starts axis-parallel."""
        chosen = self.axis_parallel()
        best = self.goodness(chosen)
        for start in range(restarts):
            drawn = self._direction()
            plane = self.climbed(chosen.copy() if start == 0 else drawn, jumps)
            value = self.goodness(plane)
            if value > best + 1e-9:
                best, chosen = value, plane
        return chosen

    def climbed(self, plane: Floats, jumps: int) -> Floats:
        """Change one coefficient after the other while that helps; jump when it does not."""
        value = self.goodness(plane)
        while True:
            before = value
            for m in range(len(plane)):
                plane, value = self._moved(plane, value, np.eye(len(plane))[m])
            if value > before + 1e-9:
                continue
            for _ in range(jumps):
                plane, value = self._moved(plane, value, self._direction())
                if value > before + 1e-9:
                    break
            else:
                return plane

    def _moved(self, plane: Floats, value: float, direction: Floats) -> tuple[Floats, float]:
        position, along = self.values @ plane, self.values @ direction
        step, _ = best_step(position, along, self.target, self.n_classes)
        moved = plane + step * direction
        found = self.goodness(moved)
        return (moved, found) if found > value + 1e-9 else (plane, value)

    def _direction(self) -> Floats:
        return np.asarray(self.rng.uniform(-1.0, 1.0, self.values.shape[1]), dtype=np.float64)
