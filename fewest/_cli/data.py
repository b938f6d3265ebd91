"""``fewest data``: list, describe, fetch and write data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .terminal import clean, say, show

app = typer.Typer(
    help="List, describe, fetch and make data sets.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command("list")
def list_() -> None:
    """List the data sets that can be used by name."""
    from ..data import _load as shipped
    from ..data._load import folders, in_folder

    rows: dict[str, tuple[str, str]] = {}
    for folder in folders():
        for name, title in in_folder(folder).items():
            rows.setdefault(name, (str(folder), title))
    for name, about in shipped.names().items():
        rows.setdefault(name, (shipped.origin(name), about))
    _print(("name", "where", "about"), [(name, *row) for name, row in rows.items()])


@app.command()
def describe(
    name: Annotated[str, typer.Argument(help="A file, or the name of a data set.")],
    target: Annotated[str | None, typer.Option(help="The column to predict.")] = None,
    columns: Annotated[int, typer.Option(min=0, help="Number of columns to show.")] = 40,
) -> None:
    """Show rows, kinds, unknown values, classes and columns of a data set."""
    from ..data import load
    from ..data._dataset import describe as summary_of

    summary = summary_of(load(name, target=target))
    say(f"{summary['name']}" + (f": {summary['about']}" if summary["about"] else ""))
    say(
        f"{summary['rows']} rows, {summary['features']} features ({summary['continuous']} "
        f"continuous, {summary['nominal']} nominal), {summary['unknown']} unknown values"
    )
    classes = summary["classes"]
    listed = ", ".join(f"{label} {count}" for label, count in (classes or {}).items())
    say(f"target {summary['target']}: {listed or 'a number'}")
    if summary["relevant"] is not None:
        say(f"relevant: {', '.join(summary['relevant']) or 'none'}")
    say()
    shown = summary["columns"][:columns]
    _print(("column", "kind", "unknown", "values"), [_row(column) for column in shown])
    if len(shown) < summary["features"]:
        say(f"... and {summary['features'] - len(shown)} more (--columns)")


@app.command()
def fetch(
    name: Annotated[str, typer.Argument(help="A name at OpenML, or in this project's catalog.")],
    version: Annotated[int, typer.Option(min=1, help="The version at OpenML.")] = 1,
) -> None:
    """Fetch a data set from OpenML into your cache; afterwards its name can be used."""
    from ..data._load import find
    from ..data._openml import fetch as fetched

    known = find(name)
    path = known or fetched(name, version=version)
    say(f"{name} is {'already there' if known else 'now there'}: {path}")


@app.command()
def make(
    name: Annotated[
        str, typer.Argument(help="The name of a generator, a Bayesian network or any data set.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="A .csv, .tsv or .arff file (default: NAME.csv)."),
    ] = None,
    rows: Annotated[int | None, typer.Option(help="Number of rows of a generated set.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of a generated set.")] = 0,
) -> None:
    """Write a generated data set (or any other) to a file."""
    from .._errors import InputError
    from ..data import _generators as generators
    from ..data import generate, load
    from ..data._write import looks_numeric, write
    from ..networks._bif import network_files, sample_dataset

    output = Path(f"{name}.csv") if output is None else output
    if name in generators.names():
        dataset = generate(name, rows, seed)
    elif name in network_files():
        dataset = sample_dataset(name, n_rows=5000 if rows is None else rows, random_state=seed)
    elif rows is not None:
        raise InputError(f"`--rows` must be left out for {name}, which is not generated.")
    else:
        dataset = load(name)
    write(dataset, output)
    say(f"Wrote {len(dataset.y)} rows and {len(dataset.names)} features to {output}.")
    if looks_numeric(dataset) and ".arff" not in output.name:
        say("Its nominal values look like numbers in this format; .arff keeps them nominal.")


def _row(column: dict[str, Any]) -> tuple[str, ...]:
    if column["kind"] == "nominal":
        levels = column["levels"]
        more = f", ... ({len(levels)} values)" if len(levels) > 8 else ""
        values = ", ".join(levels[:8]) + more
    elif column["low_mean_high"] is None:
        values = ""
    else:
        low, mean, high = column["low_mean_high"]
        values = f"{low:g} to {high:g}, mean {mean:.4g}"
    return column["name"], column["kind"], str(column["unknown"]), values


def _print(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(column, no_wrap=column in ("name", "kind"), overflow="fold")
    for row in rows:
        table.add_row(*(Text(clean(cell, lines=False)) for cell in row))
    show(table)
