"""``fewest report``: a saved result as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .terminal import say


def report(
    result: Annotated[Path, typer.Argument(help="What select or compare wrote with --json.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write.")] = Path(
        "report.html"
    ),
) -> None:
    """Turn the saved RESULT, or a saved comparison, into one self-contained HTML page."""
    from .._report.page import write_saved

    write_saved(result, output)
    say(f"Written: {output}")
