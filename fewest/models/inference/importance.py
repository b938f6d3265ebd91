"""Self-importance and heuristic importance sampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...parameters import whole
from .forward import draw_by
from .sampling import Sampler, Tally


@dataclass(kw_only=True)
class SelfImportance(Sampler):
    """Likelihood weighting whose tables move towards what the weighted samples show.

    Parameters
    ----------
    samples : int
    updates : int
        How often the tables are revised.

    Notes
    -----
    Shachter and Peot (1989). After each part of the samples the importance tables are the mean
    of the network's own tables and the weighted shares of all samples so far, so that nothing
    possible becomes impossible. All samples count.
    """

    updates: int = whole(10, low=1)

    def draw(self, tally: Tally, rng: np.random.Generator) -> None:
        """Samples in parts, each from revised tables."""
        cells = np.zeros_like(tally.true)
        proposal = tally.true
        for n in parts_of(self.samples, self.updates + 1):
            draw_by(tally, proposal, n, rng, cells)
            shares = row_shares(cells, tally, tally.true)
            proposal = 0.5 * tally.true + 0.5 * shares


@dataclass(kw_only=True)
class HeuristicImportance(Sampler):
    """Importance sampling from tables that know of the evidence below each variable.

    Parameters
    ----------
    samples : int

    Notes
    -----
    Shachter and Peot (1989): messages from the evidence go up as if the network were a
    polytree; a variable is then drawn in proportion to its table times the message at its
    level. In a tree this is exact.
    """

    def draw(self, tally: Tally, rng: np.random.Generator) -> None:
        """Samples from the tables with messages."""
        draw_by(tally, heuristic_tables(tally), self.samples, rng)


def parts_of(n: int, parts: int) -> list[int]:
    """``n`` in so many nearly equal parts, none empty."""
    sizes = [len(part) for part in np.array_split(np.arange(n), parts)]
    return [size for size in sizes if size]


def row_shares(
    cells: NDArray[np.float64], tally: Tally, otherwise: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weights by cell as probabilities; rows without weight as they are in ``otherwise``."""
    out = otherwise.copy()
    starts = tally.layout[3]
    for i, r in enumerate(tally.network.cardinalities.tolist()):
        block = cells[starts[i] : starts[i + 1]].reshape(-1, r)
        total = block.sum(axis=1, keepdims=True)
        own = out[starts[i] : starts[i + 1]].reshape(-1, r)
        np.divide(block, total, out=own, where=total > 0)
    return out


def heuristic_tables(tally: Tally) -> NDArray[np.float64]:
    """The tables times the messages from below, rows scaled to 1."""
    graph, cards = tally.network.graph, tally.network.cardinalities.tolist()
    tables = [_shaped(tally, i) for i in range(len(cards))]
    priors = _priors(tally, tables)
    message: list[NDArray[np.float64]] = [np.ones(r) for r in cards]
    for i in reversed(graph.order):
        if tally.evidence[i] >= 0:
            seen = np.zeros(cards[i])
            seen[tally.evidence[i]] = message[i][tally.evidence[i]]
            message[i] = seen
        if np.ptp(message[i]) == 0:
            continue
        up = tables[i] @ message[i]
        for k, p in enumerate(graph.parents[i]):
            others = [priors[q] for j, q in enumerate(graph.parents[i]) if j != k]
            message[p] = _scaled(message[p] * _sum_out(np.moveaxis(up, k, 0), others))
    out = tally.true.copy()
    starts = tally.layout[3]
    for i, r in enumerate(cards):
        own = out[starts[i] : starts[i + 1]].reshape(-1, r)
        new = own * message[i]
        total = new.sum(axis=1, keepdims=True)
        np.divide(new, total, out=own, where=total > 0)
    return out


def _shaped(tally: Tally, i: int) -> NDArray[np.float64]:
    parents = tally.network.graph.parents[i]
    shape = [int(tally.network.cardinalities[p]) for p in (*parents, i)]
    return tally.network.network.tables[i].reshape(shape)


def _priors(tally: Tally, tables: list[NDArray[np.float64]]) -> dict[int, NDArray[np.float64]]:
    """The distribution of each variable without evidence, its parents as if independent."""
    priors: dict[int, NDArray[np.float64]] = {}
    for i in tally.network.graph.order:
        parents = [priors[p] for p in tally.network.graph.parents[i]]
        priors[i] = _sum_out(np.moveaxis(tables[i], -1, 0), parents)
    return priors


def _sum_out(table: NDArray[Any], weights: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Sum all axes but the first, each weighted."""
    for weight in reversed(weights):
        table = table @ weight
    return np.asarray(table)


def _scaled(message: NDArray[np.float64]) -> NDArray[np.float64]:
    top = message.max()
    return message / top if top > 0 else message
