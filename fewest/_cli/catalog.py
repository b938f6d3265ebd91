"""``fewest searches`` and ``fewest measures``: what there is, from what the classes declare."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from . import arguments as a
from .terminal import say, show


def searches() -> None:
    """List the searches and what each can do."""
    from ..search._search_names import list_searches

    flags = {
        "needs_monotone": "needs a monotone measure",
        "needs_advice": "needs an estimator",
        "complete": "complete",
    }
    _print(list_searches(), flags)


def measures(
    data: Annotated[
        str | None,
        typer.Option("--for", help="Show for this data set which models are scored fast, and why."),
    ] = None,
    target: Annotated[str | None, a.TARGET] = None,
    scoring: Annotated[str | None, a.SCORING] = None,
) -> None:
    """List the measures and what each needs."""
    from ..measures._measure_names import list_measures

    if data is None:
        _print(list_measures(), {"monotone": "monotone", "folds": "has folds", "fast": "fast"})
    else:
        _print_speeds(data, target, scoring)


def _print_speeds(data: str, target: str | None, scoring: str | None) -> None:
    """Print the path of every model on a table."""
    from .._errors import InputError
    from ..measures._measure_names import resolve_measure
    from ..measures._models_by_name import ESTIMATORS, named_estimator
    from ..measures._speed import speed_of
    from . import objects as build

    table = build.dataset(data, target, None, None).table()
    for name in ESTIMATORS:
        try:
            named_estimator(name)
            measure = resolve_measure(name, scoring=scoring)
            if measure.task in (None, "regression" if table.classes is None else "classification"):
                say(str(speed_of(measure, table)))
        except InputError as error:
            say(f"{name}: {error}")


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
