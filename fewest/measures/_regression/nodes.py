"""Nodes of the branch and bound: units that are kept, dropped or free, and their matrices."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..._kernels.linear.residuals import DEPENDENT
from .._abilities import Allowed
from .squares import CrossProducts

Floats = NDArray[np.float64]

#: Steps towards the best diagonal, and from that of a larger part; the length of a step, and how
#: sharply the largest eigenvalue is weighted, first and last.
FIRST_STEPS, FURTHER_STEPS, STEP_LENGTH, SHARPNESS = 20, 5, 0.2, (5.0, 30.0)


def dropping_costs(
    inverse: Floats, beta: Floats, ceiling: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return the least cost of each column, so that the sum over any set is at most its cost.

    Parameters
    ----------
    inverse : float64 array of shape (c, c)
        Inverse of the cross products.
    beta : float64 array of shape (c,)
        Coefficients.
    ceiling : float64 array of shape (c,) or None
        A diagonal to start from.

    Returns
    -------
    costs, ceiling : float64 arrays of shape (c,)
        With the diagonal that gives them.

    Notes
    -----
    The sum over all columns is raised by steps that give more to columns with a larger share of
    the costs than of the largest eigenvectors, and are then scaled until the diagonal is above.

    Examples
    --------
    >>> costs, _ = dropping_costs(np.array([[1.0, 0.5], [0.5, 1.0]]), np.array([3.0, 3.0]))
    >>> np.round(costs, 6).tolist()
    [6.0, 6.0]
    """
    if not len(beta):
        return np.zeros(0), np.zeros(0)
    own, root = np.diagonal(inverse), np.sqrt(np.diagonal(inverse))
    alone, related = beta**2 / own, inverse / np.outer(root, root)
    share = np.ones(len(beta)) if ceiling is None else own / ceiling
    steps = FIRST_STEPS if ceiling is None else FURTHER_STEPS
    best, most = share, -1.0
    for step in range(steps + 1):
        scale = np.sqrt(share)
        values, vectors = np.linalg.eigh(scale[:, None] * related * scale)
        # A little less than fits: eigenvalues are rounded.
        share = share / values[-1] * (1.0 - 1e-9)
        costs = alone * share
        if costs.sum() > most:
            best, most = share, float(costs.sum())
        if not most > 0.0:
            break
        part = step / FIRST_STEPS if ceiling is None else 1.0
        sharp = SHARPNESS[0] * (SHARPNESS[1] / SHARPNESS[0]) ** part
        heavy = vectors**2 @ np.exp(sharp * (values / values[-1] - 1.0))
        wanted = np.maximum(costs / costs.sum(), 1e-12) / np.maximum(heavy / heavy.sum(), 1e-12)
        share = share * np.clip(wanted, 0.05, 20.0) ** STEP_LENGTH
    return alone * best, own / best


def floors_by_size(
    rest: float, alone: Floats, costs: Floats, sizes: NDArray[np.int64], kept: int, most: int
) -> Floats:
    """Return the least unexplained share of each size from 0 to ``most``.

    Parameters
    ----------
    rest : float
        With all units.
    alone, costs : float64 arrays of shape (units,)
        What it costs to drop each unit alone, and what it costs at least beside others.
    sizes : int64 array of shape (units,)
        Features of each unit.
    kept : int
        Features that are kept for good.
    """
    floors = np.full(most + 1, np.inf)
    whole = kept + int(sizes.sum())
    order = np.argsort(costs / sizes, kind="stable")
    reach = np.concatenate([[0], np.cumsum(sizes[order])])
    total = np.concatenate([[0.0], np.cumsum(costs[order])])
    cheapest, largest = np.sort(alone), int(sizes.max(initial=1))
    for size in range(kept, min(whole, most) + 1):
        dropped = whole - size
        # Units may be dropped in part here, which costs no more.
        together = float(np.interp(dropped, reach, total))
        units = -(-dropped // largest)
        single = float(cheapest[units - 1]) if units else 0.0
        floors[size] = rest + max(together, single)
    return floors


Mask = NDArray[np.bool_]

#: With less than this share of a free column left the inverse would lose too many digits.
NEARLY_DEPENDENT = 1e-6
#: A coefficient below this share of the largest is no part of a dependency.
LEAST_COEFFICIENT_SHARE = 1e-9


@dataclass(frozen=True, eq=False)
class Node:
    """Part of the subsets: those that have the kept units and none of the dropped ones.

    ``state`` is 1 for kept units, -1 for dropped ones and 0 for free ones; ``idle`` are columns
    that depend on kept ones and explain nothing; ``rest`` is a lower bound of the unexplained
    share, ``floors`` one for each size, where they are known, and ``judged`` says whether they
    are its own or those of a part that it belongs to. ``ceiling`` is for units of one column.
    """

    state: NDArray[np.int8]
    idle: Mask
    rest: float = 0.0
    floors: Floats | None = None
    judged: bool = False
    ceiling: Floats | None = None

    def below(self, keep: list[int], drop: int | None, rest: float = 0.0) -> Node:
        """Return the part of it in which these units are kept and one is dropped."""
        state = self.state.copy()
        state[keep] = 1
        if drop is not None:
            state[drop] = -1
        return replace(self, state=state, rest=max(rest, self.rest), judged=False)


@dataclass(frozen=True, eq=False)
class Ready:
    """Node with the matrices that a dive starts from; units and columns by falling worth."""

    node: Node
    units: NDArray[np.int64]
    widths: NDArray[np.int64]
    inverse: Floats
    beta: Floats
    rest: float
    worth: Floats

    def judge(self, sizes: NDArray[np.int64], kept: int, most: int) -> Ready:
        """Return the node with floors for each size; ``sizes`` are the features of all units."""
        known, single = self.node.ceiling, len(self.beta) == len(self.units)
        start = known[self.units] if known is not None and single else None
        costs, found = dropping_costs(self.inverse, self.beta, start)
        ceiling = None
        if single:
            ceiling = np.ones(len(self.node.state)) if known is None else known.copy()
            ceiling[self.units] = found
        ends = np.cumsum(self.widths[self.units])
        total = np.concatenate([[0.0], np.cumsum(costs)])
        own = total[ends] - total[ends - self.widths[self.units]]
        floors = floors_by_size(self.rest, self.worth, own, sizes[self.units], kept, most)
        if self.node.floors is not None:
            floors = np.maximum(floors, self.node.floors)
        node = replace(self.node, rest=self.rest, floors=floors, judged=True, ceiling=ceiling)
        return replace(self, node=node)

    def children(self) -> list[Node]:
        """Return the children: child i keeps the units before i and drops i."""
        members = self.units.tolist()
        return [
            self.node.below(members[:i], unit, self.rest + self.worth[i])
            for i, unit in enumerate(members)
        ]


def open_node(squares: CrossProducts, allowed: Allowed, node: Node) -> Ready | list[Node]:
    """Return the matrices of a node, or its parts where free columns nearly depend on others."""
    free = np.flatnonzero(node.state == 0)
    kept = allowed.fixed | allowed.units[node.state > 0].any(axis=0)
    first = np.flatnonzero(kept & ~node.idle)
    blocks = [np.flatnonzero(allowed.units[u] & ~node.idle) for u in free]
    columns = np.concatenate([first, *blocks]).astype(np.intp)
    gram, right, rest = _given(squares, columns, len(first))
    at = np.cumsum([0] + [len(b) for b in blocks])
    used = [_own_basis(gram, np.arange(at[t], at[t + 1])) for t in range(len(free))]
    owner = np.repeat(np.arange(len(free)), [len(b) for b in used])
    places = np.concatenate([np.zeros(0, dtype=np.intp), *used]).astype(np.intp)
    block, target = gram[np.ix_(places, places)], right[places]
    found = _dependent(block)
    if found is not None:
        place, share, exact = found
        units = free[np.unique(owner[np.append(np.flatnonzero(share), place)])].tolist()
        parts = [node.below(units[:i], unit) for i, unit in enumerate(units)]
        idle = node.idle.copy()
        idle[columns[len(first) + places[place]]] |= exact
        return [*parts, replace(node.below(units, None), idle=idle)]
    return _ready(node, free, used, block, target, rest)


def _given(
    squares: CrossProducts, columns: NDArray[np.intp], kept: int
) -> tuple[Floats, Floats, float]:
    """Return cross products of the free columns without what the kept explain, per own square."""
    gram, right = squares.gram[np.ix_(columns, columns)], squares.right[columns].copy()
    own, rest = np.diagonal(gram).copy(), 1.0
    for p in range(kept):
        if not gram[p, p] > DEPENDENT * own[p]:
            continue
        rest -= right[p] ** 2 / gram[p, p]
        share = gram[p + 1 :, p] / gram[p, p]
        right[p + 1 :] -= share * right[p]
        gram[p + 1 :, p + 1 :] -= np.outer(share, gram[p, p + 1 :])
    return gram[kept:, kept:], right[kept:], float(rest)


def _own_basis(gram: Floats, places: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the columns of a unit that depend neither on kept columns nor on each other."""
    block = gram[np.ix_(places, places)].copy()
    chosen = []
    for p in range(len(places)):
        # Columns have length 1 at first, so this is a share.
        if block[p, p] > DEPENDENT:
            chosen.append(p)
            share = block[p + 1 :, p] / block[p, p]
            block[p + 1 :, p + 1 :] -= np.outer(share, block[p, p + 1 :])
    return places[chosen]


def _dependent(block: Floats) -> tuple[int, Mask, bool] | None:
    """Find the first column that nearly depends on those before it, on which, and if exactly."""
    left = block.copy()
    for p in range(len(block)):
        if left[p, p] <= NEARLY_DEPENDENT:
            share = np.linalg.lstsq(block[:p, :p], block[:p, p])[0] if p else np.zeros(0)
            part = np.abs(share) > LEAST_COEFFICIENT_SHARE * np.abs(share).max(initial=0.0)
            return p, np.asarray(part), bool(left[p, p] <= DEPENDENT)
        share = left[p + 1 :, p] / left[p, p]
        left[p + 1 :, p + 1 :] -= np.outer(share, left[p, p + 1 :])
    return None


def _ready(
    node: Node,
    free: NDArray[np.intp],
    used: list[NDArray[np.intp]],
    block: Floats,
    target: Floats,
    rest: float,
) -> Ready:
    """Invert, and sort units by what they are worth; a unit without columns gets one of zeros."""
    widths = np.ones(len(node.state), dtype=np.int64)
    widths[free] = [max(len(b), 1) for b in used]
    total = int(widths[free].sum())
    ends = np.cumsum(widths[free])
    real = np.concatenate(
        [np.zeros(0, dtype=np.intp)]
        + [np.arange(e - w, e) for e, w, b in zip(ends, widths[free], used, strict=True) if len(b)]
    ).astype(np.intp)
    inverse, beta = np.eye(total), np.zeros(total)
    inverse[np.ix_(real, real)] = np.linalg.inv(block)
    beta[real] = inverse[np.ix_(real, real)] @ target
    rest -= float(target @ beta[real])
    raised = beta**2 / np.diagonal(inverse)
    worth = np.array([raised[e - w : e].max() for e, w in zip(ends, widths[free], strict=True)])
    order = np.argsort(-worth, kind="stable")
    columns = np.concatenate(
        [np.zeros(0, dtype=np.intp)]
        + [np.arange(ends[t] - widths[free[t]], ends[t]) for t in order]
    ).astype(np.intp)
    return Ready(
        node, free[order].astype(np.int64), widths,
        np.ascontiguousarray(inverse[np.ix_(columns, columns)]), beta[columns],
        max(rest, node.rest), worth[order],
    )  # fmt: skip
