"""``fewest resume``: go on with a run that was cut short."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import InputError


def resume(
    journal: Annotated[Path, typer.Argument(help="The journal of the run.")],
    max_time: Annotated[str | None, typer.Option(help="A new time budget, like 60s.")] = None,
) -> None:
    """Go on with the run that JOURNAL belongs to, exactly where it stopped."""
    from ..run.journal import read_lines
    from .select import run

    header = read_lines(journal)[0][0]
    command = header.get("command")
    if command is None:
        raise InputError(
            f"The journal {journal} was written from Python: call `fit` again with the same "
            "arguments and the same journal, and it goes on."
        )
    if max_time is not None:
        command["max_time"] = max_time
    run({**command, "journal": str(journal), "seed": header["seed"]})
