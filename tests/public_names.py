"""Write the public names of the lazy packages from their tables: ``python -m tests.public_names``.

A package says in ``_HOME`` where its names stand (the registries do for searches and measures).
Type checkers need the imports and ``__all__`` in the text; this writes them, and a test compares.
"""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import textwrap
from collections import defaultdict
from pathlib import Path

PACKAGES = ["fewest", "fewest.classifiers", "fewest.measures", "fewest.networks", "fewest.search"]
BEGIN, END = "# names: begin\n", "# names: end\n"


def written(name: str) -> tuple[Path, str]:
    """Return the file of a package, and its text with the names as they should be."""
    package = importlib.import_module(name)
    path = Path(package.__file__ or "")
    text = path.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    return path, _formatted(head + BEGIN + _names(package, ast.parse(head)) + END + tail)


def _names(package: object, head: ast.Module) -> str:
    homes, rooms = package._HOME, getattr(package, "_ROOMS", ())
    by_module = defaultdict(list)
    for name, module in homes.items():
        by_module[f".{module}"].append(name)
    if rooms:
        by_module["."] = [f"{room} as {room}" for room in rooms]
    imports = [f"    from {m} import {', '.join(sorted(n))}" for m, n in sorted(by_module.items())]
    public = sorted({*homes, *_eager(head)})
    listed = textwrap.indent(textwrap.fill(", ".join(f'"{name}"' for name in public), 96), "    ")
    return "\n".join(
        ["if TYPE_CHECKING:", *imports, "", f"__all__ = [\n{listed},\n]  # fmt: skip", ""]
    )


def _eager(head: ast.Module) -> set[str]:
    """Names that the package imports from its own files at once, constants aside."""
    found = {
        alias.asname or alias.name
        for node in head.body
        if isinstance(node, ast.ImportFrom) and node.level
        for alias in node.names
    }
    return {n for n in found if n == "__version__" or not (n.startswith("_") or n.isupper())}


def _formatted(text: str) -> str:
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["check", "--select", "I", "--fix", "-q"], ["format", "-q"]):
        call = [*ruff, *command, "--stdin-filename", "fewest/__init__.py", "-"]
        text = subprocess.run(call, input=text, capture_output=True, text=True, check=True).stdout
    return text


if __name__ == "__main__":
    for package in PACKAGES:
        path, text = written(package)
        path.write_text(text, encoding="utf-8")
