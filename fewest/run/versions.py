"""What a result depends on besides fewest itself: the versions of what it stands on."""

from __future__ import annotations

import platform
from functools import lru_cache
from importlib.metadata import version

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Versions of Python and of the packages that make the numbers.

    >>> sorted(versions())
    ['numba', 'numpy', 'python', 'scikit-learn', 'scipy']
    """
    return {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}
