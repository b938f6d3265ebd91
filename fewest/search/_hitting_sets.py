"""Cheapest set that hits all cuts known so far: branch and bound and CP-SAT, in turns."""

from __future__ import annotations

import importlib.util
import math
import queue
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._kernels.subsets.hitting_set import hitting_sets
from ..measures._consistency.inconsistency import Flag, first_answer, pack
from ..measures._measure import Scores

Answer = TypeVar("Answer")
Mask = NDArray[np.bool_]

#: Seconds to wait before an empty batch lets the run look.
WAIT_SECONDS = 0.2


class StoppedError(Exception):
    """Raised in background work when the run ends."""


class Desk:
    """Link of background work to the run: it scores subsets, and has a flag to stop.

    ``flag[0]`` is not 0 when the work should stop; compiled code can read it.
    """

    def __init__(self) -> None:
        self.flag = np.zeros(1, dtype=np.int64)
        self._batches: queue.SimpleQueue[Mask | None] = queue.SimpleQueue()
        self._scored: queue.SimpleQueue[Scores | None] = queue.SimpleQueue()

    def score(self, batch: Mask) -> Scores:
        """Score a batch by the run."""
        self.check()
        self._batches.put(batch)
        scores = self._scored.get()
        if scores is None:
            raise StoppedError
        return scores

    def check(self) -> None:
        """Give up if the run has ended."""
        if self.flag[0]:
            raise StoppedError

    def _stop(self) -> None:
        self.flag[0] = 1
        self._scored.put(None)


def in_background(work: Callable[[Desk], Answer], n_units: int) -> Generator[Mask, Scores, Answer]:
    """Do ``work`` in a thread; yield what it wants scored, return its answer.

    An empty batch is yielded whenever the work takes long, only to give the run a chance to look.
    When the generator is closed, the work is stopped and the thread ends.
    """
    desk = Desk()
    result: dict[str, Any] = {}

    def run() -> None:
        try:
            result["answer"] = work(desk)
        except BaseException as error:
            result["error"] = error
        finally:
            desk._batches.put(None)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while (batch := _next(desk, n_units)) is not None:
            scores = yield batch
            if len(batch):
                desk._scored.put(scores)
    finally:
        desk._stop()
        thread.join()
    if "error" in result:
        raise result["error"]
    answer: Answer = result["answer"]
    return answer


def _next(desk: Desk, n_units: int) -> Mask | None:
    """Return the next batch, an empty one after a while, None at the end."""
    try:
        return desk._batches.get(timeout=WAIT_SECONDS)
    except queue.Empty:
        return np.zeros((0, n_units), dtype=bool)


#: Costs closer than this are the same.
SAME_COST_TOLERANCE = 1e-9
#: Columns to choose for which splitting over threads pays.
LEAST_COLUMNS_TO_SPLIT = 6
#: Enough parts for the threads to end at about the same time.
PARTS_FOR_THREADS = 40
#: More nodes than any search visits.
NO_NODE_LIMIT = 1 << 62


@dataclass(frozen=True, eq=False)
class Prices:
    """Cost and number of features of each unit; the most of each."""

    costs: NDArray[np.float64]
    sizes: NDArray[np.float64]
    size_limit: float

    @property
    def cheapest(self) -> float:
        """Smallest cost of a unit, but never 0."""
        positive = self.costs[self.costs > 0]
        return float(positive.min()) if len(positive) else 1.0

    def of(self, units: NDArray[np.bool_]) -> float:
        """Return the total cost of these units."""
        return float(self.costs[units].sum())


def sets_of(words: NDArray[np.uint64], n_units: int) -> NDArray[np.bool_]:
    """Unpack words to rows of booleans."""
    shifts = np.arange(n_units, dtype=np.uint64)
    return ((words[:, None] >> shifts) & np.uint64(1)).astype(bool)


@dataclass
class Decision:
    """Search for units within ``limit`` that hit every mask; at most ``most`` ways to do so.

    The threads share the parts of the tree. The answer is that of the first part, in a fixed
    order, that has one: it does not depend on which thread was faster.
    """

    words: NDArray[np.uint64]
    prices: Prices
    limit: float
    most: int = 1
    node_limit: int = NO_NODE_LIMIT
    threads: int = 2

    def __call__(self, flag: Flag) -> NDArray[np.bool_] | None:
        """Return the sets found, none if there are none; None if it was stopped or gave up."""
        depth = (self.limit + SAME_COST_TOLERANCE) / self.prices.cheapest
        if depth < LEAST_COLUMNS_TO_SPLIT or self.node_limit < NO_NODE_LIMIT or self.most > 1:
            found = self._part(0, 0, flag)
            return None if found is None else sets_of(found, len(self.prices.costs))
        return self._together(self._parts(), flag)

    def _part(self, chosen: int, forbidden: int, flag: Flag) -> NDArray[np.uint64] | None:
        inside = sets_of(np.array([chosen], dtype=np.uint64), len(self.prices.costs))[0]
        found = np.zeros(self.most, dtype=np.uint64)
        n_found = hitting_sets(
            self.words,
            self.prices.costs,
            self.prices.sizes,
            np.uint64(chosen),
            np.uint64(forbidden),
            self.limit - self.prices.of(inside) + SAME_COST_TOLERANCE,
            self.prices.size_limit - float(self.prices.sizes[inside].sum()) + SAME_COST_TOLERANCE,
            self.prices.cheapest,
            flag,
            np.array([0, self.node_limit], dtype=np.int64),
            found,
        )
        return None if n_found < 0 else found[:n_found]

    def _parts(self) -> list[tuple[int, int]]:
        """Return the nodes of a level with enough of them: what is chosen, what is forbidden."""
        parts, above = [(0, 0)], None
        while len(parts) < PARTS_FOR_THREADS and parts != above:
            above = parts
            parts = [child for part in parts for child in self._children(*part)]
        return parts

    def _children(self, chosen: int, forbidden: int) -> list[tuple[int, int]]:
        open_ = self.words[(self.words & np.uint64(chosen)) == 0]
        if len(open_) == 0:
            return [(chosen, forbidden)]
        left = open_[:1024] & ~np.uint64(forbidden)
        branch = int(left[np.bitwise_count(left).argmin()])
        units = [u for u in range(len(self.prices.costs)) if branch >> u & 1]
        covered = sets_of(open_[:4096], len(self.prices.costs)).sum(axis=0)
        children = []
        for unit in sorted(units, key=lambda u: (-covered[u], u)):
            children.append((chosen | 1 << unit, forbidden))
            forbidden |= 1 << unit
        return children

    def _together(self, parts: list[tuple[int, int]], flag: Flag) -> NDArray[np.bool_] | None:
        def look(part: int, flag: Flag) -> tuple[NDArray[np.uint64] | None, bool]:
            found = self._part(*parts[part], flag)
            return (None if found is None or not len(found) else found), found is not None

        found, complete = first_answer(look, len(parts), self.threads, flag)
        if found is None and not complete:
            return None
        words = np.zeros(0, dtype=np.uint64) if found is None else found
        return sets_of(words, len(self.prices.costs))


def installed() -> bool:
    """Decide if OR-Tools can be imported."""
    return importlib.util.find_spec("ortools") is not None


def whole_costs(costs: NDArray[np.float64]) -> NDArray[np.int64] | None:
    """Return the costs as whole numbers in one common unit, or None if there is none."""
    for scale in (1, 2, 4, 5, 10, 100, 1000, 10_000, 100_000, 1_000_000):
        scaled = costs * scale
        if np.all(np.abs(scaled - np.round(scaled)) < 1e-9 * scale):
            return np.round(scaled).astype(np.int64)
    return None


def by_cp_sat(
    masks: NDArray[np.bool_],
    prices: Prices,
    flag: Flag,
    effort: float | None = None,
    barred: tuple[NDArray[np.bool_], ...] = (),
) -> tuple[NDArray[np.bool_] | None, float, bool]:
    """Return a cheapest hitting set, a lower bound of the cost, and whether the set is proven.

    ``effort`` is in CP-SAT's own deterministic seconds, so that the answer does not depend on
    the machine; ``barred`` are sets that are not wanted. Without any answer the set is None,
    and proven then means that there is none.
    """
    from ortools.sat.python import cp_model

    costs = whole_costs(prices.costs)
    if costs is None:
        costs = np.floor(prices.costs / prices.costs.max() * 1e6).astype(np.int64)
    model = cp_model.CpModel()
    take: list[Any] = [model.new_bool_var("") for _ in range(masks.shape[1])]
    for mask in masks:
        model.add_bool_or([take[u] for u in np.flatnonzero(mask)])
    for chosen in barred:
        model.add_bool_or([take[u].negated() for u in np.flatnonzero(chosen)])
    if np.isfinite(prices.size_limit):
        sizes = prices.sizes.astype(int).tolist()
        model.add(sum(s * t for s, t in zip(sizes, take, strict=True)) <= int(prices.size_limit))
    model.minimize(sum(c * t for c, t in zip(costs.tolist(), take, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    if effort is not None:
        solver.parameters.max_deterministic_time = effort
    status = _solve(solver, model, flag)
    proven = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    ratio = prices.costs.sum() / max(1, costs.sum())
    bound = float(solver.best_objective_bound) * ratio if status != cp_model.INFEASIBLE else np.inf
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, bound, proven
    return np.array([bool(solver.value(t)) for t in take]), bound, proven


def _solve(solver: Any, model: Any, flag: Flag) -> Any:
    """Solve; a watcher stops the solver when the flag is set."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.1):
            if flag[0]:
                solver.stop_search()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        return solver.solve(model)
    finally:
        done.set()
        watcher.join()


#: Units that a word can hold; for more, CP-SAT is needed.
WORD_BITS = 64


@dataclass
class HittingSets:
    """Keeps the cuts and what is proven of every set that hits them.

    ``lower`` only rises: a cost below it is excluded, also for all cuts to come. ``hard`` is
    set when neither a short branch and bound nor a short CP-SAT was enough; it is then better
    to ask the measure for all its cuts before the long search begins. ``notice`` is called with
    the new ``lower`` while a search goes on.
    """

    prices: Prices
    desk: Desk
    threads: int = 2
    notice: Callable[[float], None] = field(default=lambda lower: None)
    nodes: int = 100_000
    effort: float = 5.0
    lower: float = 0.0
    hard: bool = False
    masks: Mask = field(init=False)
    words: NDArray[np.uint64] = field(init=False)

    def __post_init__(self) -> None:
        self.masks = np.zeros((0, self.n_units), dtype=bool)
        self.words = np.zeros(0, dtype=np.uint64)
        if self.n_units > WORD_BITS and not installed():
            raise InputError(
                f"The search `exact` over {self.n_units} units (more than 64) needs OR-Tools: "
                'install the extra with `pip install "fewest[exact]"`, or use search="qbb".'
            )

    @property
    def n_units(self) -> int:
        """Number of units to choose from."""
        return len(self.prices.costs)

    def add(self, masks: Mask) -> None:
        """Take in cuts."""
        joined = np.vstack([self.masks, masks])
        words = pack(joined)
        columns = words[:, 0] if words.shape[1] == 1 else words
        _, first = np.unique(columns, axis=0, return_index=True)
        first = first[np.argsort(joined[first].sum(axis=1), kind="stable")]
        self.masks, self.words = joined[first], words[first, :1].ravel()

    def find_quickly(self, limit: float, nodes: int) -> Mask | None:
        """Find some set within ``limit`` by a short search, or None."""
        if self.n_units > WORD_BITS:
            return None
        found = self._decide(limit, nodes)
        return found[0] if found is not None and len(found) else None

    def every(self, limit: float, most: int) -> Mask:
        """Find all minimal sets within ``limit``, at most ``most``."""
        if self.n_units <= WORD_BITS:
            found = self._decide(limit, most=most)
            assert found is not None
            return found
        sets: list[Mask] = []
        while len(sets) < most:
            chosen, _, _ = by_cp_sat(self.masks, self.prices, self.desk.flag, None, tuple(sets))
            self.desk.check()
            if chosen is None or self.prices.of(chosen) > limit + SAME_COST_TOLERANCE:
                break
            sets.append(chosen)
        return np.array(sets, dtype=bool).reshape(-1, self.n_units)

    def cheapest(self, upper: float) -> Mask | None:
        """Find a cheapest set that costs less than ``upper``, or None if there is none.

        Sets ``lower`` on the way. Gives up with ``hard`` when it was not set before.
        """
        if self.n_units <= WORD_BITS:
            done, chosen = self._climb(upper, NO_NODE_LIMIT if self.hard else self.nodes)
            if done:
                return chosen
        if self.n_units > WORD_BITS or (installed() and not self.hard):
            done, chosen = self._cp_sat(upper)
            if done:
                return chosen
        self.hard = True
        return None

    def _decide(self, limit: float, nodes: int = NO_NODE_LIMIT, most: int = 1) -> Mask | None:
        decision = Decision(self.words, self.prices, limit, most, nodes, self.threads)
        found = decision(self.desk.flag)
        self.desk.check()
        return found

    def _climb(self, upper: float, nodes: int) -> tuple[bool, Mask | None]:
        """Raise the limit step by step where costs have few levels, else lower it from above."""
        step = self._step()
        if step is None or (upper - self.lower) / step > 1000:
            return self._descend(upper, nodes)
        while self.lower < upper - SAME_COST_TOLERANCE:
            found = self._decide(self.lower, nodes)
            if found is None:
                return False, None
            if len(found):
                return True, found[0]
            self.lower += step
            self.notice(self.lower)
        return True, None

    def _step(self) -> float | None:
        costs = whole_costs(self.prices.costs)
        if costs is None:
            return None
        ratio = float(self.prices.costs.max()) / max(1, int(costs.max()))
        return ratio * math.gcd(*costs.tolist())

    def _descend(self, upper: float, nodes: int) -> tuple[bool, Mask | None]:
        best: Mask | None = None
        while True:
            found = self._decide(upper - 2 * SAME_COST_TOLERANCE, nodes)
            if found is None:
                return False, best
            if len(found) == 0:
                self.lower = max(self.lower, upper)
                return True, best
            best = found[0]
            upper = self.prices.of(best)

    def _cp_sat(self, upper: float) -> tuple[bool, Mask | None]:
        effort = None if self.n_units > WORD_BITS else self.effort
        chosen, bound, proven = by_cp_sat(self.masks, self.prices, self.desk.flag, effort)
        self.desk.check()
        self.lower = (
            max(self.lower, min(bound - SAME_COST_TOLERANCE, upper)) if bound > 0 else self.lower
        )
        step = self._step()
        if step is not None:
            self.lower = math.ceil(self.lower / step - 1e-6) * step
        if not proven:
            return False, None
        if chosen is None or self.prices.of(chosen) >= upper - SAME_COST_TOLERANCE:
            self.lower = max(self.lower, upper)
            return True, None
        return True, chosen
