"""What the library quotes of the study: a small file beside the rule that picks a search."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.study.rule import FEW_ROWS
from benchmarks.study.summary import Found, Row, main_methods, means

FILE = Path(__file__).parents[2] / "fewest" / "search" / "evidence.json"
#: The methods that notes quote, by the name under which they are looked up.
QUOTED = {
    "ebna": "ebna, patience 10, consensus archive",
    "umda": "umda, patience 10, consensus archive",
    "sffs": "sffs",
    "sfs": "sfs",
    "consensus": "sfs, consensus 20, half-se",
}


def evidence(rows: list[Row], name: str) -> dict[str, Any]:
    """Gain, share, stability and rank of the quoted methods, on tables with few and with many rows.

    ``name`` is the file that the rows are in.
    """
    found = main_methods(rows)
    first = next(iter(found.values()))
    kinds = {
        kind: [t for t, row in first.items() if (row["rows"] < FEW_ROWS) == few]
        for kind, few in (("few", True), ("many", False))
    }
    told = {kind: _quoted(found, tables) for kind, tables in kinds.items() if tables}
    return {"rows": name, "few_rows": FEW_ROWS, **told}


def _quoted(found: Found, tables: list[str]) -> dict[str, Any]:
    lines = {
        x["method"]: x for x in means({m: {t: v[t] for t in tables} for m, v in found.items()})
    }
    methods = {
        name: {key: round(lines[method][key], 2) for key in ("gain", "share", "stability", "rank")}
        for name, method in QUOTED.items()
        if method in lines
    }
    return {"tables": len(tables), "methods": methods}


def write_evidence(rows: list[Row], name: str) -> None:
    """Write the file that the library reads."""
    FILE.write_text(json.dumps(evidence(rows, name), indent=1) + "\n", encoding="utf-8")
