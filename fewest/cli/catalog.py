"""``fewest searches`` and ``fewest measures``: what there is, from what the classes declare."""

from __future__ import annotations

from typing import Any


def searches() -> None:
    """List the searches and what each can do."""
    from ..search.registry import list_searches

    _print(list_searches(), ("name", "summary", "spaces", "needs_monotone", "complete", "source"))


def measures() -> None:
    """List the measures and what each needs."""
    from ..measures.registry import list_measures

    _print(list_measures(), ("name", "summary", "monotone", "folds", "fast", "source"))


def _print(rows: list[dict[str, Any]], columns: tuple[str, ...]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column.replace("_", " "), overflow="fold")
    for row in rows:
        cells = [row.get(column, "") for column in columns]
        table.add_row(*({True: "yes", False: ""}.get(c, str(c)) for c in cells))
    Console().print(table)
