"""What goes with what among the best subsets: the network that a search learns from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..search.base import Search
from ..search.better import Better
from ..search.distribution.base import Generation
from ..search.distribution.ebna import EBNA
from ..search.spaces.subsets import Subsets
from .archive import Archive

#: Wider networks are neither quick to learn again nor readable.
MOST_UNITS = 60


def learned_network(search: Search, archive: Archive, names: tuple[str, ...]) -> dict[str, Any]:
    """Names, arcs and number of rows of EBNA's network; nothing for searches without one.

    It is learned as in a generation, from as many rows, but from the best distinct subsets of
    the whole run, so that it does not depend on when the run was stopped.
    """
    space = archive.space
    if not isinstance(search, EBNA) or not isinstance(space, Subsets):
        return {}
    rows = archive.up_to(None)
    if not 2 <= space.n_units <= MOST_UNITS or len(rows) < 2:
        return {}
    value = archive.scores.value[rows]
    order = Better(space).order(archive.candidates[rows], value)
    best = order[: max(2, round(search.selected * search.population))]
    selected = archive.candidates[rows[best]].astype(np.uint8)
    model = search.learn(Generation(selected, value[best], space.cardinalities, None))
    arcs = [[int(a), int(b)] for a, b in model.graph.arcs]  # type: ignore[attr-defined]
    words = [" + ".join(names[f] for f in unit) for unit in space.units]
    return {"network": {"names": words, "arcs": arcs, "rows": len(best)}}
