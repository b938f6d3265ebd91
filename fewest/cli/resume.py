"""``fewest resume``: continue an interrupted run."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import InputError
from . import arguments as a
from .options import SelectOptions
from .terminal import say


def resume(
    journal: Annotated[Path, typer.Argument(help="The journal of the run.")],
    max_time: Annotated[str | None, typer.Option(help="A new time budget, like 60s.")] = None,
    data: Annotated[str | None, typer.Option(help="The data file, if it has moved.")] = None,
    jobs: Annotated[int | None, a.JOBS] = None,
    json: Annotated[Path | None, a.JSON] = None,
    report: Annotated[Path | None, a.REPORT] = None,
    salvage: Annotated[
        bool,
        typer.Option(
            "--salvage", help="Copy the intact lines of a damaged journal to a new file first."
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Continue the run that wrote JOURNAL, exactly where it stopped.

    Output files are never taken from the journal: give --json and --report again.
    """
    from ..run.journal import read_lines
    from .select import run

    if salvage:
        journal = _salvaged(journal)
    header = read_lines(journal)[0][0]
    if "command" not in header:
        raise InputError(
            f"The journal {journal} was written from Python: call `fit` again with the same "
            "arguments and the same journal to continue."
        )
    options = SelectOptions.of_journal(header["command"], f"the journal {journal}")
    options = options.changed(
        data=options.data if data is None else data,
        max_time=options.max_time if max_time is None else max_time,
        seed=header.get("seed", options.seed),
        jobs=jobs,
        journal=str(journal),
        json=None if json is None else str(json),
        report=None if report is None else str(report),
        quiet=quiet,
    )
    _check_same_data(options, header.get("data"))
    _suggest(header["command"], json, report)
    run(options)


def _salvaged(journal: Path) -> Path:
    from ..run.journal import salvage

    found, kept, total = salvage(journal)
    say(f"Kept {kept} of {total} lines of {journal} in {found}.")
    return found


def _check_same_data(o: SelectOptions, fingerprint: object) -> None:
    """Say nothing about a file, and do nothing with it, that is not the data of the run."""
    from ..fitting.problem import make_problem
    from . import build

    found = build.dataset(o.data, o.target)
    measure = build.measure(o.measure, o.classifier, o.cv, o.scoring)
    table = make_problem(found.X, found.y, measure, nominal=a.words(o.nominal)).table
    if table.fingerprint != fingerprint:
        raise InputError(
            f"{o.data} does not hold the data of this journal: give the right file with --data."
        )


def _suggest(command: dict[str, Any], json: Path | None, report: Path | None) -> None:
    """What the run wrote at first, as options to copy."""
    given = {"json": json, "report": report}
    old = [
        f"--{name} {shlex.quote(str(command[name]))}"
        for name, now in given.items()
        if now is None and command.get(name)
    ]
    if old:
        say(f"The run was started with {' '.join(old)}: add this to write the same files.")
