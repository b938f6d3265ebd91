"""``fewest report``: a saved result as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    result: Annotated[Path, typer.Argument(help="A result file written with --json.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write.")] = Path(
        "report.html"
    ),
) -> None:
    """Turn the saved RESULT into one self-contained HTML page."""
    from ..report.page import write_page
    from ..run.result import Result

    write_page(Result.load(result), output)
    print(f"Written: {output}")
