"""Best subsets for least squares, proven by branch and bound."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError
from ..._kernels.linear.leaps import CLOSE, dive, enter
from ..._kernels.linear.residuals import DEPENDENT, PERFECT
from .._abilities import Allowed, Proof
from .correlations import CrossProducts
from .criteria import Criterion

Mask = NDArray[np.bool_]
#: Takes subsets into account and returns their unexplained shares, inf where not allowed.
Offer = Callable[[Mask], NDArray[np.float64]]


def stepwise(n_units: int, offer: Offer, raw: Offer) -> None:
    """Offer all subsets on the ways of forward and backward selection.

    Forward selection goes on while a subset is allowed; ``raw`` also returns
    those of subsets that are not.
    """
    subset = np.zeros(n_units, dtype=bool)
    offer(subset[None])
    while not subset.all():
        batch = _with_change(subset, np.flatnonzero(~subset))
        offer(batch)
        subset = batch[int(np.argmin(raw(batch)))]
    while subset.any():
        offer(subset[None])
        batch = _with_change(subset, np.flatnonzero(subset))
        offer(batch)
        subset = batch[int(np.argmin(raw(batch)))]


def exchange(subset: Mask, offer: Offer, rounds: int = 50) -> None:
    """Offer all subsets with one unit exchanged, from the best of them again."""
    best = np.inf
    for _ in range(rounds):
        inside, outside = np.flatnonzero(subset), np.flatnonzero(~subset)
        if not len(inside) or not len(outside):
            return
        batch = np.repeat(subset[None], len(inside) * len(outside), axis=0)
        rows = np.arange(len(batch))
        batch[rows, np.repeat(inside, len(outside))] = False
        batch[rows, np.tile(outside, len(inside))] = True
        rest = offer(batch)
        row = int(np.argmin(rest))
        if not rest[row] < best * (1 - 1e-9):
            return
        best, subset = float(rest[row]), batch[row]


def _with_change(subset: Mask, units: NDArray[np.intp]) -> Mask:
    batch = np.repeat(subset[None], len(units), axis=0)
    batch[np.arange(len(units)), units] ^= True
    return batch


Floats = NDArray[np.float64]

#: More free columns than this take too much memory, and no proof would end.
MOST_FREE = 250
#: While fewer parts than this are open, a part that takes more nodes than this is divided.
MOST_OPEN_PARTS, NODES_BEFORE_DIVISION = 200, 4_000
#: After this many nodes a proof by a criterion is hard: parts are then judged by all their columns
#: together, size by size, the one with the best bound goes first, and more are kept open.
NODES_UNTIL_HARD, MOST_OPEN_PARTS_IF_HARD, NODES_BEFORE_DIVISION_IF_HARD = 2_000_000, 60_000, 1_000
MOST_EXCHANGE_ROUNDS = 5
#: Nodes, and entries of their matrices, that are visited before the run may look at the clock.
NODES_PER_SLICE, ENTRIES_PER_SLICE = 100_000, 200_000_000


class BestSubsets(Proof):
    """Leaps and bounds (Furnival and Wilson, 1974), from open parts with the smallest bounds."""

    def __init__(self, squares: CrossProducts, criterion: Criterion, allowed: Allowed) -> None:
        self.squares, self.criterion, self.allowed = squares, criterion, allowed
        self.sizes_of_units = allowed.units.sum(axis=1).astype(np.int64)
        self.base = int(allowed.fixed.sum())
        finite = np.flatnonzero(np.isfinite(criterion.factor))
        self.sizes_allowed = np.array(
            [allowed.min_features, min(allowed.max_features, int(finite[-1]))], dtype=np.int64
        )
        n_units, d = allowed.units.shape
        if n_units and int(allowed.units.sum()) > MOST_FREE:
            raise InputError(
                f"The search `exact` takes at most {MOST_FREE} free features with this measure, "
                f'but there are {int(allowed.units.sum())}; exclude some, or use search="sffs".'
            )
        self.best = np.full(d + 1, np.inf)
        self.subsets = np.zeros((d + 1, n_units), dtype=bool)
        self.limits = np.full(d + 1, np.inf)
        self._reported = self.best.copy()
        self._serial, self._open = 0, list[tuple[float, int, Node]]()
        self._current: tuple[Node, Any] | None = None
        self._started, self._hard, self._visited = False, False, 0
        self._push(Node(np.zeros(n_units, dtype=np.int8), np.zeros(d, dtype=bool)))

    @property
    def done(self) -> bool:
        """True if no part is open."""
        return self._started and not self._open and self._current is None

    def work(self) -> Mask:
        """Start with good subsets; then open a part, or go on with the one in hand."""
        if not self._started:
            self._started = True
            self._start()
        elif self._current is not None:
            self._dive(NODES_PER_SLICE)
        else:
            self._next()
        better = np.flatnonzero(self.best < self._reported)
        self._reported = self.best.copy()
        return self.subsets[better]

    def offer(self, subsets: Mask) -> None:
        """Take subsets into account."""
        self._offer(subsets)

    def _features(self, subsets: Mask) -> Mask:
        return np.asarray((subsets.astype(np.float64) @ self.allowed.units) > 0) | (
            self.allowed.fixed
        )

    def _raw(self, subsets: Mask) -> Floats:
        return self.squares.unexplained(self._features(subsets))

    def _offer(self, subsets: Mask) -> Floats:
        """Keep the best of each size; inf for subsets that are not allowed."""
        sizes = subsets @ self.sizes_of_units + self.base
        ok = (sizes >= self.sizes_allowed[0]) & (sizes <= self.sizes_allowed[1])
        ok &= subsets @ self.allowed.costs <= self.allowed.budget
        rest = np.full(len(subsets), np.inf)
        rest[ok] = self._raw(subsets[ok])
        for row in np.flatnonzero(ok):
            if rest[row] < self.best[sizes[row]] * CLOSE:
                self.best[sizes[row]], self.subsets[sizes[row]] = rest[row], subsets[row]
        self._limit()
        return rest

    def _limit(self) -> None:
        """Set what a size must fall below to be of interest."""
        if self.allowed.each_size:
            self.limits[:] = self.best
        else:
            c = self._lowest()
            usable = np.isfinite(self.criterion.factor)
            self.limits[usable] = (c - self.criterion.term[usable]) / self.criterion.factor[usable]

    def _criteria(self) -> tuple[NDArray[np.intp], Floats]:
        """Return the sizes that have a subset, and the criterion of the best one of each."""
        known = np.flatnonzero(np.isfinite(self.best))
        return known, self.criterion.factor[known] * self.best[known] + self.criterion.term[known]

    def _lowest(self) -> float:
        """Return the criterion of the best subset."""
        return float(self._criteria()[1].min(initial=np.inf))

    def _start(self) -> None:
        n_units = len(self.sizes_of_units)
        stepwise(n_units, self._offer, self._raw)
        tried = np.full(len(self.best), np.inf)
        # An exchange can make a start for its neighbours in size, so they are tried again.
        for _ in range(MOST_EXCHANGE_ROUNDS):
            better = [size for size in self._promising() if self.best[size] < tried[size]]
            if not better:
                break
            for size in better:
                exchange(self.subsets[size].copy(), self._offer)
                tried[size] = self.best[size]
                self._offer(_with_change(self.subsets[size], np.arange(n_units)))

    def _promising(self) -> list[int]:
        """Return the sizes of interest: all, or those with the best subsets by the criterion."""
        known, c = self._criteria()
        few = len(known) if self.allowed.each_size else 8
        return sorted(known[np.argsort(c, kind="stable")[:few]].tolist())

    def _range(self, node: Node) -> tuple[int, int]:
        """Return the smallest and the largest size in a part."""
        low = self.base + int(self.sizes_of_units[node.state > 0].sum())
        high = low + int(self.sizes_of_units[node.state == 0].sum())
        least, most = int(self.sizes_allowed[0]), int(self.sizes_allowed[1])
        return max(low, least), min(high, most)

    def _floors(self, node: Node) -> Floats:
        """Return the least unexplained share of each size in a part, from the smallest on."""
        low, high = self._range(node)
        if node.floors is None:
            return np.full(max(high + 1 - low, 0), node.rest)
        return np.maximum(node.floors[low : high + 1], node.rest)

    def _is_open(self, node: Node) -> bool:
        low, high = self._range(node)
        spent = float(self.allowed.costs[node.state > 0].sum())
        able = self._floors(node) < self.limits[low : high + 1] * CLOSE
        return spent <= self.allowed.budget and bool(able.any())

    def _lowest_in(self, node: Node) -> float:
        """Return the best criterion that is not excluded in a part."""
        floors = np.maximum(self._floors(node), PERFECT)
        low = self._range(node)[0]
        factor = self.criterion.factor[low : low + len(floors)]
        term = self.criterion.term[low : low + len(floors)]
        ok = np.isfinite(factor)
        return float((factor[ok] * floors[ok] + term[ok]).min(initial=np.inf))

    def _push(self, node: Node) -> None:
        if self._is_open(node):
            self._serial += 1
            first = self._lowest_in(node) if self._hard else node.rest
            heapq.heappush(self._open, (first, self._serial, node))

    def _next(self) -> None:
        """Open the parts with the smallest bounds, up to one that needs a dive."""
        while self._open and self._current is None:
            node = heapq.heappop(self._open)[2]
            if not self._is_open(node):
                continue
            self._offer((node.state >= 0)[None])
            opened = open_node(self.squares, self.allowed, node)
            if not isinstance(opened, Ready):
                for part in opened:
                    self._push(part)
            elif self._hard and not node.judged:
                kept = self.base + int(self.sizes_of_units[node.state > 0].sum())
                opened = opened.judge(self.sizes_of_units, kept, len(self.best) - 1)
                self._push(opened.node)
            else:
                self._enter(opened)
                return

    def _harden(self) -> None:
        """Judge all parts anew; the one in hand is begun again."""
        parts, self._open, self._current, self._hard = self._parts(), [], None, True
        for part in parts:
            self._push(part)

    def _enter(self, ready: Ready) -> None:
        """Dive below a node; divide it where that takes long and few parts are open."""
        kept = ready.node.state > 0
        base = np.array(
            [self.base + self.sizes_of_units[kept].sum(), self.allowed.costs[kept].sum()],
            dtype=np.float64,
        )
        stack, counts = _stack(len(ready.units), len(ready.beta)), np.zeros(2, dtype=np.int64)
        enter(
            ready.inverse, ready.beta, ready.rest, ready.units, ready.widths,
            self.sizes_of_units, self.allowed.costs, base, stack, counts,
        )  # fmt: skip
        self._current = (
            replace(ready.node, rest=max(ready.rest, ready.node.rest)),
            (stack, counts, ready.node.state >= 0, ready.widths),
        )
        divided = len(self._open) < (MOST_OPEN_PARTS_IF_HARD if self._hard else MOST_OPEN_PARTS)
        small = NODES_BEFORE_DIVISION_IF_HARD if self._hard else NODES_BEFORE_DIVISION
        self._dive(small if divided else NODES_PER_SLICE)
        if self._current is not None and divided:
            self._current = None
            for part in ready.children():
                self._push(part)

    def _dive(self, nodes: int) -> None:
        assert self._current is not None
        stack, counts, inside, widths = self._current[1]
        before = counts[1]
        nodes = min(nodes, 1 + ENTRIES_PER_SLICE // stack[0][0].size)
        ended = dive(
            stack, counts, inside, widths, self.sizes_of_units, self.allowed.costs,
            self.sizes_allowed, self.allowed.budget, self.criterion.factor, self.criterion.term,
            self.allowed.each_size, self.best, self.subsets, self.limits, nodes,
        )  # fmt: skip
        self._visited += int(counts[1] - before)
        if ended:
            self._current = None
        if self._visited > NODES_UNTIL_HARD and not self._hard and not self.allowed.each_size:
            self._harden()

    def _parts(self) -> list[Node]:
        parts = [node for _, _, node in self._open if self._is_open(node)]
        return parts if self._current is None else [*parts, self._current[0]]

    def _excluded(self) -> Floats:
        """Return by size the unexplained share below which everything is excluded."""
        lower = self.best.copy()
        for node in self._parts():
            low, high = self._range(node)
            lower[low : high + 1] = np.minimum(lower[low : high + 1], self._floors(node))
        return lower

    def bound(self) -> float:
        """Return the highest value that is not excluded."""
        if self._hard:
            found = [self._lowest(), *(first for first, _, _ in self._open[:1])]
            found += [] if self._current is None else [self._lowest_in(self._current[0])]
            return float(self.criterion.value(np.array([min(found)]))[0])
        lower = self._excluded()
        factor = self.criterion.factor
        ok = np.isfinite(lower) & np.isfinite(factor)
        c = factor[ok] * np.maximum(lower[ok], PERFECT) + self.criterion.term[ok]
        return float(self.criterion.value(np.array([c.min()]))[0]) if len(c) else -np.inf

    def sizes(self) -> list[tuple[int, float, float]]:
        """Return for every size with a subset its value and the highest value not excluded."""
        known = np.flatnonzero(np.isfinite(self.best))
        values = self.criterion.of(self.best[known], known)
        bounds = self.criterion.of(np.maximum(self._excluded()[known], PERFECT), known)
        return list(zip(known.tolist(), values.tolist(), bounds.tolist(), strict=True))


def _stack(units: int, columns: int) -> tuple[NDArray[Any], ...]:
    """Allocate the open nodes of a dive, as the kernel requires them."""
    depth = units + 1
    return (
        np.empty((depth, max(columns, 1), max(columns, 1))),
        np.empty((depth, max(columns, 1))),
        np.empty((depth, max(units, 1)), dtype=np.int64),
        np.empty((depth, units + 1), dtype=np.int64),
        np.zeros((depth, 8)),
    )


#: Steps towards the best diagonal, and from that of a larger part; the length of a step, and how
#: sharply the largest eigenvalue is weighted, first and last.
FIRST_STEPS, FURTHER_STEPS, STEP_LENGTH, SHARPNESS = 20, 5, 0.2, (5.0, 30.0)


def dropping_costs(
    inverse: Floats, beta: Floats, ceiling: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return the least cost of each column, so that the sum over any set is at most its cost.

    inverse (c, c): inverse of the cross products.
    beta (c,): coefficients.
    ceiling (c,): a diagonal to start from.

    Returns costs, ceiling, float64 arrays of shape (c,): with the diagonal that gives them.

    The sum over all columns is raised by steps that give more to columns with a larger share of
    the costs than of the largest eigenvectors, and are then scaled until the diagonal is above.
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

    rest: with all units.
    alone, costs (units,): what it costs to drop each unit alone, and what it costs at least beside
        others.
    sizes (units,): features of each unit.
    kept: features that are kept for good.
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
