"""The data of a domain: from a file, or generated."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ..data.dataset import Dataset
from ..data.generators.registry import generate
from ..data.load import find, load
from ..errors import InputError
from .paper import Paper


@lru_cache(maxsize=4)
def _load(name: str, folder: Path | None) -> Dataset:
    return load(find(name, first=folder) or name)


def domain_data(paper: Paper, domain: str, seed: int) -> Dataset:
    """The data set that a paper calls by this name."""
    entry = paper.domains[domain]
    if "generate" in entry:
        return generate(entry["generate"], entry.get("rows"), seed)
    return _load(entry["data"], paper.folder)


def absence(paper: Paper, domain: str) -> str | None:
    """A sentence why a domain cannot be run, or None if it can."""
    entry = paper.domains[domain]
    if "absent" in entry:
        return str(entry["absent"])
    for name in (entry.get("data"), entry.get("test")):
        if name is not None:
            try:
                _load(name, paper.folder)
            except InputError:
                return (
                    f"{domain}: there is no data set {name!r} here; put it into the folder that "
                    "$FEWEST_DATA names."
                )
    return None


def test_data(paper: Paper, domain: str) -> Dataset | None:
    """The test file of a domain that has one."""
    name = paper.domains[domain].get("test")
    return None if name is None else _load(name, paper.folder)
