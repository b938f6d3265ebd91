"""Measures: from a table and a subset of its features to a number, higher is better.

The classes load when they are first asked for: ``from fewest.measures import CrossValidated``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .base import Candidates, Measure, Scorer, Scores
from .registry import MEASURES, list_measures, resolve_measure

if TYPE_CHECKING:
    from .consistency.inconsistency import Inconsistency
    from .filters.cfs import CFS
    from .filters.cmim import CMIM
    from .filters.koller_sahami import KollerSahami
    from .filters.mrmr import JMI, MRMR
    from .filters.rankings import GainRatio, InformationGain, SymmetricUncertainty
    from .filters.redundancy import explain_redundancy
    from .filters.redundancy_levels import redundant_at
    from .filters.relief import ReliefF
    from .networks.likelihood import CALL, ConditionalLogLikelihood, LogLikelihood
    from .networks.mdl import MDL
    from .networks.mdl_fs import MDLFS
    from .orderings.inferential_loss import InferentialLoss
    from .regression.criteria import AIC, BIC, RSS, AdjustedR2, MallowsCp
    from .regression.distances import DistanceCorrelation, RReliefF
    from .regression.filters import CorrelationCFS, CorrelationMRMR, FTest, Pearson
    from .regression.information import InformationMRMR
    from .weighted import Weighted
    from .wrappers.cross_validated import CrossValidated
    from .wrappers.nearest_neighbor import WeightedNeighbors

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
