"""Backward sampling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...kernels.networks.importance import BACKWARD, FORWARD, WEIGHT, backward_samples
from ..networks.graph import Graph
from .sampling import Sampler, Tally, in_blocks


@dataclass(kw_only=True)
class BackwardSampling(Sampler):
    """Start at the evidence: draw the parents of what is known from its table, then the rest.

    Parameters
    ----------
    samples : int

    Notes
    -----
    Fung and Del Favero (1994). Every variable that is known and has unknown parents when its
    turn comes, children first, is sampled backward. It suits evidence far below the roots of
    networks whose tables have no zeros: where several findings share ancestors and tables are
    nearly deterministic, what is drawn from one finding contradicts the next, and no sample, or
    none of weight, is left. AIS-BN has no such limit.
    """

    def draw(self, tally: Tally, rng: np.random.Generator) -> None:
        """Samples backward from the evidence."""
        steps = plan_steps(tally.network.graph, tally.evidence >= 0)
        in_blocks(
            backward_samples, self.samples, tally, rng, steps, *tally.layout, tally.true,
            tally.evidence, tally.places, tally.marginals, tally.totals,
        )  # fmt: skip


def plan_steps(graph: Graph, observed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """What is done with each variable, in this order: rows of (what, variable).

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
