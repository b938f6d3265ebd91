"""Classic domains: the LED display, waveforms, concepts, numbers near two points, regressions."""

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
    """Make normal numbers and two classes of equal size that have nothing to do with them."""
    values = rng.normal(size=(n_rows, n_features))
    label = rng.permutation(np.arange(n_rows) % 2)
    names = [f"x{j + 1}" for j in range(n_features)]
    return assemble(name, names, continuous(values), label, ("0", "1"), ())


_CLASSES = ("zeros", "nines")


def redundant21(
    name: str, n_rows: int, rng: np.random.Generator, scattered: bool = False
) -> Dataset:
    """9 features of the concept; the 1st, the 5th and the 9th have four copies each."""
    copies = {0: 4, 4: 4, 8: 4}
    names = [f"a{j + 1}" for j in range(9)]
    source = list(range(9))
    for j, times in copies.items():
        names += [f"a{j + 1}-copy{k + 1}" for k in range(times)]
        source += [j] * times
    return _repeated(name, n_rows, rng, 9, names, source, scattered)


def groups(
    name: str,
    n_rows: int,
    rng: np.random.Generator,
    n_groups: int,
    size: int,
    single: int,
    scattered: bool = False,
) -> Dataset:
    """``n_groups`` groups of ``size`` equal features, then ``single`` features by themselves."""
    names: list[str] = []
    source: list[int] = []
    for j in range(n_groups + single):
        copies = size - 1 if j < n_groups else 0
        names += [f"a{j + 1}", *(f"a{j + 1}-copy{k + 1}" for k in range(copies))]
        source += [j] * (1 + copies)
    return _repeated(name, n_rows, rng, n_groups + single, names, source, scattered)


def red60of1(name: str, n_rows: int, rng: np.random.Generator) -> Dataset:
    """60 features of the concept and 40 that play no part."""
    values = rng.uniform(3, 6, (n_rows, 100))
    names = [f"a{j + 1}" for j in range(60)] + [f"irrelevant{j + 1}" for j in range(40)]
    return _labelled(name, names, values, np.r_[np.ones(60), np.zeros(40)])


def three_weights(name: str, n_rows: int, rng: np.random.Generator) -> Dataset:
    """12 features, four each with weight 1, one half and 0 in the distance."""
    values = rng.uniform(3, 6, (n_rows, 12))
    weights = np.repeat([1.0, 0.5, 0.0], 4)
    return _labelled(name, [f"a{j + 1}" for j in range(12)], values, weights)


def c_weights(name: str, n_rows: int, rng: np.random.Generator) -> Dataset:
    """10 features with weights between 0 and 1; the same weights for every seed."""
    values = rng.uniform(3, 6, (n_rows, 10))
    weights = np.random.default_rng(2002).uniform(0, 1, 10)
    return _labelled(name, [f"a{j + 1}" for j in range(10)], values, weights)


def _repeated(
    name: str,
    n_rows: int,
    rng: np.random.Generator,
    n_sources: int,
    names: list[str],
    source: list[int],
    scattered: bool,
) -> Dataset:
    values = rng.uniform(3, 6, (n_rows, n_sources))[:, source]
    weights = np.array([0.0 if "-copy" in feature else 1.0 for feature in names])
    if scattered:
        order = rng.permutation(len(names))
        names = [names[j] for j in order]
        values, weights = values[:, order], weights[order]
    return _labelled(name, names, values, weights)


def _labelled(
    name: str, names: list[str], values: NDArray[np.float64], weights: NDArray[np.float64]
) -> Dataset:
    nines = values @ weights / weights.sum() > 4.5
    relevant = [feature for feature, weight in zip(names, weights, strict=True) if weight > 0]
    return assemble(
        name,
        names,
        continuous(values),
        nines,
        _CLASSES,
        relevant,
        weights=tuple(weights.tolist()),
    )


Floats = NDArray[np.float64]


def friedman1(name: str, n_rows: int, rng: np.random.Generator, noise: float = 1.0) -> Dataset:
    """10 sin(π x1 x2) + 20 (x3 - 0.5)² + 10 x4 + 5 x5 with normal noise; five more columns."""
    x = rng.random((n_rows, 10))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
    y += 10 * x[:, 3] + 5 * x[:, 4] + noise * rng.normal(size=n_rows)
    names = [f"x{j + 1}" for j in range(10)]
    return _numeric(name, names, x, y, names[:5])


def _circuit(n_rows: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Resistance, angular frequency, inductance and capacity; what the last three make."""
    low = np.array([0.0, 40 * np.pi, 0.0, 1.0])
    high = np.array([100.0, 560 * np.pi, 1.0, 11.0])
    x = low + (high - low) * rng.random((n_rows, 4))
    return x, x[:, 1] * x[:, 2] - 1 / (x[:, 1] * x[:, 3])


def friedman2(name: str, n_rows: int, rng: np.random.Generator, noise: float = 125.0) -> Dataset:
    """Make the impedance of a circuit with normal noise, three to one; no irrelevant column."""
    x, reactance = _circuit(n_rows, rng)
    y = np.hypot(x[:, 0], reactance) + noise * rng.normal(size=n_rows)
    names = ["x1", "x2", "x3", "x4"]
    return _numeric(name, names, x, y, names)


def friedman3(name: str, n_rows: int, rng: np.random.Generator, noise: float = 0.1) -> Dataset:
    """Make the phase shift of a circuit with normal noise; no irrelevant column."""
    x, reactance = _circuit(n_rows, rng)
    y = np.arctan2(reactance, x[:, 0]) + noise * rng.normal(size=n_rows)
    names = ["x1", "x2", "x3", "x4"]
    return _numeric(name, names, x, y, names)


def linear(
    name: str, n_rows: int, rng: np.random.Generator, n_features: int = 40, n_relevant: int = 8
) -> Dataset:
    """Make a sum of every fifth column with normal noise; the correlation of columns is
    0.7^distance.

    So the irrelevant columns between two relevant ones are correlated with the target.
    """
    x = rng.normal(size=(n_rows, n_features))
    for j in range(1, n_features):
        x[:, j] = 0.7 * x[:, j - 1] + np.sqrt(1 - 0.7**2) * x[:, j]
    relevant = np.arange(n_relevant) * (n_features // n_relevant)
    signs = np.where(np.arange(n_relevant) % 2, -1.0, 1.0)
    y = x[:, relevant] @ signs + 2.0 * rng.normal(size=n_rows)
    names = [f"x{j + 1}" for j in range(n_features)]
    return _numeric(name, names, x, y, [names[j] for j in relevant])


def _numeric(
    name: str, names: Sequence[str], values: Floats, target: Floats, relevant: Sequence[str]
) -> Dataset:
    """Return the data set of these columns and a numeric target."""
    every = Columns(
        (*names, "target"), (*continuous(values), Column(numbers=target)), len(target), True
    )
    return make_dataset(every, "target", name, relevant=tuple(relevant))
