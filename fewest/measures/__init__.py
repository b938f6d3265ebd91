"""Measures: from a table and a subset of its features to a number, higher is better.

The classes load when they are first asked for: ``from fewest.measures import CrossValidated``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._measure import Candidates, Measure, Scorer, Scores
from ._measure_names import MEASURES, list_measures, resolve_measure

if TYPE_CHECKING:
    from ..networks._network_measures import InferentialLoss
    from ._consistency.inconsistency import Inconsistency
    from ._description_length import MDL, MDLFS
    from ._filters.correlation import CFS, KollerSahami
    from ._filters.rankings import CMIM, JMI, MRMR, GainRatio, InformationGain, SymmetricUncertainty
    from ._filters.redundant_features import explain_redundancy, redundant_at
    from ._filters.relief import ReliefF
    from ._likelihood import CALL, ConditionalLogLikelihood, LogLikelihood
    from ._regression.correlations import CorrelationCFS, CorrelationMRMR, FTest, Pearson
    from ._regression.criteria import AIC, BIC, RSS, AdjustedR2, MallowsCp
    from ._regression.distances import DistanceCorrelation, InformationMRMR, RReliefF
    from ._weighted import Weighted
    from ._wrappers.cross_validated import CrossValidated
    from ._wrappers.weighted_neighbors import WeightedNeighbors


__all__ = [
    "AIC",
    "AdjustedR2",
    "BIC",
    "CALL",
    "CFS",
    "CMIM",
    "Candidates",
    "ConditionalLogLikelihood",
    "CrossValidated",
    "GainRatio",
    "Inconsistency",
    "InferentialLoss",
    "InformationGain",
    "InformationMRMR",
    "JMI",
    "KollerSahami",
    "LogLikelihood",
    "MDL",
    "MDLFS",
    "MRMR",
    "MallowsCp",
    "Measure",
    "RSS",
    "ReliefF",
    "CorrelationCFS",
    "CorrelationMRMR",
    "DistanceCorrelation",
    "FTest",
    "Pearson",
    "RReliefF",
    "Scorer",
    "Scores",
    "SymmetricUncertainty",
    "Weighted",
    "WeightedNeighbors",
    "explain_redundancy",
    "list_measures",
    "redundant_at",
    "resolve_measure",
]

_PLACES = {place.split(":")[1]: place for place in MEASURES.values()}
_PLACES["CrossValidated"] = "wrappers.cross_validated:CrossValidated"
_PLACES["explain_redundancy"] = "filters.redundancy:explain_redundancy"
_PLACES["redundant_at"] = "filters.redundancy_levels:redundant_at"
_PLACES["InferentialLoss"] = "orderings.inferential_loss:InferentialLoss"


def __getattr__(attribute: str) -> Any:
    if attribute in _PLACES:
        module, name = _PLACES[attribute].split(":")
        return getattr(importlib.import_module(f".{module}", __package__), name)
    raise AttributeError(f"module 'fewest.measures' has no attribute {attribute!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_PLACES})
