"""The minimum hitting set by CP-SAT, where the extra ``exact`` is installed."""

from __future__ import annotations

import importlib.util
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...measures.consistency.first_part import Flag
from .decision import Prices


def installed() -> bool:
    """Whether OR-Tools can be imported."""
    return importlib.util.find_spec("ortools") is not None


def whole_costs(costs: NDArray[np.float64]) -> NDArray[np.int64] | None:
    """The costs as whole numbers in one common unit, or None if there is no such small unit."""
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
    """A cheapest hitting set, a lower bound of the cost, and whether the set is proven.

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
