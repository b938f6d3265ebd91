"""Posteriors from weighted samples: what all sampling inferences share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...parameters import Parameters, whole
from ..networks.named import NamedNetwork
from .base import Inference, Posteriors, certain

#: Samples that are drawn together.
BLOCK = 4096


@dataclass
class Tally:
    """A network in the form that the kernels take, and the weights of the samples so far."""

    network: NamedNetwork
    evidence: NDArray[np.int64]
    drawn: int = 0
    totals: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))

    def __post_init__(self) -> None:
        net = self.network.network
        self.order = np.array(net.graph.order, dtype=np.int64)
        self.layout = (net.cardinalities, *net.places)
        self.true = np.asarray(net.probabilities, dtype=np.float64)
        self.places = np.concatenate([[0], np.cumsum(net.cardinalities)]).astype(np.int64)
        self.marginals = np.zeros((2, self.places[-1]))

    def add(self, other: Tally) -> None:
        """Count the samples of another tally too."""
        self.drawn += other.drawn
        self.totals += other.totals
        self.marginals += other.marginals

    def posteriors(self) -> Posteriors:
        """The shares of the weights."""
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
        How many samples are drawn, those for learning included.
    """

    samples: int = whole(10_000, low=1)

    def posteriors(
        self, network: NamedNetwork, evidence: NDArray[np.int64], rng: np.random.Generator
    ) -> Posteriors:
        """The estimated posteriors given codes of the evidence (-1: not observed)."""
        self.check_parameters()
        tally = Tally(network, np.asarray(evidence, dtype=np.int64))
        self.draw(tally, rng)
        return tally.posteriors()

    @abstractmethod
    def draw(self, tally: Tally, rng: np.random.Generator) -> None:
        """Draw the samples and add their weights to the tally."""


def in_blocks(kernel: Any, n: int, tally: Tally, rng: np.random.Generator, *facts: Any) -> None:
    """Call ``kernel(uniform, *facts)`` until ``n`` samples are drawn."""
    d = len(tally.evidence)
    for start in range(0, n, BLOCK):
        kernel(rng.random((min(BLOCK, n - start), d)), *facts)
    tally.drawn += n
