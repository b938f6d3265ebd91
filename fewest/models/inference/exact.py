"""Exact inference by junction tree, with pyAgrum."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..networks.convert import pyagrum, to_pyagrum
from ..networks.named import NamedNetwork
from .base import Inference, Posteriors, certain, impossible


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
