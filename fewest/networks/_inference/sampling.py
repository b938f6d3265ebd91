"""Posteriors from weighted samples: logic sampling, likelihood weighting, backward sampling."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError
from ..._kernels.networks.draws import (
    BACKWARD,
    FORWARD,
    WEIGHT,
    backward_samples,
    importance_samples,
    logic_samples,
)
from ..._models.graph import Graph
from ..._parameters import Parameters, whole
from .._named import NamedNetwork
from .junction_tree import Inference, Posteriors, certain

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
        errors = np.sqrt(np.maximum(spread, 0.0)) / total
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

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.networks import LogicSampling, load_network
    >>> asia = load_network("asia")
    >>> codes = asia.evidence({"xray": "yes"})
    >>> found = LogicSampling(samples=20_000).posteriors(asia, codes, np.random.default_rng(0))
    >>> round(found["lung"]["yes"], 1)
    0.5
    """

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

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.networks import LikelihoodWeighting, load_network
    >>> asia = load_network("asia")
    >>> codes = asia.evidence({"xray": "yes"})
    >>> rng = np.random.default_rng(0)
    >>> found = LikelihoodWeighting(samples=20_000).posteriors(asia, codes, rng)
    >>> round(found["lung"]["yes"], 1)
    0.5
    """

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

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.networks import BackwardSampling, load_network
    >>> asia = load_network("asia")
    >>> codes = asia.evidence({"xray": "yes"})
    >>> found = BackwardSampling(samples=20_000).posteriors(asia, codes, np.random.default_rng(0))
    >>> round(found["lung"]["yes"], 1)
    0.5
    """

    def draw(self, tally: SampleTally, rng: np.random.Generator) -> None:
        steps = plan_steps(tally.network.graph, tally.evidence >= 0)
        in_blocks(
            backward_samples, self.samples, tally, rng, steps, *tally.layout, tally.true,
            tally.evidence, tally.places, tally.marginals, tally.totals,
        )  # fmt: skip


def plan_steps(graph: Graph, observed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """List what is done with each variable, in this order: rows of (what, variable).

    >>> plan_steps(Graph(((), (0,), ())), np.array([False, True, False])).tolist()
    [[1, 1], [2, 0], [0, 2]]
    """
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
