"""The inferences by name."""

from __future__ import annotations

import difflib

from ...errors import InputError
from .ais_bn import AISBN
from .backward import BackwardSampling
from .base import Inference
from .exact import ExactInference
from .forward import LikelihoodWeighting, LogicSampling
from .importance import HeuristicImportance, SelfImportance

INFERENCES: dict[str, type[Inference]] = {
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
