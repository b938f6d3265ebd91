"""``fewest resume``: continue an interrupted run."""

from __future__ import annotations

import shlex
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from .._errors import InputError
from . import arguments as a
from .options import NetworkOptions, options_of
from .terminal import note, say


def resume(
    journal: Annotated[Path, typer.Argument(help="The journal of the run.")],
    max_time: Annotated[str | None, typer.Option(help="A new time budget, like 60s.")] = None,
    data: Annotated[str | None, typer.Option(help="The data file, if it has moved.")] = None,
    jobs: Annotated[str | None, a.WORKERS] = None,
    json: Annotated[Path | None, a.JSON] = None,
    report: Annotated[Path | None, a.REPORT] = None,
    bif: Annotated[Path | None, typer.Option(help="The network, for `fewest network`.")] = None,
    salvage: Annotated[
        bool,
        typer.Option(
            "--salvage", help="Copy the intact lines of a damaged journal to a new file first."
        ),
    ] = False,
    quiet: Annotated[bool, a.QUIET] = False,
    details: Annotated[bool, a.DETAILS] = False,
    format: Annotated[str, a.FORMAT] = "text",
) -> None:
    """Continue the run that wrote JOURNAL, exactly where it stopped.

    Output files are never taken from the journal: give --json and --report again.
    """
    from .._run.journal import read_lines

    if salvage:
        journal = _salvaged(journal)
    header = read_lines(journal)[0][0]
    if "command" not in header:
        raise InputError(
            f"The journal {journal} was written from Python: call `fit` again with the same "
            "arguments and the same journal to continue."
        )
    options = options_of(header["command"], f"the journal {journal}")
    given = {"data": data, "max_time": max_time, "seed": header.get("seed")}
    options = options.changed(
        **{name: value for name, value in given.items() if value is not None},
        jobs=None if jobs is None else a.workers(jobs),
        journal=str(journal),
        json=a.text(json),
        report=a.text(report),
        quiet=quiet,
        details=details,
        format=format,
    )
    if isinstance(options, NetworkOptions):
        options = options.changed(bif=a.text(bif))
    elif bif is not None:
        raise InputError(
            f"`--bif` goes with `fewest network`, but {journal} is of `{options.verb}`."
        )
    # The module of a command has its name.
    command = import_module(f".{options.verb}", __package__)
    if command.fingerprint(options) != header.get("data"):
        raise InputError(
            f"{options.data} does not hold the data of this journal: give the right file with "
            "--data."
        )
    _suggest(header["command"], {"json": json, "report": report, "bif": bif})
    command.run(options)


def _salvaged(journal: Path) -> Path:
    from .._run.journal import salvage

    found, kept, total = salvage(journal)
    say(f"Kept {kept} of {total} lines of {journal} in {found}.")
    return found


def _suggest(command: dict[str, Any], given: dict[str, Path | None]) -> None:
    """Print what the run wrote at first, as options to copy."""
    old = [
        f"--{name} {shlex.quote(str(command[name]))}"
        for name, now in given.items()
        if now is None and command.get(name)
    ]
    if old:
        note(f"The run was started with {' '.join(old)}: add this to write the same files.")
