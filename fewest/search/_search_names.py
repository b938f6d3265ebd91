"""Searches by name. A new search is one file and one line here."""

from __future__ import annotations

import importlib
from typing import Any

from .._errors import InputError, did_you_mean
from ._search import Search

SEARCHES: dict[str, str] = {
    "exhaustive": "_exhaustive:Exhaustive",
    "random": "_random:RandomSearch",
    "sfs": "_sequential:SFS",
    "sbe": "_sequential:SBE",
    "sffs": "_sequential:SFFS",
    "sbfs": "_sequential:SBFS",
    "best-first": "_best_first:BestFirst",
    "path": "_path:Path",
    "rfe": "_elimination:RFE",
    "boruta": "_elimination:Boruta",
    "l1-path": "_elimination:L1Path",
    "knockoffs": "_elimination:Knockoffs",
    "ga-one-point": "_genetic:GAOnePoint",
    "ga-uniform": "_genetic:GAUniform",
    "ga-simple": "_genetic:GASimple",
    "chc": "_genetic:CHC",
    "annealing": "_random:Annealing",
    "pareto": "_pareto:Pareto",
    "umda": "_distribution:UMDA",
    "pbil": "_distribution:PBIL",
    "bsc": "_distribution:BSC",
    "cga": "_distribution:CGA",
    "mimic": "_distribution:MIMIC",
    "tree": "_distribution:TREE",
    "bmda": "_distribution:BMDA",
    "comit": "_network_models:COMIT",
    "ecga": "_distribution:EcGA",
    "boa": "_network_models:BOA",
    "fda": "_network_models:FDA",
    "ebna": "_network_models:EBNA",
    "umda-c": "_continuous:UMDAc",
    "pbil-c": "_continuous:PBILc",
    "shclvnd": "_continuous:SHCLVND",
    "servet": "_continuous:Servet",
    "mimic-c": "_continuous:MIMICc",
    "emna": "_continuous:EMNA",
    "emna-adaptive": "_continuous:EMNAAdaptive",
    "emna-incremental": "_continuous:EMNAIncremental",
    "egna": "_continuous:EGNA",
    "cma-es": "_continuous:CMAES",
    "ga-order": "_orderings:GAOrder",
    "climb-order": "_orderings:ClimbOrder",
    "plackett-luce": "_orderings:PlackettLuceEDA",
    "climb-graph": "_graphs:ClimbGraph",
    "tabu-graph": "_graphs:TabuGraph",
    "iterated-tabu-graph": "_graphs:IteratedTabuGraph",
    "anneal-graph": "_graphs:AnnealGraph",
    "ga-graph": "_graphs:GAGraph",
    "exact-graph": "_graphs:ExactGraph",
    "exact": "_exact:Exact",
    "focus-m": "_lattice:FocusM",
    "abb": "_lattice:ABB",
    "set-cover": "_lattice:SetCover",
    "lvf": "_lattice:LVF",
    "qbb": "_lattice:QBB",
}


def search_class(name: str) -> type[Search]:
    """Return the class behind a name such as ``"ebna"``.

    Examples
    --------
    >>> from fewest.search import search_class
    >>> search_class("sfs").__name__
    'SFS'
    """
    if name not in SEARCHES:
        hint = did_you_mean(name, SEARCHES, " Usual ones are path and sfs.")
        raise InputError(
            f"`search` must be a Search or a name that `fewest searches` lists, but is {name!r}."
            f"{hint}"
        )
    module, cls = SEARCHES[name].split(":")
    found: type[Search] = getattr(importlib.import_module(f".{module}", __package__), cls)
    return found


def resolve_search(search: object) -> Search:
    """Return a Search from a Search or its name.

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


def _group(cls: type[Search]) -> str:
    """Return what a search is for."""
    if cls.needs_monotone:
        return "Smallest subsets that reach a threshold (monotone measures)"
    if "subsets" in cls.spaces:
        return "Subsets of features"
    return {"box": "Weights of features", "orderings": "Orderings of variables"}.get(
        cls.spaces[0], "Graphs of Bayesian networks"
    )


def list_searches() -> list[dict[str, Any]]:
    """List what each search can do, from what its class declares.

    Examples
    --------
    >>> from fewest.search._search_names import list_searches
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
                "group": _group(cls),
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
