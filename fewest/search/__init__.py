"""Searches: from scored subsets to the next ones.

The classes load when they are first used: ``from fewest.search import EBNA``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._lazy_names import add_lazy_names as _add_lazy_names
from ._better import Better
from ._search import Proposals, Search, Verdict
from ._search_names import SEARCHES, list_searches, resolve_search, search_class
from ._spaces.space import Space
from ._spaces.structures import Graphs, Orderings
from ._spaces.subsets import Subsets
from ._spaces.weight_spaces import Box, Levels

_HOME = {target.split(":")[1]: target.split(":")[0] for target in SEARCHES.values()}
_HOME["Guidelines"] = "_auto"

# Written by `python -m tests.public_names` from the registry.
# names: begin
if TYPE_CHECKING:
    from ._auto import Guidelines
    from ._best_first import BestFirst
    from ._continuous import (
        CMAES,
        EGNA,
        EMNA,
        SHCLVND,
        EMNAAdaptive,
        EMNAIncremental,
        MIMICc,
        PBILc,
        Servet,
        UMDAc,
    )
    from ._distribution import BMDA, BSC, CGA, MIMIC, PBIL, TREE, UMDA, EcGA
    from ._elimination import RFE, Boruta, Knockoffs, L1Path
    from ._exact import Exact
    from ._exhaustive import Exhaustive
    from ._genetic import CHC, GAOnePoint, GASimple, GAUniform
    from ._graphs import AnnealGraph, ClimbGraph, ExactGraph, GAGraph, IteratedTabuGraph, TabuGraph
    from ._lattice import ABB, LVF, QBB, FocusM, SetCover
    from ._network_models import BOA, COMIT, EBNA, FDA
    from ._orderings import ClimbOrder, GAOrder, PlackettLuceEDA
    from ._pareto import Pareto
    from ._path import Path
    from ._random import Annealing, RandomSearch
    from ._sequential import SBE, SBFS, SFFS, SFS

__all__ = [
    "ABB", "AnnealGraph", "Annealing", "BMDA", "BOA", "BSC", "BestFirst", "Better", "Boruta", "Box",
    "CGA", "CHC", "CMAES", "COMIT", "ClimbGraph", "ClimbOrder", "EBNA", "EGNA", "EMNA",
    "EMNAAdaptive", "EMNAIncremental", "EcGA", "Exact", "ExactGraph", "Exhaustive", "FDA", "FocusM",
    "GAGraph", "GAOnePoint", "GAOrder", "GASimple", "GAUniform", "Graphs", "Guidelines",
    "IteratedTabuGraph", "Knockoffs", "L1Path", "LVF", "Levels", "MIMIC", "MIMICc", "Orderings",
    "PBIL", "PBILc", "Pareto", "Path", "PlackettLuceEDA", "Proposals", "QBB", "RFE", "RandomSearch",
    "SBE", "SBFS", "SFFS", "SFS", "SHCLVND", "Search", "Servet", "SetCover", "Space", "Subsets",
    "TREE", "TabuGraph", "UMDA", "UMDAc", "Verdict", "list_searches", "resolve_search",
    "search_class",
]  # fmt: skip
# names: end

_add_lazy_names(globals(), _HOME)
