"""Searches: from scored subsets to the next ones.

The classes load when they are first asked for: ``from fewest.search import EBNA``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .base import Proposals, Search, Verdict
from .better import Better
from .registry import SEARCHES, list_searches, resolve_search, search_class
from .spaces.base import Space
from .spaces.box import Box
from .spaces.graphs import Graphs
from .spaces.levels import Levels
from .spaces.orderings import Orderings
from .spaces.subsets import Subsets

if TYPE_CHECKING:
    from .consistency.abb import ABB
    from .consistency.exact import Exact
    from .consistency.focus_m import FocusM
    from .consistency.lvf import LVF
    from .consistency.qbb import QBB
    from .consistency.set_cover import SetCover
    from .continuous.cma_es import CMAES
    from .continuous.egna import EGNA
    from .continuous.emna import EMNA, EMNAAdaptive, EMNAIncremental
    from .continuous.mimic_c import MIMICc
    from .continuous.moving import SHCLVND, PBILc, Servet
    from .continuous.umda_c import UMDAc
    from .distribution.bmda import BMDA
    from .distribution.boa import BOA
    from .distribution.bsc import BSC
    from .distribution.cga import CGA
    from .distribution.comit import COMIT
    from .distribution.ebna import EBNA
    from .distribution.ecga import EcGA
    from .distribution.fda import FDA
    from .distribution.mimic import MIMIC
    from .distribution.pbil import PBIL
    from .distribution.tree import TREE
    from .distribution.umda import UMDA
    from .embedded.boruta import Boruta
    from .embedded.knockoffs import Knockoffs
    from .embedded.l1_path import L1Path
    from .embedded.rfe import RFE
    from .exhaustive import Exhaustive
    from .genetic.chc import CHC
    from .genetic.ga_one_point import GAOnePoint
    from .genetic.ga_simple import GASimple
    from .genetic.ga_uniform import GAUniform
    from .genetic.pareto import Pareto
    from .graphs.anneal_graph import AnnealGraph
    from .graphs.climb_graph import ClimbGraph
    from .graphs.exact_graph import ExactGraph
    from .graphs.ga_graph import GAGraph
    from .graphs.tabu_graph import IteratedTabuGraph, TabuGraph
    from .orderings.climb_order import ClimbOrder
    from .orderings.ga_order import GAOrder
    from .orderings.plackett_luce import PlackettLuceEDA
    from .path import Path
    from .random_search import RandomSearch
    from .sequential.annealing import Annealing
    from .sequential.best_first import BestFirst
    from .sequential.sbe import SBE
    from .sequential.sbfs import SBFS
    from .sequential.sffs import SFFS
    from .sequential.sfs import SFS

__all__ = [
    "ABB",
    "UMDAc",
    "PBILc",
    "SHCLVND",
    "Servet",
    "MIMICc",
    "EMNA",
    "EMNAAdaptive",
    "EMNAIncremental",
    "EGNA",
    "CMAES",
    "Box",
    "Levels",
    "AnnealGraph",
    "Annealing",
    "BMDA",
    "BOA",
    "BSC",
    "BestFirst",
    "Boruta",
    "Knockoffs",
    "L1Path",
    "RFE",
    "Better",
    "CGA",
    "CHC",
    "COMIT",
    "ClimbGraph",
    "ClimbOrder",
    "EBNA",
    "EcGA",
    "Exact",
    "ExactGraph",
    "Exhaustive",
    "FDA",
    "FocusM",
    "GAGraph",
    "GAOnePoint",
    "GAOrder",
    "GASimple",
    "GAUniform",
    "Graphs",
    "IteratedTabuGraph",
    "LVF",
    "MIMIC",
    "Orderings",
    "PBIL",
    "Path",
    "Pareto",
    "PlackettLuceEDA",
    "Proposals",
    "QBB",
    "RandomSearch",
    "SBE",
    "SBFS",
    "SFFS",
    "SFS",
    "Search",
    "SetCover",
    "Space",
    "Subsets",
    "TREE",
    "TabuGraph",
    "UMDA",
    "Verdict",
    "list_searches",
    "resolve_search",
    "search_class",
]

_NAMES = {target.split(":")[1]: name for name, target in SEARCHES.items()}


def __getattr__(attribute: str) -> type[Search]:
    if attribute in _NAMES:
        return search_class(_NAMES[attribute])
    raise AttributeError(f"module 'fewest.search' has no attribute {attribute!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_NAMES})
