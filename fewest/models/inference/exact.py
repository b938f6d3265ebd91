"""Exact inference by junction tree, with pyAgrum."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..networks.convert import pyagrum, to_pyagrum
from ..networks.named import NamedNetwork
from .base import Inference, Posteriors, certain, impossible

#: "auto" is exact where the tables of the junction tree have so many cells at most.
MOST_CELLS = 10_000_000


def junction_cells(network: NamedNetwork) -> float:
    """How many cells the tables of a junction tree have, by the elimination of least weight.

    >>> from fewest.models.networks.library import load_network
    >>> junction_cells(load_network("cancer"))
    22.0
    """
    near = network.graph._moral(set(range(len(network.names))))
    cards = network.cardinalities.astype(float)
    cells = 0.0
    while near:
        sizes = {i: float(cards[i] * np.prod(cards[list(own - {i})])) for i, own in near.items()}
        least = min(sizes, key=lambda i: (sizes[i], i))
        others = near.pop(least) - {least}
        cells += sizes[least]
        for i in others:
            near[i] = (near[i] | others) - {i, least}
    return cells


class ExactInference(Inference):
    """Posteriors by lazy propagation in a junction tree (Madsen and Jensen, 1999)."""

    def __init__(self) -> None:
        self._last: tuple[NamedNetwork, Any, Any] | None = None

    def _engine(self, network: NamedNetwork) -> Any:
        """The engine for a network, kept for the next evidence."""
        if self._last is None or self._last[0] is not network:
            net = to_pyagrum(network)
            # The engine refers to the network, so both are kept.
            self._last = (network, net, pyagrum().LazyPropagation(net))
        return self._last[2]

    def posteriors(
        self,
        network: NamedNetwork,
        evidence: NDArray[np.int64],
        rng: np.random.Generator | None = None,
    ) -> Posteriors:
        """All posteriors; nothing is random here."""
        gum, engine = pyagrum(), self._engine(network)
        engine.eraseAllEvidence()
        observed = np.flatnonzero(evidence >= 0)
        for i in observed:
            engine.addEvidence(network.names[i], int(evidence[i]))
        try:
            probability = float(engine.evidenceProbability()) if len(observed) else 1.0
            if not probability > 0:
                raise impossible()
            values = tuple(
                certain(r, int(evidence[i]))
                if evidence[i] >= 0
                else np.array(engine.posterior(network.names[i]).toarray())
                for i, r in enumerate(network.cardinalities.tolist())
            )
        except gum.IncompatibleEvidence:
            raise impossible() from None
        return Posteriors(network, values, probability)
