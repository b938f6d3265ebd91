"""Adaptive importance sampling for Bayesian networks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...parameters import flag, number, whole
from .forward import draw_by
from .importance import parts_of, row_shares
from .sampling import Sampler, Tally


@dataclass(kw_only=True)
class AISBN(Sampler):
    """Learn importance tables from early samples, then draw from them.

    Parameters
    ----------
    samples : int
        All samples, those for learning included.
    learning : float
        The share of the samples that are for learning; they do not count.
    updates : int
        How often the tables are revised.
    first_rate, last_rate : float
        The learning rate falls from the one to the other by a constant factor.
    smallest : float
        Initial heuristic: probabilities below this are raised to it, at the expense of the
        largest of their row. 0 switches it off.
    flat_parents : bool
        Initial heuristic: parents of unlikely evidence start with uniform tables.

    Notes
    -----
    Cheng and Druzdzel (2000): learning rate a (b / a)^(k / k_max) with a = 0.4, b = 0.14 and
    k_max = 10; weights 0 for the stages of learning and 1 after; parents of a finding are made
    uniform where its probability, estimated by a first few samples, is below 1 / (2 x its
    levels); the threshold of small probabilities is 0.04. Only ancestors of the evidence are
    revised: the posterior of the others given their parents is their own table.

    Examples
    --------
    >>> from fewest.models.networks.library import load_network
    >>> asia = load_network("asia")
    >>> codes = asia.evidence({"xray": "yes", "dysp": "yes"})
    >>> found = AISBN(samples=20_000).posteriors(asia, codes, np.random.default_rng(0))
    >>> round(found["lung"]["yes"], 1)
    0.6
    """

    learning: float = number(0.25, low=0.0, high=0.9)
    updates: int = whole(10, low=1)
    first_rate: float = number(0.4, low=0.0, high=1.0)
    last_rate: float = number(0.14, low=0.0, high=1.0)
    smallest: float = number(0.04, low=0.0, high=0.2)
    flat_parents: bool = flag(True)

    def draw(self, tally: Tally, rng: np.random.Generator) -> None:
        """Learning first, then the samples that count."""
        above = tally.network.graph.ancestors(np.flatnonzero(tally.evidence >= 0).tolist())
        adapts = np.array([i in above for i in range(len(tally.evidence))])
        for_learning = int(self.learning * self.samples)
        proposal = self.initial(tally, adapts, rng)
        for k, n in enumerate(parts_of(for_learning, self.updates)):
            cells = np.zeros_like(tally.true)
            draw_by(Tally(tally.network, tally.evidence), proposal, n, rng, cells)
            rate = self.first_rate * (self.last_rate / self.first_rate) ** (k / self.updates)
            shown = row_shares(cells, tally, proposal)
            proposal = _where(adapts, tally, proposal + rate * (shown - proposal), proposal)
            proposal = _possible(proposal, tally)
        draw_by(tally, proposal, max(1, self.samples - for_learning), rng)

    def initial(
        self, tally: Tally, adapts: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """The tables of the network, changed by the two heuristics."""
        proposal = tally.true.copy()
        starts, cards = tally.layout[3], tally.network.cardinalities
        if self.flat_parents:
            for p in _unlikely_parents(tally, rng):
                proposal[starts[p] : starts[p + 1]] = 1.0 / cards[p]
        if self.smallest > 0:
            for i in np.flatnonzero(adapts):
                own = proposal[starts[i] : starts[i + 1]].reshape(-1, cards[i])
                _raise_small(own, min(self.smallest, 0.5 / cards[i]))
        return _possible(proposal, tally)


def _unlikely_parents(tally: Tally, rng: np.random.Generator, samples: int = 1000) -> set[int]:
    """The parents of findings whose own probability is below 1 / (2 x levels)."""
    rows = tally.network.sample(samples, rng)
    found: set[int] = set()
    for i in np.flatnonzero(tally.evidence >= 0).tolist():
        share = float((rows[:, i] == tally.evidence[i]).mean())
        if share < 1 / (2 * tally.network.cardinalities[i]):
            found |= set(tally.network.graph.parents[i])
    return found


def _raise_small(rows: NDArray[np.float64], smallest: float) -> None:
    """Raise small probabilities of each row at the expense of its largest, in place."""
    raised = np.maximum(rows, smallest)
    largest = rows.argmax(axis=1)
    at = np.arange(len(rows))
    raised[at, largest] -= raised.sum(axis=1) - 1.0
    rows[:] = np.maximum(raised, 0.0)


def _possible(proposal: NDArray[np.float64], tally: Tally) -> NDArray[np.float64]:
    """Without what the network excludes, and with a trace of everything that it allows."""
    out = np.where(tally.true > 0, np.maximum(proposal, 1e-9), 0.0)
    return row_shares(out, tally, tally.true)


def _where(
    adapts: NDArray[np.bool_],
    tally: Tally,
    new: NDArray[np.float64],
    old: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The new tables of the variables that adapt, the old ones of the others."""
    sizes = np.diff(tally.layout[3])
    return np.where(np.repeat(adapts, sizes), new, old)
