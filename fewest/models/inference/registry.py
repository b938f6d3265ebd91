"""The inferences by name."""

from __future__ import annotations

import difflib
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..networks.named import NamedNetwork
from .ais_bn import AISBN
from .backward import BackwardSampling
from .base import Inference, Posteriors
from .exact import MOST_CELLS, ExactInference, junction_cells
from .forward import LikelihoodWeighting, LogicSampling
from .importance import HeuristicImportance, SelfImportance


class AutoInference(Inference):
    """Exact where the junction tree is small and pyAgrum is installed, else AIS-BN."""

    def posteriors(
        self, network: NamedNetwork, evidence: NDArray[np.int64], rng: np.random.Generator
    ) -> Posteriors:
        """The posteriors given codes of the evidence."""
        exact = find_spec("pyagrum") is not None and junction_cells(network) <= MOST_CELLS
        chosen: Inference = ExactInference() if exact else AISBN()
        return chosen.posteriors(network, evidence, rng)


INFERENCES: dict[str, type[Inference]] = {
    "auto": AutoInference,
    "exact": ExactInference,
    "logic-sampling": LogicSampling,
    "likelihood-weighting": LikelihoodWeighting,
    "backward-sampling": BackwardSampling,
    "self-importance": SelfImportance,
    "heuristic-importance": HeuristicImportance,
    "ais-bn": AISBN,
}


def resolve_inference(inference: object) -> Inference:
    """An Inference from an Inference or its name.

    >>> resolve_inference("ais-bn").samples
    10000
    """
    if isinstance(inference, Inference):
        return inference
    if isinstance(inference, str) and inference in INFERENCES:
        return INFERENCES[inference]()
    near = difflib.get_close_matches(str(inference), INFERENCES, n=3)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    raise InputError(
        f"`inference` must be an Inference or one of {', '.join(INFERENCES)}, but is "
        f"{inference!r}.{hint}"
    )
