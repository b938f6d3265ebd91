"""Experiments of the five documents: ``python -m papers inza2000``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from fewest import InputError
from fewest._cli import arguments as a
from fewest._cli.terminal import complain, note, say

DOMAIN = typer.Option("--domain", "-d", help="Only this domain; may be given several times.")
PART = typer.Option("--part", "-p", help="Only this part, e.g. naive-bayes; several times.")
TABLE = typer.Option(
    "--table", "-t", help="Only the part with this table, e.g. 7.2; several times."
)
QUICK = typer.Option("--quick", help="Fewer domains, smaller populations: minutes, not hours.")
ALL = typer.Option("--all", help="All five papers, one after the other.")
OUT = typer.Option("--out", "-o", help="A folder; what is finished in it is not run again.")
FOLDER = typer.Option("--data", help="The folder with the data sets, instead of $FEWEST_DATA.")


def reproduce(
    paper: Annotated[
        str | None, typer.Argument(help="inza2000, inza2002, dash2003, drugan2010 or hsu2004.")
    ] = None,
    every: Annotated[bool, ALL] = False,
    domain: Annotated[list[str] | None, DOMAIN] = None,
    part: Annotated[list[str] | None, PART] = None,
    table: Annotated[list[str] | None, TABLE] = None,
    quick: Annotated[bool, QUICK] = False,
    out: Annotated[Path, OUT] = Path("reproduction"),
    seed: Annotated[int, a.SEED] = 0,
    jobs: Annotated[int | None, a.JOBS] = None,
    data: Annotated[Path | None, FOLDER] = None,
) -> None:
    """Repeat the experiments of PAPER and compare the results with the printed ones.

    Finished experiments are saved in OUT/PAPER.jsonl. Run the same command again to continue.
    """
    from .paper import PAPERS

    if every == (paper is not None):
        raise typer.BadParameter("give the name of one paper, or --all.")
    if every and (domain or part or table):
        raise typer.BadParameter("--domain, --part and --table need the name of one paper.")
    for name in PAPERS if paper is None else (paper,):
        if every:
            say(f"{name}:")
        _reproduce(name, domain, part, table, quick, out, seed, jobs, data)


def _reproduce(
    paper: str,
    domain: list[str] | None,
    part: list[str] | None,
    table: list[str] | None,
    quick: bool,
    out: Path,
    seed: int,
    jobs: int | None,
    data: Path | None,
) -> None:
    from .experiment import Settings
    from .markdown import headline
    from .page import write
    from .paper import read_paper
    from .runner import Interrupted, Record, derived, parts_of, plan, remaining, run
    from .summary import summarize

    settings = Settings(seed, quick)
    figures = read_paper(paper, data)
    wanted = [*(part or []), *parts_of(figures, table or [])]
    experiments, absent = plan(figures, settings, domain, wanted)
    record = Record(out / f"{paper}.jsonl", paper, settings)
    cut = False
    with Progress() as progress:
        try:
            run(experiments, record, progress.begin, jobs)
        except Interrupted:
            cut = True
    left = remaining(figures, settings, record)
    more = derived(figures, record)
    summary = summarize(figures, record, list(dict.fromkeys([*absent, *left])), cut, more)
    written = write(summary, out)
    say(headline(summary))
    for sentence in absent:
        say(f"Not run: {sentence}")
    say(f"Written: {', '.join(map(str, written))}")
    if cut:
        complain("Interrupted; run the same command again to continue.")
        raise typer.Exit(130)


class Progress:
    """Progress bar on a terminal; elsewhere one line per experiment."""

    def __enter__(self) -> Progress:
        from rich import progress as parts
        from rich.console import Console

        console = Console(stderr=True)
        self._bar: Any = None
        if console.is_terminal:
            columns = (
                parts.SpinnerColumn(), parts.TextColumn("{task.description}"), parts.BarColumn(),
                parts.MofNCompleteColumn(), parts.TimeElapsedColumn(),
                parts.TimeRemainingColumn(), parts.TextColumn("left"),
            )  # fmt: skip
            self._bar = parts.Progress(*columns, console=console, transient=True)
            self._task = self._bar.add_task("", total=None)
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begin(self, done: int, total: int, key: str) -> None:
        """Show that an experiment begins."""
        if self._bar is None:
            note(f"{done + 1} of {total}: {key}")
        else:
            self._bar.update(self._task, completed=done, total=total, description=key)


app = typer.Typer(add_completion=False)
app.command()(reproduce)

if __name__ == "__main__":
    try:
        app()
    except InputError as error:
        sys.exit(str(error))
