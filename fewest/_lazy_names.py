"""Names of a package that are imported when somebody asks for them."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import Any


def add_lazy_names(
    namespace: dict[str, Any], homes: Mapping[str, str], rooms: Iterable[str] = ()
) -> None:
    """Give a package ``__getattr__`` and ``__dir__``, from the module of each of its names."""
    package = namespace["__name__"]

    def find(name: str) -> Any:
        if name in homes:
            return getattr(importlib.import_module(f".{homes[name]}", package), name)
        if name in rooms:
            return importlib.import_module(f".{name}", package)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    namespace["__getattr__"] = find
    namespace["__dir__"] = lambda: sorted([*namespace["__all__"], *rooms])
