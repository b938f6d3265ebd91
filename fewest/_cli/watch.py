"""``fewest watch``: follow a run that writes a journal."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .terminal import clean, say, show

if TYPE_CHECKING:
    from .._report.live import Follower


#: The most batches in the table of the terminal, and features in its heat map.
ROWS = 12
#: Lines of the view besides those two.
AROUND = 15
#: Generations in the heat map of the terminal.
COLUMNS = 48


def watch(
    journal: Annotated[Path, typer.Argument(help="The journal of the run (--journal).")],
    web: Annotated[bool, typer.Option("--web", help="Show it on a local page instead.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Its port; 0 means any.")] = 0,
    once: Annotated[bool, typer.Option("--once", help="Show the current state and exit.")] = False,
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between updates.")] = 1.0,
) -> None:
    """Watch the run that writes JOURNAL: scores, sizes and features, batch by batch."""
    if web:
        _serve(journal, port)
        return
    from .._report.live import Follower

    follower = Follower(journal)
    if once or not sys.stdout.isatty():
        show(_view(follower))
    else:
        _follow(follower, every)


def _follow(follower: Follower, every: float) -> None:
    from rich.live import Live

    try:
        with Live(auto_refresh=False) as live:
            live.update(_view(follower, fitting(live.console.height)), refresh=True)
            going_on = follower.going_on()
            while True:
                time.sleep(every)
                before, going_on = going_on, follower.going_on()
                if follower.look() or going_on != before:
                    live.update(_view(follower, fitting(live.console.height)), refresh=True)
    except KeyboardInterrupt:
        pass  # the way to end it


def _serve(journal: Path, port: int) -> None:
    from .._report.live_server import LiveServer

    with LiveServer(str(journal), port) as server:
        say(f"Watching {journal} at {server.address}")
        say("Only this machine can open it. Press Ctrl-C to stop.")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say()


def fitting(height: int) -> int:
    """Return how many batches and features fit on a terminal of ``height`` lines.

    >>> fitting(24), fitting(60)
    (4, 12)
    """
    return max(3, min(ROWS, (height - AROUND) // 2))


def _view(follower: Follower, rows: int = ROWS) -> Any:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from .._report.charts import counted
    from .._report.live import sparkline

    told = follower.summary()
    what, part = told["words"]
    run = f"{told['search']} over {told['measure']}, seed {told['seed']}"
    lines = [
        Text(clean(run, lines=False), style="dim"),
        Text(f"{told['scored']:,} {what} scored in {told['batches']:,} batches"),
    ]
    if told["going_on"] is False:
        lines.append(Text("The search has ended."))
    latest = told["latest"]
    if latest is None:
        return Group(*lines, Text("Waiting for the first scores."))
    size = "" if latest["size_so_far"] is None else f" with {counted(latest['size_so_far'], part)}"
    lines.append(Text(f"best so far {latest['best_so_far']:.4f}{size}", style="bold green"))
    if told["best_features"]:
        lines.append(Text(clean(_few(told["best_features"]), lines=False), style="green"))
    lines.append(Text("best so far  " + sparkline(told["columns"]["best_so_far"]), style="green"))
    lines.append(Text("mean         " + sparkline(told["columns"]["mean"]), style="magenta"))
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("batch", "scored", "best", "mean", "std", "size of best", "mean size"):
        table.add_column(name, justify="right")
    for batch in follower.batches[-rows:]:
        table.add_row(*_cells(batch))
    return Group(*lines, Text(), table, *_heat(follower, rows, part))


def _few(names: list[str], most: int = 12) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _heat(follower: Follower, rows: int, what: str) -> list[Any]:
    """Draw the share of the population with each feature (rows) in each generation (columns)."""
    from rich.table import Table
    from rich.text import Text

    from .._report.live import shades

    part = follower.frequency(columns=COLUMNS, rows=rows)
    if part is None:
        return []
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1))
    table.add_column(max_width=24, no_wrap=True, overflow="ellipsis")
    table.add_column(no_wrap=True)
    table.add_column(justify="right")
    told = zip(part["features"], part["chosen"], part["frequency"], strict=True)
    for name, chosen, shares in told:
        style = "green" if chosen else ""
        cells = Text(shades(shares), style="cyan")
        table.add_row(Text(clean(name, lines=False), style=style), cells, f"{shares[-1]:.0%}")
    first, last = part["generation"][0], part["generation"][-1]
    more = f"; {part['left_out']} rarer ones are not shown" if part["left_out"] else ""
    title = f"{what}s in the population, generations {first} to {last}{more}"
    return [Text(), Text(title, style="bold"), table]


def _cells(batch: dict[str, Any]) -> list[str]:
    sized = batch["mean_size"] is not None
    return [
        str(batch["batch"]),
        f"{batch['scored']:,}",
        f"{batch['best']:.4f}",
        f"{batch['mean']:.4f}",
        "" if batch["std"] is None else f"{batch['std']:.4f}",
        str(batch["best_size"]) if sized else "",
        f"{batch['mean_size']:.1f}" if sized else "",
    ]
