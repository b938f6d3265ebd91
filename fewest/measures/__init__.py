"""Measures: from a table and a subset of its features to a number, higher is better.

The classes load when they are first used: ``from fewest.measures import CrossValidated``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._lazy_names import add_lazy_names as _add_lazy_names
from ._measure import Candidates, Measure, Scorer, Scores
from ._measure_names import MEASURES, list_measures, resolve_measure

#: Where the public names stand.
_HOME = {place.split(":")[1]: place.split(":")[0] for place in MEASURES.values()} | {
    "CrossValidated": "_wrappers.cross_validated",
    "explain_redundancy": "_filters.redundant_features",
    "redundant_at": "_filters.redundant_features",
}

# Written by `python -m tests.public_names` from the registry.
# names: begin
if TYPE_CHECKING:
    from ._consistency.inconsistency import Inconsistency
    from ._description_length import CALL, MDL, MDLFS, ConditionalLogLikelihood, LogLikelihood
    from ._filters.correlation import CFS, KollerSahami
    from ._filters.rankings import CMIM, JMI, MRMR, GainRatio, InformationGain, SymmetricUncertainty
    from ._filters.redundant_features import explain_redundancy, redundant_at
    from ._filters.relief import ReliefF
    from ._regression.correlations import CorrelationCFS, CorrelationMRMR, FTest, Pearson
    from ._regression.criteria import AIC, BIC, RSS, AdjustedR2, MallowsCp
    from ._regression.distances import DistanceCorrelation, InformationMRMR, RReliefF
    from ._weighted import Weighted
    from ._wrappers.cross_validated import CrossValidated
    from ._wrappers.weighted_neighbors import WeightedNeighbors

__all__ = [
    "AIC", "AdjustedR2", "BIC", "CALL", "CFS", "CMIM", "Candidates", "ConditionalLogLikelihood",
    "CorrelationCFS", "CorrelationMRMR", "CrossValidated", "DistanceCorrelation", "FTest",
    "GainRatio", "Inconsistency", "InformationGain", "InformationMRMR", "JMI", "KollerSahami",
    "LogLikelihood", "MDL", "MDLFS", "MRMR", "MallowsCp", "Measure", "Pearson", "RReliefF", "RSS",
    "ReliefF", "Scorer", "Scores", "SymmetricUncertainty", "Weighted", "WeightedNeighbors",
    "explain_redundancy", "list_measures", "redundant_at", "resolve_measure",
]  # fmt: skip
# names: end

_add_lazy_names(globals(), _HOME)
