"""Which features go together in the best subsets: the graph that a search learns from them."""

from __future__ import annotations

from typing import Any

from ..search.base import Search
from ..search.better import Better
from ..search.spaces.subsets import Subsets
from .archive import Archive


def learned_network(search: Search, archive: Archive, names: tuple[str, ...]) -> dict[str, Any]:
    """Names, arcs and number of rows of the search's graph; empty for searches without one.

    The graph is learned from the best distinct subsets of the whole run, so it does not depend
    on when the run was stopped.
    """
    space = archive.space
    learns = type(search).learned_graph is not Search.learned_graph
    if not learns or not isinstance(space, Subsets):
        return {}
    rows = archive.up_to(None)
    value = archive.scores.value[rows]
    order = Better(space).order(archive.candidates[rows], value)
    graph = search.learned_graph(archive.candidates[rows[order]], value[order], space)
    if graph is None:
        return {}
    units = [" + ".join(names[f] for f in unit) for unit in space.units]
    arcs = [list(arc) for arc in graph.arcs]
    return {"network": {"names": units, "arcs": arcs, "rows": graph.rows}}
