"""Conditional tables of a discrete network, and the class posteriors they imply exactly."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._kernels.counting.counts import family_counts

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]

#: Cells of the largest conditional table that is still learned: 400 MB.
LARGEST_TABLE = 50_000_000


@dataclass(frozen=True, eq=False)
class Family:
    """Variable, its parents, and P(variable | parents).

    ``table`` has an axis for each parent, in order, and the variable's own axis last.
    """

    child: int
    parents: tuple[int, ...]
    table: Floats

    @property
    def members(self) -> tuple[int, ...]:
        """Parents and variable: the axes of the table."""
        return (*self.parents, self.child)


def learn_family(
    codes: Codes,
    sizes: list[int],
    child: int,
    parents: tuple[int, ...],
    smoothing: str,
    strength: float,
    weight: Floats | None = None,
) -> Family:
    """Count a family over the rows in which all of it is known, and smooth it.

    codes (variables, rows): -1 where unknown.
    sizes: the number of values of each variable.
    smoothing: "laplace" or "dirichlet"; add ``strength`` to every cell, or spread ``strength`` rows
        over each case of the parents in proportion to the variable's own frequencies.
    weight: how often each row counts; once if None.
    """
    members = (*parents, child)
    shape = tuple(sizes[m] for m in members)
    if prod(shape) > LARGEST_TABLE:
        raise InputError(
            f"the table of a variable given its parents must have at most {LARGEST_TABLE} "
            f"cells, but would have {prod(shape)}; give it fewer parents or fewer values."
        )
    times = np.ones(codes.shape[1]) if weight is None else weight
    flat = family_counts(codes, np.array(members), np.array(shape), times)
    counts: Floats = flat.reshape(shape)
    own = np.ones(shape[-1])
    if smoothing == "dirichlet":
        known = codes[child] >= 0
        seen = np.bincount(codes[child][known], times[known], minlength=shape[-1])
        own = np.asarray(seen / seen.sum() if seen.any() else seen, dtype=float)
    smoothed = counts + strength * own
    total = smoothed.sum(axis=-1, keepdims=True)
    even = np.full_like(smoothed, 1.0 / shape[-1])
    return Family(child, parents, np.divide(smoothed, total, out=even, where=total > 0))


def class_posteriors(families: list[Family], codes: Codes, target: int, n_classes: int) -> Floats:
    """Return P(class | what is known of each row), shape (rows, classes).

    ``codes`` has shape (variables, rows); the row of ``target`` is not looked at. Unknown
    values are summed out by variable elimination, once for each pattern of unknown values.
    """
    n = codes.shape[1]
    unknown = codes < 0
    unknown[target] = False
    posterior = np.empty((n, n_classes))
    if n == 0:
        return posterior
    patterns: dict[bytes, list[int]] = {}
    for row, pattern in enumerate(np.packbits(unknown, axis=0).T):
        patterns.setdefault(pattern.tobytes(), []).append(row)
    for rows in patterns.values():
        hidden = set(np.flatnonzero(unknown[:, rows[0]]).tolist())
        posterior[rows] = _posterior(families, codes[:, rows], target, n_classes, hidden)
    return posterior


def _posterior(
    families: list[Family], codes: Codes, target: int, n_classes: int, hidden: set[int]
) -> Floats:
    relevant = _without_barren(families, hidden)
    logs = np.zeros((codes.shape[1], n_classes))
    factors: list[tuple[tuple[int, ...], Floats]] = []
    for family in relevant:
        axes, factor = _observe(family, codes, hidden | {target})
        if axes == (target,):
            with np.errstate(divide="ignore"):
                logs += np.log(factor)
        elif axes:
            factors.append((axes, factor))
    left = {axis for axes, _ in factors for axis in axes} - {target}
    while left:
        first = min(sorted(left), key=lambda v: _size(factors, v))
        factors = _eliminate(factors, first)
        left.discard(first)
    for axes, factor in factors:
        if axes:
            with np.errstate(divide="ignore"):
                logs += np.log(factor)
    return normalised(logs, families, target)


def normalised(logs: Floats, families: list[Family], target: int) -> Floats:
    """Return class posteriors from the logarithms of P(class, row)."""
    top = logs.max(axis=1, keepdims=True)
    # A row that no class could have produced (only without smoothing) is no evidence.
    impossible = np.isneginf(top[:, 0])
    odds = np.exp(np.where(impossible[:, None], 0.0, logs - np.where(np.isneginf(top), 0.0, top)))
    shares: Floats = odds / odds.sum(axis=1, keepdims=True)
    if impossible.any():
        own = next(f for f in families if f.child == target)
        shares[impossible] = own.table.reshape(-1, own.table.shape[-1]).mean(axis=0)
    return shares


def _without_barren(families: list[Family], hidden: set[int]) -> list[Family]:
    """Drop unknown variables that no other variable depends on: they sum to one."""
    kept = list(families)
    while True:
        used = {p for f in kept for p in f.parents}
        fewer = [f for f in kept if f.child not in hidden or f.child in used]
        if len(fewer) == len(kept):
            return kept
        kept = fewer


def _observe(family: Family, codes: Codes, free: set[int]) -> tuple[tuple[int, ...], Floats]:
    """Read the family's table at the known values: axes (rows, free members)."""
    axes = tuple(m for m in family.members if m in free)
    known = [i for i, m in enumerate(family.members) if m not in free]
    table = np.moveaxis(family.table, known, range(len(known)))
    found = table[tuple(codes[family.members[i]] for i in known)] if known else table[None]
    return axes, np.broadcast_to(found, (codes.shape[1], *found.shape[1:]))


def _touching(
    factors: list[tuple[tuple[int, ...], Floats]], variable: int
) -> tuple[list[tuple[tuple[int, ...], Floats]], list[tuple[tuple[int, ...], Floats]]]:
    inside = [f for f in factors if variable in f[0]]
    return inside, [f for f in factors if variable not in f[0]]


def _size(factors: list[tuple[tuple[int, ...], Floats]], variable: int) -> int:
    """Return the number of cells of the factor that eliminating the variable would make."""
    inside, _ = _touching(factors, variable)
    sizes = {a: s for axes, f in inside for a, s in zip(axes, f.shape[1:], strict=True)}
    return prod(sizes.values())


def _eliminate(
    factors: list[tuple[tuple[int, ...], Floats]], variable: int
) -> list[tuple[tuple[int, ...], Floats]]:
    """Multiply the factors that hold the variable, and sum it out."""
    inside, outside = _touching(factors, variable)
    axes = sorted({a for f in inside for a in f[0]})
    place = {a: i + 1 for i, a in enumerate(axes)}
    product: Floats = np.ones((1,) * (len(axes) + 1))
    for own, factor in inside:
        order = np.argsort([place[a] for a in own])
        shape = [factor.shape[0]] + [1] * len(axes)
        for a, size in zip(own, factor.shape[1:], strict=True):
            shape[place[a]] = size
        product = product * np.transpose(factor, [0, *(order + 1)]).reshape(shape)
    summed = product.sum(axis=place[variable])
    # Constants of a row cancel in the posterior; taking them out keeps numbers in range.
    largest = summed.reshape(len(summed), -1).max(axis=1)
    summed /= np.where(largest > 0, largest, 1.0).reshape(-1, *([1] * (summed.ndim - 1)))
    rest = tuple(a for a in axes if a != variable)
    return [*outside, (rest, summed)] if rest else outside
