"""Print pip constraints: the oldest versions that pyproject.toml allows (``make test-oldest``)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

#: Extras whose packages run with the library; the tools of tests and docs are always new.
RUNNING = ("exact", "report", "plot", "parquet")


def constraints(project: dict[str, object]) -> list[str]:
    """``name>=1.6`` becomes ``name==1.6.*``, ``name>=6`` becomes ``name==6.0.*``."""
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *(name for extra in RUNNING for name in extras[extra])]
    found = [re.fullmatch(r"([\w-]+)>=(\d+)(?:\.(\d+))?", name) for name in needed]
    return [f"{m[1]}=={m[2]}.{m[3] or 0}.*" for m in found if m]


if __name__ == "__main__":
    told = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text())
    print("\n".join(constraints(told["project"])))
