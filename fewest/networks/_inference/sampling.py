"""Posteriors from weighted samples: likelihood weighting and importance sampling."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError, did_you_mean
from ..._kernels.networks.draws import (
    BACKWARD,
    FORWARD,
    WEIGHT,
    backward_samples,
    importance_samples,
    logic_samples,
)
from ..._models.graph import Graph
from ..._parameters import Parameters, flag, number, whole
from .._named import NamedNetwork
from .junction_tree import (
    MOST_CELLS,
    ExactInference,
    Inference,
    Posteriors,
    certain,
    junction_cells,
)

#: Samples that are drawn together.
BLOCK_SAMPLES = 4096


@dataclass
class SampleTally:
    """Network in the form that the kernels take, and the weights of the samples so far."""

    network: NamedNetwork
    evidence: NDArray[np.int64]
    drawn: int = 0
    totals: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))

    def __post_init__(self) -> None:
        net = self.network.network
        self.order: NDArray[np.int64] = np.array(net.graph.order, dtype=np.int64)
        self.layout: tuple[NDArray[np.int64], ...] = (net.cardinalities, *net.places)
        self.true: NDArray[np.float64] = np.asarray(net.probabilities, dtype=np.float64)
        starts = np.concatenate([[0], np.cumsum(net.cardinalities)])
        self.places: NDArray[np.int64] = starts.astype(np.int64)
        self.marginals: NDArray[np.float64] = np.zeros((2, self.places[-1]))

    def add(self, other: SampleTally) -> None:
        """Count the samples of another tally too."""
        self.drawn += other.drawn
        self.totals += other.totals
        self.marginals += other.marginals

    def posteriors(self) -> Posteriors:
        """Return the shares of the weights."""
        total, squares, _ = self.totals.tolist()
        if not total > 0:
            raise InputError(
                f"`evidence` must be likely enough for sampling, but none of {self.drawn} samples "
                'agrees with it; take inference="ais-bn" or "exact", or more samples.'
            )
        shares = self.marginals[0] / total
        # The variance of a ratio of sums: each weight times its distance from the share.
        spread = self.marginals[1] * (1 - shares) ** 2
        spread += (squares - self.marginals[1]) * shares**2
        # A level that hardly any sample has is not certain: as in the interval of Wilson (1927),
        # the error is at least one effective sample.
        errors = np.sqrt(np.maximum(spread, 0.0) + (squares / total) ** 2) / total
        values, doubts = [], []
        for i, r in enumerate(self.network.cardinalities.tolist()):
            own = slice(self.places[i], self.places[i + 1])
            seen = self.evidence[i] >= 0
            values.append(certain(r, int(self.evidence[i])) if seen else shares[own])
            doubts.append(np.zeros(r) if seen else errors[own])
        mean = total / self.drawn
        doubt = max(squares / self.drawn - mean**2, 0.0) / self.drawn
        return Posteriors(
            self.network, tuple(values), mean, total**2 / squares, tuple(doubts), doubt**0.5
        )


@dataclass(kw_only=True)
class Sampler(Parameters, Inference):
    """Base of the inferences by sampling.

    Parameters
    ----------
    samples : int
        Number of samples, those for learning included.
    """

    example: ClassVar[str] = """
        >>> import numpy as np
        >>> from fewest.networks import {name}, load_network
        >>> asia = load_network("asia")
        >>> codes = asia.evidence({"xray": "yes"})
        >>> found = {name}(samples=20_000).posteriors(asia, codes, np.random.default_rng(0))
        >>> round(found["lung"]["yes"], 1)
        0.5
        """

    samples: int = whole(10_000, low=1)

    def posteriors(
        self, network: NamedNetwork, evidence: NDArray[np.int64], rng: np.random.Generator
    ) -> Posteriors:
        """Estimate the posteriors given codes of the evidence (-1: not observed)."""
        self.check_parameters()
        tally = SampleTally(network, np.asarray(evidence, dtype=np.int64))
        self.draw(tally, rng)
        return tally.posteriors()

    @abstractmethod
    def draw(self, tally: SampleTally, rng: np.random.Generator) -> None:
        """Draw the samples and add their weights to the tally."""


def in_blocks(
    kernel: Any, n: int, tally: SampleTally, rng: np.random.Generator, *facts: Any
) -> None:
    """Call ``kernel(uniform, *facts)`` until ``n`` samples are drawn."""
    d = len(tally.evidence)
    for start in range(0, n, BLOCK_SAMPLES):
        kernel(rng.random((min(BLOCK_SAMPLES, n - start), d)), *facts)
    tally.drawn += n


@dataclass(kw_only=True)
class LogicSampling(Sampler):
    """Draw from the network and keep the samples that agree with the evidence.

    Notes
    -----
    Henrion (1988). Of no use for unlikely evidence: hardly any sample is kept.
    """

    name: ClassVar[str] = "logic-sampling"

    def draw(self, tally: SampleTally, rng: np.random.Generator) -> None:
        in_blocks(
            logic_samples, self.samples, tally, rng, tally.order, *tally.layout, tally.true,
            tally.evidence, tally.places, tally.marginals, tally.totals,
        )  # fmt: skip


@dataclass(kw_only=True)
class LikelihoodWeighting(Sampler):
    """Hold the evidence fixed, draw the rest, and weigh samples by the evidence.

    Notes
    -----
    Fung and Chang (1989), Shachter and Peot (1989); Hsu (2004) calls it forward simulation.
    """

    name: ClassVar[str] = "likelihood-weighting"

    def draw(self, tally: SampleTally, rng: np.random.Generator) -> None:
        draw_by(tally, tally.true, self.samples, rng)


def draw_by(
    tally: SampleTally,
    proposal: np.ndarray,  # type: ignore[type-arg]
    n: int,
    rng: np.random.Generator,
    families: np.ndarray | None = None,  # type: ignore[type-arg]
) -> None:
    """Draw ``n`` samples from the tables ``proposal``; ``families`` adds up weights by cell."""
    cells = np.zeros(0) if families is None else families
    in_blocks(
        importance_samples, n, tally, rng, tally.order, *tally.layout, tally.true, proposal,
        tally.evidence, tally.places, tally.marginals, cells, tally.totals,
    )  # fmt: skip


@dataclass(kw_only=True)
class BackwardSampling(Sampler):
    """Start at the evidence: draw the parents of what is known from its table, then the rest.

    Notes
    -----
    Fung and Del Favero (1994). Every variable that is known and has unknown parents when its
    turn comes, children first, is sampled backward. It suits evidence far below the roots of
    networks whose tables have no zeros: where several findings share ancestors and tables are
    nearly deterministic, what is drawn from one finding contradicts the next, and no sample, or
    none of weight, is left. AIS-BN has no such limit.
    """

    name: ClassVar[str] = "backward-sampling"

    def draw(self, tally: SampleTally, rng: np.random.Generator) -> None:
        steps = plan_steps(tally.network.graph, tally.evidence >= 0)
        in_blocks(
            backward_samples, self.samples, tally, rng, steps, *tally.layout, tally.true,
            tally.evidence, tally.places, tally.marginals, tally.totals,
        )  # fmt: skip


def plan_steps(graph: Graph, observed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """List what is done with each variable, in this order: rows of (what, variable)."""
    known = set(np.flatnonzero(observed).tolist())
    steps: list[tuple[int, int]] = []
    backward = set()
    for i in reversed(graph.order):
        if i in known and not set(graph.parents[i]) <= known:
            steps.append((BACKWARD, i))
            backward.add(i)
            known |= set(graph.parents[i])
    for i in graph.order:
        if i not in backward:
            steps.append((WEIGHT if i in known else FORWARD, i))
    return np.array(steps, dtype=np.int64)


@dataclass(kw_only=True)
class SelfImportance(Sampler):
    """Likelihood weighting whose tables move towards what the weighted samples show.

    Parameters
    ----------
    updates : int
        Number of revisions of the tables.

    Notes
    -----
    Shachter and Peot (1989). After each part of the samples the importance tables are the mean
    of the network's own tables and the weighted shares of all samples so far, so that nothing
    possible becomes impossible. All samples count.
    """

    name: ClassVar[str] = "self-importance"

    updates: int = whole(10, low=1)

    def draw(self, tally: SampleTally, rng: np.random.Generator) -> None:
        cells = np.zeros_like(tally.true)
        proposal = tally.true
        for n in parts_of(self.samples, self.updates + 1):
            draw_by(tally, proposal, n, rng, cells)
            shares = row_shares(cells, tally, tally.true)
            proposal = 0.5 * tally.true + 0.5 * shares


@dataclass(kw_only=True)
class HeuristicImportance(Sampler):
    """Importance sampling from tables that know of the evidence below each variable.

    Notes
    -----
    Shachter and Peot (1989): messages from the evidence go up as if the network were a
    polytree; a variable is then drawn in proportion to its table times the message at its
    level. In a tree this is exact.
    """

    name: ClassVar[str] = "heuristic-importance"

    def draw(self, tally: SampleTally, rng: np.random.Generator) -> None:
        draw_by(tally, heuristic_tables(tally), self.samples, rng)


def parts_of(n: int, parts: int) -> list[int]:
    """Split ``n`` into this many nearly equal parts, none empty."""
    sizes = [len(part) for part in np.array_split(np.arange(n), parts)]
    return [size for size in sizes if size]


def row_shares(
    cells: NDArray[np.float64], tally: SampleTally, otherwise: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Turn weights by cell into probabilities; rows without weight are those of ``otherwise``."""
    out = otherwise.copy()
    starts = tally.layout[3]
    for i, r in enumerate(tally.network.cardinalities.tolist()):
        block = cells[starts[i] : starts[i + 1]].reshape(-1, r)
        total = block.sum(axis=1, keepdims=True)
        own = out[starts[i] : starts[i + 1]].reshape(-1, r)
        np.divide(block, total, out=own, where=total > 0)
    return out


def heuristic_tables(tally: SampleTally) -> NDArray[np.float64]:
    """Multiply the tables by the messages from below; rows are scaled to 1."""
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


def _shaped(tally: SampleTally, i: int) -> NDArray[np.float64]:
    parents = tally.network.graph.parents[i]
    shape = [int(tally.network.cardinalities[p]) for p in (*parents, i)]
    return tally.network.network.tables[i].reshape(shape)


def _priors(
    tally: SampleTally, tables: list[NDArray[np.float64]]
) -> dict[int, NDArray[np.float64]]:
    """Return the distribution of each variable without evidence, its parents as if independent."""
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


@dataclass(kw_only=True)
class AISBN(Sampler):
    """Learn importance tables from early samples, then draw from them.

    Parameters
    ----------
    learning : float
        Share of the samples that are for learning; they do not count.
    updates : int
        Number of revisions of the tables.
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
    """

    name: ClassVar[str] = "ais-bn"

    learning: float = number(0.25, low=0.0, high=0.9)
    updates: int = whole(10, low=1)
    first_rate: float = number(0.4, low=0.0, high=1.0)
    last_rate: float = number(0.14, low=0.0, high=1.0)
    smallest: float = number(0.04, low=0.0, high=0.2)
    flat_parents: bool = flag(True)

    def draw(self, tally: SampleTally, rng: np.random.Generator) -> None:
        """Learn first, then draw the samples that count."""
        above = tally.network.graph.ancestors(np.flatnonzero(tally.evidence >= 0).tolist())
        adapts = np.array([i in above for i in range(len(tally.evidence))])
        for_learning = int(self.learning * self.samples)
        proposal = self.initial(tally, adapts, rng)
        for k, n in enumerate(parts_of(for_learning, self.updates)):
            cells = np.zeros_like(tally.true)
            draw_by(SampleTally(tally.network, tally.evidence), proposal, n, rng, cells)
            rate = self.first_rate * (self.last_rate / self.first_rate) ** (k / self.updates)
            shown = row_shares(cells, tally, proposal)
            learned = proposal + rate * (shown - proposal)
            proposal = np.where(np.repeat(adapts, np.diff(tally.layout[3])), learned, proposal)
            proposal = _possible(proposal, tally)
        draw_by(tally, proposal, max(1, self.samples - for_learning), rng)

    def initial(
        self, tally: SampleTally, adapts: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return the tables of the network, changed by the two heuristics."""
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


def _unlikely_parents(
    tally: SampleTally, rng: np.random.Generator, samples: int = 1000
) -> set[int]:
    """Return the parents of findings whose own probability is below 1 / (2 x levels)."""
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


def _possible(proposal: NDArray[np.float64], tally: SampleTally) -> NDArray[np.float64]:
    """Drop what the network excludes, and give a trace to everything that it allows."""
    out = np.where(tally.true > 0, np.maximum(proposal, 1e-9), 0.0)
    return row_shares(out, tally, tally.true)


class AutoInference(Inference):
    """Exact where the junction tree is small and pyAgrum is installed, else AIS-BN."""

    def posteriors(
        self, network: NamedNetwork, evidence: NDArray[np.int64], rng: np.random.Generator
    ) -> Posteriors:
        exact = find_spec("pyagrum") is not None and junction_cells(network) <= MOST_CELLS
        chosen: Inference = ExactInference() if exact else AISBN()
        return chosen.posteriors(network, evidence, rng)


_SAMPLERS = (
    LogicSampling, LikelihoodWeighting, BackwardSampling, SelfImportance, HeuristicImportance,
    AISBN,
)  # fmt: skip
INFERENCES: dict[str, type[Inference]] = {
    "auto": AutoInference,
    "exact": ExactInference,
    **{sampler.name: sampler for sampler in _SAMPLERS},
}


def resolve_inference(inference: object) -> Inference:
    """Return an Inference from an Inference or its name."""
    if isinstance(inference, Inference):
        return inference
    if isinstance(inference, str) and inference in INFERENCES:
        return INFERENCES[inference]()
    hint = did_you_mean(inference, INFERENCES)
    raise InputError(
        f"`inference` must be an Inference or one of {', '.join(INFERENCES)}, but is "
        f"{inference!r}.{hint}"
    )
