"""Logic sampling and likelihood weighting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernels.networks.importance import importance_samples, logic_samples
from .sampling import Sampler, Tally, in_blocks


@dataclass(kw_only=True)
class LogicSampling(Sampler):
    """Draw from the network and keep the samples that agree with the evidence.

    Parameters
    ----------
    samples : int

    Notes
    -----
    Henrion (1988). Of no use for unlikely evidence: hardly any sample is kept.
    """

    def draw(self, tally: Tally, rng: np.random.Generator) -> None:
        """Samples with weight 1 or 0."""
        in_blocks(
            logic_samples, self.samples, tally, rng, tally.order, *tally.layout, tally.true,
            tally.evidence, tally.places, tally.marginals, tally.totals,
        )  # fmt: skip


@dataclass(kw_only=True)
class LikelihoodWeighting(Sampler):
    """Hold the evidence fixed, draw the rest, and weigh samples by the evidence.

    Parameters
    ----------
    samples : int

    Notes
    -----
    Fung and Chang (1989), Shachter and Peot (1989); Hsu (2004) calls it forward simulation.
    """

    def draw(self, tally: Tally, rng: np.random.Generator) -> None:
        """Samples from the tables of the network."""
        draw_by(tally, tally.true, self.samples, rng)


def draw_by(
    tally: Tally,
    proposal: np.ndarray,  # type: ignore[type-arg]
    n: int,
    rng: np.random.Generator,
    families: np.ndarray | None = None,  # type: ignore[type-arg]
) -> None:
    """``n`` samples from the tables ``proposal``; ``families`` adds up weights by cell."""
    cells = np.zeros(0) if families is None else families
    in_blocks(
        importance_samples, n, tally, rng, tally.order, *tally.layout, tally.true, proposal,
        tally.evidence, tally.places, tally.marginals, cells, tally.totals,
    )  # fmt: skip
