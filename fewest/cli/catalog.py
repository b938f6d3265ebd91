"""``fewest searches`` and ``fewest measures``: what there is, from what the classes declare."""

from __future__ import annotations

from typing import Any

from .terminal import show


def searches() -> None:
    """List the searches and what each can do."""
    from ..search.registry import list_searches

    flags = {
        "needs_monotone": "needs a monotone measure",
        "needs_advice": "needs an estimator",
        "complete": "complete",
    }
    _print(list_searches(), flags)


def measures() -> None:
    """List the measures and what each needs."""
    from ..measures.registry import list_measures

    _print(list_measures(), {"monotone": "monotone", "folds": "has folds", "fast": "fast"})


def _print(rows: list[dict[str, Any]], flags: dict[str, str]) -> None:
    """Print a table: name, summary, and the properties of each row in words."""
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("name", no_wrap=True)
    table.add_column("what it does", ratio=5)
    table.add_column("good to know", ratio=2)
    table.add_column("source", ratio=2)
    for row in rows:
        others = [s for s in str(row.get("spaces", "")).split(", ") if s not in ("", "subsets")]
        notes = [f"also {space}" for space in others]
        notes += [words for flag, words in flags.items() if row.get(flag)]
        table.add_row(row["name"], row["summary"], ", ".join(notes), row["source"])
    show(table)
