"""Searches: from scored subsets to the next ones.

The classes load when they are first asked for: ``from fewest.search import EBNA``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from ._better import Better
from ._search import Proposals, Search, Verdict
from ._search_names import SEARCHES, list_searches, resolve_search, search_class
from ._spaces.space import Space
from ._spaces.structures import Graphs, Orderings
from ._spaces.subsets import Subsets
from ._spaces.weight_spaces import Box, Levels

_HOME = {target.split(":")[1]: target.split(":")[0] for target in SEARCHES.values()}

# Written by `python -m tests.public_names` from the registry.
# names: begin
__all__ = ['Better', 'Box', 'Graphs', 'Levels', 'Orderings', 'Proposals', 'Search', 'Space', 'Subsets', 'Verdict', 'list_searches', 'resolve_search', 'search_class']
# names: end


def __getattr__(attribute: str) -> type[Search]:
    if attribute in _HOME:
        found: type[Search] = getattr(
            importlib.import_module(f".{_HOME[attribute]}", __package__), attribute
        )
        return found
    raise AttributeError(f"module 'fewest.search' has no attribute {attribute!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
