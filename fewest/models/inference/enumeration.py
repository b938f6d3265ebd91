"""Posteriors for many findings at once: by summing up the joint distribution of a small network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..networks.named import NamedNetwork
from .base import Inference

#: Networks with more joint cases than this are not summed up.
MOST_CASES = 1 << 14


def posterior_table(
    network: NamedNetwork,
    evidence: NDArray[np.int64],
    inference: Inference,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """One row per row of evidence: the posteriors of all variables, one after the other.

    Small networks are summed up where ``inference`` is exact. Impossible evidence has a row of
    NaN.

    Examples
    --------
    >>> from fewest.models.inference.exact import ExactInference
    >>> from fewest.models.networks.library import load_network
    >>> cancer = load_network("cancer")
    >>> given = np.array([cancer.evidence({"Smoker": "True"})])
    >>> rng = np.random.default_rng(0)
    >>> posterior_table(cancer, given, ExactInference(), rng)[0, 2:4]
    array([1., 0.])
    """
    from .exact import ExactInference

    small = float(np.prod(network.cardinalities.astype(float))) <= MOST_CASES
    if small and isinstance(inference, ExactInference):
        return summed_up(network, evidence)
    return np.array([_one(network, row, inference, rng) for row in evidence])


def summed_up(network: NamedNetwork, evidence: NDArray[np.int64]) -> NDArray[np.float64]:
    """The posteriors by summing the joint distribution."""
    cards = network.cardinalities
    every = np.indices(tuple(cards.tolist())).reshape(len(cards), -1).T
    joint = np.exp(network.network.log_probability(every.astype(np.uint8)))
    hits = np.concatenate(
        [every[:, i, None] == np.arange(r) for i, r in enumerate(cards.tolist())], axis=1
    )
    fits = np.ones((len(evidence), len(every)), dtype=bool)
    for i in range(len(cards)):
        seen = evidence[:, i, None]
        fits &= (seen < 0) | (seen == every[:, i])
    weights = fits * joint
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(weights @ hits / weights.sum(axis=1, keepdims=True))


def _one(
    network: NamedNetwork,
    evidence: NDArray[np.int64],
    inference: Inference,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    from ...errors import InputError

    try:
        return np.concatenate(inference.posteriors(network, evidence, rng).values)
    except InputError:
        return np.full(int(network.cardinalities.sum()), np.nan)
