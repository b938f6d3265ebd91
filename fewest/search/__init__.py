"""Searches: from scored subsets to the next ones.

The classes load when they are first asked for: ``from fewest.search import EBNA``.
"""

from __future__ import annotations

from .base import Proposals, Search, Verdict
from .better import Better
from .registry import SEARCHES, list_searches, resolve_search, search_class
from .spaces.base import Space
from .spaces.subsets import Subsets

__all__ = [
    "Better",
    "Proposals",
    "Search",
    "Space",
    "Subsets",
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
    return sorted([*__all__, *_NAMES])
