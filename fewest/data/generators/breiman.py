"""The LED display and the waveforms of Breiman et al. (1984, sections 2.6.1 and 2.6.2)."""

from __future__ import annotations

import numpy as np

from ..dataset import Dataset
from .assemble import assemble, bits, continuous

#: Which of the seven segments each digit lights: top, upper left, upper right, middle, ...
_SEGMENTS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ]
)


def led24(name: str, n_rows: int, rng: np.random.Generator, faults: float = 0.1) -> Dataset:
    """A digit's seven segments, each wrong in 10 % of the rows, and 17 random bits."""
    digit = rng.integers(0, 10, n_rows)
    lit = _SEGMENTS[digit] ^ (rng.random((n_rows, 7)) < faults)
    codes = np.hstack([lit, rng.integers(0, 2, (n_rows, 17))])
    segments = [f"segment{j + 1}" for j in range(7)]
    names = segments + [f"irrelevant{j + 1}" for j in range(17)]
    return assemble(name, names, bits(codes), digit, tuple("0123456789"), segments)


def waveform(name: str, n_rows: int, rng: np.random.Generator, noise: int = 0) -> Dataset:
    """Mixtures of two of three waves at 21 points with normal noise; ``noise`` more columns.

    The first and the last point are zero in all three waves, so they are noise too.
    """
    at = np.arange(1, 22)
    waves = np.stack([np.maximum(6 - np.abs(at - peak), 0) for peak in (11, 15, 7)])
    label = rng.integers(0, 3, n_rows)
    first, second = np.array([[0, 1], [0, 2], [1, 2]])[label].T
    u = rng.random((n_rows, 1))
    signal = u * waves[first] + (1 - u) * waves[second]
    values = np.hstack([signal, np.zeros((n_rows, noise))])
    values += rng.normal(size=values.shape)
    names = [f"x{j + 1}" for j in range(21 + noise)]
    return assemble(name, names, continuous(values), label, ("1", "2", "3"), names[1:20])
