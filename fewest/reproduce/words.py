"""Sentences and numbers that the Markdown and the page share."""

from __future__ import annotations

from typing import Any

from .difference import SIGNS

Plain = dict[str, Any]
#: Kinds of figures that are whole numbers.
WHOLE = ("exact", "count", "wins")
HEAD = ("domain", "method", "paper", "here", "difference", "", "note")


def headline(summary: Plain) -> str:
    """How much agrees, in a sentence."""
    counts = summary["verdicts"]
    total = sum(counts.values())
    if not total:
        return "Nothing has been run yet that the paper gives a figure for."
    same, near = counts.get("same", 0), counts.get("near", 0)
    apart = total - same - near
    return (
        f"Of {total} figures that can be compared, {same} agree, {near} are near and {apart} "
        "differ."
    )


def facts(summary: Plain) -> list[str]:
    """When, with which seed, how long, and with what."""
    made = ", ".join(summary["dates"]) or "not yet"
    quick = "quick settings (smaller populations, fewer repetitions), " if summary["quick"] else ""
    lines = [
        f"Run on {made} with {quick}seed {summary['seed']}, in {duration(summary['seconds'])} of "
        f"computing; fewest {summary['version']}.",
        f"Made with {', '.join(f'{name} {v}' for name, v in summary['versions'].items())}, by "
        f"`fewest reproduce {summary['paper']}{' --quick' if summary['quick'] else ''} "
        f"--seed {summary['seed']}`.",
        summary["rule"],
    ]
    if summary["partial"]:
        lines.append("The run was cut short: the same command goes on where it stopped.")
    return lines


def duration(seconds: float) -> str:
    """Seconds up to two minutes, then minutes, then hours.

    Examples
    --------
    >>> duration(75), duration(600), duration(9000)
    ('75.0 s', '10.0 min', '2.5 h')
    """
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def rows(summary: Plain, table: Plain) -> list[list[str]]:
    """The lines of a table as text: its cells, then the averages."""
    found = [
        [
            cell["domain"],
            cell["method"],
            _bounds(cell["claim"]) or number(cell["paper"], cell["paper_std"], table["kind"]),
            number(cell["here"], cell["std"], table["kind"]),
            signed(cell["difference"], table["kind"]),
            SIGNS[cell["verdict"]],
            cell["note"],
        ]
        for cell in summary["cells"]
        if cell["table"] == table["number"]
    ]
    for mean in table["averages"]:
        figures = [number(mean[key], None, table["kind"]) for key in ("paper", "here")]
        domains = f"over {mean['domains']} domains"
        found.append(
            ["Average", mean["method"], *figures, signed(mean["difference"], table["kind"]), "",
             domains]
        )  # fmt: skip
    return found


def number(mean: float | None, std: float | None, kind: str) -> str:
    """``92.40 ± 2.04``, ``301``, or a dash."""
    if mean is None:
        return "–"
    if kind in WHOLE:
        return f"{mean:.0f}"
    return f"{mean:.2f}" if std is None else f"{mean:.2f} ± {std:.2f}"


def _bounds(claim: list[float | None]) -> str:
    """What a paper says in words, in signs; empty where it does not."""
    low, high = claim
    return f"> {low:g}" if low is not None else "" if high is None else f"≤ {high:g}"


def signed(difference: float | None, kind: str) -> str:
    """With its sign."""
    if difference is None:
        return ""
    return f"{difference:+.0f}" if kind in WHOLE else f"{difference:+.2f}"


def heading(table: Plain) -> str:
    """What stands above a table: its number in the paper, or that it comes from the text."""
    number = table["number"]
    where = f"Table {number}"
    if number.startswith("fig. "):
        where = f"Figure {number.removeprefix('fig. ')}"
    elif number == "text":
        where = "From the text"
    return f"{where}: {table['title']}"
