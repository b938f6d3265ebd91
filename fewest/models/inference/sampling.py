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
        self.marginals = np.zeros(self.places[-1])

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
                "agrees with it; take more samples, or exact inference."
            )
        values = tuple(
            certain(r, int(self.evidence[i]))
            if self.evidence[i] >= 0
            else self.marginals[self.places[i] : self.places[i + 1]] / total
            for i, r in enumerate(self.network.cardinalities.tolist())
        )
        effective = total**2 / squares if squares > 0 else 0.0
        return Posteriors(self.network, values, total / self.drawn, effective)


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
