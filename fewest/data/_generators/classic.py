"""Classic domains: the LED display, waveforms, concepts over nominal features, and noise."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._columns import Column, Columns
from .._dataset import Dataset, make_dataset


def continuous(values: NDArray[np.float64]) -> list[Column]:
    """Make the columns of a matrix of numbers."""
    return [Column(numbers=np.ascontiguousarray(column)) for column in values.T]


def nominal(codes: NDArray[Any], levels: Sequence[tuple[str, ...]]) -> list[Column]:
    """Make the columns of a matrix of codes, with the levels of each."""
    pairs = zip(codes.T, levels, strict=True)
    return [Column(levels=values, codes=np.ascontiguousarray(column)) for column, values in pairs]


def bits(codes: NDArray[Any]) -> list[Column]:
    """Make the columns of a matrix of zeros and ones, as nominal values."""
    return nominal(codes.astype(np.int64), [("0", "1")] * codes.shape[1])


def assemble(
    name: str,
    names: Sequence[str],
    columns: Sequence[Column],
    target: NDArray[Any],
    classes: tuple[str, ...],
    relevant: Sequence[str],
    **known: Any,
) -> Dataset:
    """Make the data set of these columns; ``target`` holds codes into ``classes``."""
    label = Column(levels=classes, codes=np.asarray(target).astype(np.int64))
    every = Columns((*names, "class"), (*columns, label), len(target), True)
    return make_dataset(every, "class", name, relevant=tuple(relevant), **known)


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
    """Make a digit's seven segments, each wrong in 10 % of the rows, and 17 random bits."""
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


_MONK_VALUES = (3, 3, 2, 3, 4, 2)
_MONK_RELEVANT = {1: (1, 2, 5), 2: (1, 2, 3, 4, 5, 6), 3: (2, 4, 5)}


def corral(name: str, n_rows: int | None, rng: np.random.Generator) -> Dataset:
    """(A0 and A1) or (B0 and B1), a random bit, and one that equals the class in 75 %.

    John, Kohavi and Pfleger (1994, section 4): 32 rows, in 24 of which the bit equals the class.
    """
    codes = _domain((2,) * 5, n_rows, rng)
    label = (codes[:, 0] & codes[:, 1]) | (codes[:, 2] & codes[:, 3])
    wrong = np.zeros(len(codes), dtype=np.int64)
    wrong[rng.permutation(len(codes))[: round(len(codes) / 4)]] = 1
    codes = np.c_[codes, label ^ wrong]
    names = ["A0", "A1", "B0", "B1", "irrelevant", "correlated"]
    return assemble(name, names, bits(codes), label, ("0", "1"), names[:4])


def parity33(name: str, n_rows: int | None, rng: np.random.Generator) -> Dataset:
    """Make the parity of three bits, three bits that play no part, and a copy of all six.

    Dash and Liu (2003, section 4.4): 64 rows, every combination of the six bits once.
    """
    codes = _domain((2,) * 6, n_rows, rng)
    label = codes[:, :3].sum(axis=1) % 2
    names = ["a1", "a2", "a3", "irrelevant1", "irrelevant2", "irrelevant3"]
    names += [f"{feature}-copy1" for feature in names]
    return assemble(name, names, bits(np.c_[codes, codes]), label, ("0", "1"), names[:3])


def monks(name: str, n_rows: int | None, rng: np.random.Generator, problem: int) -> Dataset:
    """Monk's problem 1, 2 or 3 over its complete domain of 432 rows (Thrun et al., 1991).

    Given a number of rows, these are drawn from the domain, and 5 % of the classes of the
    third problem are wrong, as in its training file of 122 rows.
    """
    codes = _domain(_MONK_VALUES, n_rows, rng)
    a = (codes + 1).T
    label: NDArray[Any]
    if problem == 1:
        label = (a[0] == a[1]) | (a[4] == 1)
    elif problem == 2:
        label = (a == 1).sum(axis=0) == 2
    else:
        label = ((a[4] == 3) & (a[3] == 1)) | ((a[4] != 4) & (a[1] != 3))
        if n_rows is not None:
            label = label ^ (rng.random(len(label)) < 0.05)
    levels = [tuple(str(v + 1) for v in range(r)) for r in _MONK_VALUES]
    names = [f"a{j + 1}" for j in range(6)]
    relevant = [f"a{j}" for j in _MONK_RELEVANT[problem]]
    return assemble(name, names, nominal(codes, levels), label, ("0", "1"), relevant)


def xor(name: str, n_rows: int | None, rng: np.random.Generator) -> Dataset:
    """C = (A1 xor A4) and A2, with copies, ties and a near copy of C around them.

    The 32 rows of Drugan and Wiering (2010, example 1), rebuilt from what their text says of
    them: A8 = A2; A5 = A7 independent of all others; A3 tied to A2 and independent of the rest
    given A2; A6 = A1 and A2 and not A4, which is C but for 4 rows. So H(A2 | C) = 0.69,
    H(A2 | A6) = 0.86, CALL / N = 0.47 for naive Bayes over A2 and A6 and 0.75 for TAN over A1,
    A2, A4 and A6, as they print (but for I(A2; C), 0.31, of which they print the half). With
    more rows, these 32 come again and again.
    """
    every = _domain((2,) * 5, None, rng)
    a1, a2, a4, a5, u = every[np.arange(n_rows or len(every)) % len(every)].T
    label = (a1 ^ a4) & a2
    codes = np.stack([a1, a2, a2 & u, a4, a5, a1 & a2 & (1 - a4), a5, a2], axis=1)
    names = [f"A{j + 1}" for j in range(8)]
    return assemble(name, names, bits(codes), label, ("0", "1"), ("A1", "A2", "A4"))


def _domain(
    values: Sequence[int], n_rows: int | None, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Make every combination once, or ``n_rows`` of them at random."""
    every = np.array(list(itertools.product(*(range(r) for r in values))), dtype=np.int64)
    return every if n_rows is None else every[rng.integers(0, len(every), n_rows)]


def noise(name: str, n_rows: int, rng: np.random.Generator, n_features: int = 500) -> Dataset:
    """Normal numbers and two classes of equal size that have nothing to do with them."""
    values = rng.normal(size=(n_rows, n_features))
    label = rng.permutation(np.arange(n_rows) % 2)
    names = [f"x{j + 1}" for j in range(n_features)]
    return assemble(name, names, continuous(values), label, ("0", "1"), ())
