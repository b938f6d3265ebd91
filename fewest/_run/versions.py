"""Objects as text and versions of the dependencies, needed to repeat a result."""

from __future__ import annotations

import platform
import re
from functools import lru_cache
from importlib.metadata import version
from typing import Any

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Return versions of Python and of the packages that make the numbers.

    >>> sorted(versions())
    ['numba', 'numpy', 'python', 'scikit-learn', 'scipy']
    """
    return {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}


def object_text(thing: Any) -> str:
    """Write an object as text, without its address in memory, so that it survives a restart.

    >>> object_text(object())
    '<object object>'
    """
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(thing))
