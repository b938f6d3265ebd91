"""What the library quotes of the study: a small file beside the rule that picks a search."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .summary import Row, main_methods, means

FILE = Path(__file__).parents[2] / "fewest" / "search" / "evidence.json"
#: The methods that notes quote, by the name under which they are looked up.
QUOTED = {
    "ebna": "ebna, patience 10",
    "umda": "umda, patience 10",
    "sffs": "sffs",
    "sfs": "sfs",
    "consensus": "sfs, consensus 20, half-se",
}


def evidence(rows: list[Row], name: str) -> dict[str, Any]:
    """Gain, share and stability of the quoted methods over the tables that all finished.

    ``name`` is the file that the rows are in.
    """
    found = main_methods(rows)
    lines = {line["method"]: line for line in means(found)}
    quoted = {
        name: {key: round(lines[method][key], 2) for key in ("gain", "share", "stability")}
        for name, method in QUOTED.items()
        if method in lines
    }
    return {"rows": name, "tables": len(next(iter(found.values()))), "methods": quoted}


def write_evidence(rows: list[Row], name: str) -> None:
    """Write the file that the library reads."""
    FILE.write_text(json.dumps(evidence(rows, name), indent=1) + "\n", encoding="utf-8")
