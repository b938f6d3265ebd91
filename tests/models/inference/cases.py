"""What the tests of inferences share."""

from __future__ import annotations

import numpy as np

from fewest._errors import InputError
from fewest.networks._inference.junction_tree import ExactInference


def squared_error(one, other, evidence):
    free = np.flatnonzero(evidence < 0)
    gaps = np.concatenate([one.values[i] - other.values[i] for i in free])
    return float((gaps**2).mean())


def unlikely(network, seed, findings):
    """Values of random leaves whose joint probability is below a millionth."""
    rng, engine = np.random.default_rng(seed), ExactInference()
    inner = {p for parents in network.graph.parents for p in parents}
    leaves = [i for i in range(len(network.names)) if i not in inner]
    while True:
        evidence = np.full(len(network.names), -1)
        for i in rng.choice(leaves, findings, replace=False):
            evidence[i] = rng.integers(network.cardinalities[i])
        try:
            exact = engine.posteriors(network, evidence)
        except InputError:
            continue
        if 1e-12 < exact.evidence_probability < 1e-6:
            return evidence, exact
