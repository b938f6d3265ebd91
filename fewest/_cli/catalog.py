"""``fewest searches`` and ``fewest measures``: what there is, from what the classes declare."""

from __future__ import annotations

import shutil
import textwrap
from typing import Annotated, Any

import typer

from . import arguments as a
from .terminal import say

WIDTH = shutil.get_terminal_size().columns
NAME = typer.Argument(help="One of them, with everything about it.", show_default=False)
LONG = typer.Option("--long", help="Everything about all of them.")


def searches(
    name: Annotated[str | None, NAME] = None,
    long: Annotated[bool, LONG] = False,
) -> None:
    """List the searches and what each can do."""
    from ..search._search_names import list_searches

    flags = {
        "needs_monotone": "needs a monotone measure",
        "needs_advice": "needs an estimator",
        "complete": "complete",
    }
    _print(list_searches(), flags, name, long)


def measures(
    name: Annotated[str | None, NAME] = None,
    long: Annotated[bool, LONG] = False,
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
        flags = {"monotone": "monotone", "folds": "has folds", "fast": "fast"}
        _print(list_measures(), flags, name, long)
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


def _print(rows: list[dict[str, Any]], flags: dict[str, str], name: str | None, long: bool) -> None:
    """Print a line for each row by groups, or everything about one of them or all."""
    meant = [row for row in rows if name in (None, row["name"])]
    if not meant:
        raise _unknown(rows, str(name), "measures" if "monotone" in flags else "searches")
    if name is not None or long:
        for row in meant:
            _print_whole(row, flags)
        return
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in meant:
        groups.setdefault(row["group"], []).append(row)
    for group, members in groups.items():
        _print_group(group, members)


def _print_group(group: str, members: list[dict[str, Any]]) -> None:
    """Print a heading and one line per member, cut between words where it is too long."""
    say(f"{group}:")
    left = max(len(row["name"]) for row in members) + 4
    for row in members:
        rest = textwrap.shorten(row["summary"], max(WIDTH - left, 20), placeholder=" …")
        say(f"  {row['name']:<{left - 4}}  {rest}")
    say("")


def _print_whole(row: dict[str, Any], flags: dict[str, str]) -> None:
    """Print what a row declares, a line each."""
    others = [s for s in str(row.get("spaces", "")).split(", ") if s not in ("", "subsets")]
    notes = [f"also {space}" for space in others]
    notes += [words for flag, words in flags.items() if row.get(flag)]
    say(f"{row['name']} ({row['class']})")
    for line in (row["summary"], f"{row['group']}.", ", ".join(notes), f"Source: {row['source']}."):
        if line:
            say(textwrap.fill(line, WIDTH - 2, initial_indent="  ", subsequent_indent="  "))


def _unknown(rows: list[dict[str, Any]], name: str, verb: str) -> Exception:
    from .._errors import InputError
    from ..measures._models_by_name import hint_for

    hint = hint_for(name, [row["name"] for row in rows])
    return InputError(f"`NAME` must be a name that `fewest {verb}` lists, but is {name!r}.{hint}")
