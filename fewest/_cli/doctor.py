"""``fewest doctor``: what a bug report needs to say about the installation."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from .._version import __version__
from .terminal import say

_NEEDED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?[^;]*(?:;.*extra == ['\"]([^'\"]+)['\"])?")
#: Extras for developers; their packages say nothing about a user's problem.
_DEVELOPERS = {"bench", "coverage", "docs", "release", "test"}


def doctor() -> None:
    """Print versions, installed extras, cores, and the cache and data folders."""
    say(f"fewest {__version__}, Python {platform.python_version()}, {platform.platform()}")
    say(f"installed in {Path(__file__).parents[1]}")
    say(f"cores: {os.cpu_count()}, of which this process may use {_usable_cores()}")
    needed = packages()
    say("\npackages")
    for name in needed.pop("", []):
        say(f"  {name} {_version(name) or 'is missing'}")
    say("\nextras")
    for extra, names in sorted(needed.items()):
        say(f"  {extra}: {_extra(extra, names)}")
    say("\nfolders")
    for what, folder in _folders().items():
        say(f"  {what}: {folder}")


def packages() -> dict[str, list[str]]:
    """Return the required packages by extra; those that are always required under ``""``."""
    found: dict[str, list[str]] = {}
    for line in requires("fewest") or []:
        match = _NEEDED.match(line)
        if match and match[1] != "fewest" and match[2] not in _DEVELOPERS:
            found.setdefault(match[2] or "", []).append(match[1])
    return found


def _extra(extra: str, names: list[str]) -> str:
    versions = {name: _version(name) for name in names}
    if all(versions.values()):
        return ", ".join(f"{name} {found}" for name, found in versions.items())
    missing = ", ".join(name for name, found in versions.items() if not found)
    return f"not installed ({missing} missing); pip install 'fewest[{extra}]'"


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _usable_cores() -> int:
    import joblib

    return int(joblib.cpu_count())


def _folders() -> dict[str, str]:
    """Return where data sets are looked up, and where numba keeps compiled kernels."""
    from numba import config

    from ..data._load import cache_folder, checkout_folder, in_folder

    given = os.environ.get("FEWEST_DATA")
    places = {
        "data ($FEWEST_DATA)": Path(given) if given else None,
        "data (checkout)": next(iter(checkout_folder()), None),
        "data (cache)": cache_folder(),
    }
    told = {
        what: f"{folder} ({len(in_folder(folder))} data sets)" if folder else "none"
        for what, folder in places.items()
    }
    kernels = Path(__file__).parents[1] / "_kernels"
    beside = "beside the kernels" if os.access(kernels, os.W_OK) else "in the user's cache"
    return told | {"compiled kernels": config.CACHE_DIR or beside}
