"""The searches by name. A new search is one file and one line here."""

from __future__ import annotations

import difflib
import importlib
from typing import Any

from ..errors import InputError
from .base import Search

SEARCHES: dict[str, str] = {
    "exhaustive": "exhaustive:Exhaustive",
    "random": "random_search:RandomSearch",
    "sfs": "sequential.sfs:SFS",
    "sbe": "sequential.sbe:SBE",
    "sffs": "sequential.sffs:SFFS",
    "sbfs": "sequential.sbfs:SBFS",
    "best-first": "sequential.best_first:BestFirst",
    "path": "path:Path",
    "rfe": "embedded.rfe:RFE",
    "boruta": "embedded.boruta:Boruta",
    "l1-path": "embedded.l1_path:L1Path",
    "knockoffs": "embedded.knockoffs:Knockoffs",
    "ga-one-point": "genetic.ga_one_point:GAOnePoint",
    "ga-uniform": "genetic.ga_uniform:GAUniform",
    "ga-simple": "genetic.ga_simple:GASimple",
    "chc": "genetic.chc:CHC",
    "annealing": "sequential.annealing:Annealing",
    "pareto": "genetic.pareto:Pareto",
    "umda": "distribution.umda:UMDA",
    "pbil": "distribution.pbil:PBIL",
    "bsc": "distribution.bsc:BSC",
    "cga": "distribution.cga:CGA",
    "mimic": "distribution.mimic:MIMIC",
    "tree": "distribution.tree:TREE",
    "bmda": "distribution.bmda:BMDA",
    "comit": "distribution.comit:COMIT",
    "ecga": "distribution.ecga:EcGA",
    "boa": "distribution.boa:BOA",
    "fda": "distribution.fda:FDA",
    "ebna": "distribution.ebna:EBNA",
    "umda-c": "continuous.umda_c:UMDAc",
    "pbil-c": "continuous.moving:PBILc",
    "shclvnd": "continuous.moving:SHCLVND",
    "servet": "continuous.moving:Servet",
    "mimic-c": "continuous.mimic_c:MIMICc",
    "emna": "continuous.emna:EMNA",
    "emna-adaptive": "continuous.emna:EMNAAdaptive",
    "emna-incremental": "continuous.emna:EMNAIncremental",
    "egna": "continuous.egna:EGNA",
    "cma-es": "continuous.cma_es:CMAES",
    "ga-order": "orderings.ga_order:GAOrder",
    "climb-order": "orderings.climb_order:ClimbOrder",
    "plackett-luce": "orderings.plackett_luce:PlackettLuceEDA",
    "climb-graph": "graphs.climb_graph:ClimbGraph",
    "tabu-graph": "graphs.tabu_graph:TabuGraph",
    "iterated-tabu-graph": "graphs.tabu_graph:IteratedTabuGraph",
    "anneal-graph": "graphs.anneal_graph:AnnealGraph",
    "ga-graph": "graphs.ga_graph:GAGraph",
    "exact-graph": "graphs.exact_graph:ExactGraph",
    "exact": "consistency.exact:Exact",
    "focus-m": "consistency.focus_m:FocusM",
    "abb": "consistency.abb:ABB",
    "set-cover": "consistency.set_cover:SetCover",
    "lvf": "consistency.lvf:LVF",
    "qbb": "consistency.qbb:QBB",
}


def search_class(name: str) -> type[Search]:
    """The class behind a name such as ``"ebna"``.

    Examples
    --------
    >>> from fewest.search import search_class
    >>> search_class("sfs").__name__
    'SFS'
    """
    if name not in SEARCHES:
        near = difflib.get_close_matches(name, SEARCHES, n=3)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise InputError(
            f"`search` must be a Search or one of {', '.join(sorted(SEARCHES))}, "
            f"but is {name!r}.{hint}"
        )
    module, cls = SEARCHES[name].split(":")
    found: type[Search] = getattr(importlib.import_module(f"{__package__}.{module}"), cls)
    return found


def resolve_search(search: object) -> Search:
    """A Search from a Search or its name.

    Examples
    --------
    >>> from fewest.search import resolve_search
    >>> resolve_search("sfs").name
    'sfs'
    """
    if isinstance(search, Search):
        return search
    if isinstance(search, str):
        return search_class(search)()
    raise InputError(
        f"`search` must be a Search or its name, but is {search!r} of type {type(search).__name__}."
    )


def list_searches() -> list[dict[str, Any]]:
    """What each search can do, from what its class declares.

    Examples
    --------
    >>> from fewest.search.registry import list_searches
    >>> [row["name"] for row in list_searches()][:2]
    ['exhaustive', 'random']
    """
    rows = []
    for name in SEARCHES:
        cls = search_class(name)
        rows.append(
            {
                "name": name,
                "class": cls.__name__,
                "summary": (cls.__doc__ or "").strip().splitlines()[0],
                "spaces": ", ".join(cls.spaces),
                "needs_monotone": cls.needs_monotone,
                "needs_advice": cls.needs_advice,
                "generational": cls.generational,
                "complete": cls.complete,
                "source": cls.source,
            }
        )
    return rows
