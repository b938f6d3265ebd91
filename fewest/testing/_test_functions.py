"""Functions on which the literature compares searches, and how soon a search solves them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from ..measures._measure import Candidates, Scorer, Scores
from ..search._search import Search
from ..search._search_names import SEARCHES, resolve_search, search_class
from ..search._spaces.space import Space
from ..search._spaces.subsets import Subsets
from ..search._spaces.weight_spaces import Box
from ._driving import drive

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Function:
    """Function of bits, or of numbers between ``low`` and ``high``, to be maximised.

    n: number of variables.
    values: the values of many rows.
    best: the largest value.
    tolerance: A value this close to the largest counts as solved.
    low, high: the range of the variables; None for bits.
    needs: what a search must learn to solve it.
    moved: whether the optimum of numbers is moved away from the middle of their range.

    Bits are flipped and shuffled by a fixed pattern, so that no search profits from starting with
    all or none of them, or from the order in which they are written down.
    """

    name: str
    n: int
    values: Callable[[Any], Floats]
    best: float
    tolerance: float
    needs: str
    low: float | None = None
    high: float | None = None
    moved: bool = False

    @property
    def space(self) -> Space:
        """Return the space of its variables."""
        return Subsets(self.n) if self.low is None else Box(self.n)

    def score(self, candidates: Candidates) -> Floats:
        """Return the values of candidates of its space."""
        rng = np.random.default_rng(self.n)
        if self.low is None or self.high is None:
            flipped, order = rng.random(self.n) < 0.5, rng.permutation(self.n)
            return self.values((np.asarray(candidates, dtype=bool) ^ flipped)[:, order].astype(int))
        width = self.high - self.low
        moved = rng.uniform(-0.1, 0.1, self.n) * width if self.moved else 0.0
        return self.values(self.low + moved + width * np.asarray(candidates))


class FunctionScorer(Scorer):
    """Score candidates by a function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.n_features = function.n

    def score(self, candidates: Candidates) -> Scores:
        """Return the values of the function."""
        return Scores(self.function.score(candidates))


@dataclass(frozen=True)
class Solved:
    """Number of times that a search solved a function, and the evaluations that it needed."""

    search: str
    function: str
    runs: int
    evaluations: tuple[int, ...]
    best: float

    @cached_property
    def mean(self) -> float:
        """Return the mean number of evaluations of the runs that solved it."""
        return float(np.mean(self.evaluations)) if self.evaluations else float("nan")


def solve(
    search: Search | str,
    function: Function,
    *,
    runs: int = 10,
    max_evaluations: int = 100_000,
    random_state: int = 0,
) -> Solved:
    """Run a search on a function several times and count evaluations to the optimum."""
    search = resolve_search(search)
    if function.space.kind not in search.spaces:
        raise InputError(
            f"`search` must be one for {function.space.kind} ({function.name}), but {search.name} "
            f"is one for {', '.join(search.spaces)}."
        )
    needed, best = [], -np.inf
    for run in range(runs):
        done = drive(
            search,
            function.space,
            FunctionScorer(function),
            np.random.default_rng([random_state, run]),
            max_batches=max_evaluations,
            target=function.best - function.tolerance,
            max_proposals=max_evaluations,
        )
        best = max(best, done.best_value)
        if done.reached is not None:
            needed.append(done.reached)
    return Solved(search.name, function.name, runs, tuple(needed), float(best))


def searches_for(function: Function) -> list[str]:
    """Return the names of the searches that can run on a function without further knowledge."""
    kind = function.space.kind
    found = []
    for name in SEARCHES:
        cls = search_class(name)
        if kind in cls.spaces and not (cls.needs_monotone or cls.needs_advice or cls.complete):
            found.append(name)
    return found


def function_named(name: str) -> Function:
    """Return the function of this name."""
    if name not in FUNCTIONS:
        raise InputError(f"`function` must be one of {', '.join(FUNCTIONS)}, but is {name!r}.")
    return FUNCTIONS[name]


def onemax(bits: NDArray[np.int64]) -> Floats:
    """Count the ones."""
    return np.asarray(bits.sum(axis=1), dtype=np.float64)


def trap(bits: NDArray[np.int64], k: int = 5) -> Floats:
    """Sum traps of k bits: k for all ones, otherwise k - 1 minus the ones."""
    ones = bits.reshape(len(bits), -1, k).sum(axis=2)
    return np.asarray(np.where(ones == k, k, k - 1 - ones).sum(axis=1), dtype=np.float64)


def deceptive_3(bits: NDArray[np.int64]) -> Floats:
    """Sum deceptive functions of three bits: 0.9, 0.8, 0 and 1 for 0, 1, 2 and 3 ones.

    Pelikan, Goldberg and Cantú-Paz (1999).
    """
    ones = bits.reshape(len(bits), -1, 3).sum(axis=2)
    return np.asarray(np.array([0.9, 0.8, 0.0, 1.0])[ones].sum(axis=1))


def nk(n: int, k: int, seed: int) -> Callable[[NDArray[np.int64]], Floats]:
    """Make an NK landscape: each bit with its k next ones has a value at random."""
    table = np.random.default_rng(seed).random((n, 2 ** (k + 1)))
    beside = (np.arange(n)[:, None] + np.arange(k + 1)) % n

    def values(bits: NDArray[np.int64]) -> Floats:
        at = bits[:, beside] @ (1 << np.arange(k + 1))
        return np.asarray(table[np.arange(n), at].mean(axis=1))

    return values


def ising(bits: NDArray[np.int64]) -> Floats:
    """Count equal neighbours on a square grid whose borders meet (a ferromagnet)."""
    side = round(bits.shape[1] ** 0.5)
    grid = bits.reshape(-1, side, side)
    equal = (grid == np.roll(grid, 1, axis=1)).sum(axis=(1, 2))
    equal += (grid == np.roll(grid, 1, axis=2)).sum(axis=(1, 2))
    return np.asarray(equal, dtype=np.float64)


def sphere(x: Floats) -> Floats:
    """Return minus the sum of squares."""
    return -np.asarray((x**2).sum(axis=1))


def rosenbrock(x: Floats) -> Floats:
    """Return minus Rosenbrock's function, a narrow curved valley that ends at (1, ..., 1)."""
    inside, away = x[:, 1:] - x[:, :-1] ** 2, 1 - x[:, :-1]
    return -np.asarray((100 * inside**2 + away**2).sum(axis=1))


def griewangk(x: Floats) -> Floats:
    """Return minus Griewangk's function, a bowl with many small dents."""
    waves = np.cos(x / np.sqrt(np.arange(1, x.shape[1] + 1))).prod(axis=1)
    return -np.asarray((x**2).sum(axis=1) / 4000 - waves + 1)


def cancellation(x: Floats) -> Floats:
    """Return 1 / (1e-5 + the sum of |partial sums|): summation cancellation."""
    return np.asarray(1 / (1e-5 + np.abs(np.cumsum(x, axis=1)).sum(axis=1)))


def slope(x: Floats) -> Floats:
    """Return the sum: the optimum is a corner of the box."""
    return np.asarray(x.sum(axis=1))


def _enumerated(values: Callable[[Any], Floats], n: int) -> float:
    every = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    return float(values(every).max())


_NK = nk(16, 4, seed=1)
_D = 10
_FUNCTIONS: Sequence[Function] = (
    Function("onemax", 50, onemax, 50, 0, "single bits"),
    Function("deceptive-3", 30, deceptive_3, 10, 1e-9, "blocks of three bits"),
    Function("trap-5", 30, trap, 30, 0, "blocks of five bits"),
    Function("nk", 16, _NK, _enumerated(_NK, 16), 1e-12, "overlapping blocks of five bits"),
    Function("ising", 36, ising, 72, 0, "chains of neighbours"),
    Function("slope", _D, slope, _D, 1e-6, "the way to a corner", 0.0, 1.0),
    Function("sphere", _D, sphere, 0, 1e-6, "single numbers", -600.0, 600.0, True),
    Function("griewangk", _D, griewangk, 0, 1e-6, "a shape behind dents", -600.0, 600.0, True),
    Function("cancellation", _D, cancellation, 1e5, 1.0, "sums of numbers", -0.16, 0.16, True),
    Function("rosenbrock", _D, rosenbrock, 0, 1e-6, "a curved valley", -10.0, 10.0),
)
FUNCTIONS = {function.name: function for function in _FUNCTIONS}
