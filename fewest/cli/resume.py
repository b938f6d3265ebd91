"""``fewest resume``: go on with a run that was cut short."""

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
    data: Annotated[
        str | None, typer.Option(help="The data, if they are no longer where they were.")
    ] = None,
    jobs: Annotated[int | None, a.JOBS] = None,
    json: Annotated[Path | None, a.JSON] = None,
    report: Annotated[Path | None, a.REPORT] = None,
    salvage: Annotated[
        bool, typer.Option("--salvage", help="Keep what is intact of a damaged journal first.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Go on with the run that JOURNAL belongs to, exactly where it stopped.

    The journal never decides what is written: give --json and --report again.
    """
    from ..run.journal import read_lines
    from .select import run

    if salvage:
        journal = _salvaged(journal)
    header = read_lines(journal)[0][0]
    if "command" not in header:
        raise InputError(
            f"The journal {journal} was written from Python: call `fit` again with the same "
            "arguments and the same journal, and it goes on."
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
