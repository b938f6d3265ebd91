"""Sentences and numbers that the Markdown and the page share."""

from __future__ import annotations

from typing import Any

from .difference import SIGNS

Plain = dict[str, Any]
#: Kinds of figures that are whole numbers.
WHOLE_KINDS = ("exact", "count", "wins")
HEADING = ("domain", "method", "paper", "here", "difference", "", "note")
#: The heading of a table with two readings, the other one to the left of the paper's figures.
WIDE_HEADING = ("domain", "method", "beside", "", "paper", "here", "difference", "", "note")


def headline(summary: Plain) -> str:
    """Return how much agrees, in a sentence."""
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


def counts_text(cells: list[Plain]) -> str:
    """Return how many of some figures agree; empty where none can be compared.

    >>> counts_text([{"verdict": "same"}, {"verdict": ""}, {"verdict": "lower"}])
    '1 of 2 agree, 0 are near, 1 differ.'
    """
    words = [cell["verdict"] for cell in cells if cell["verdict"]]
    same, near = words.count("same"), words.count("near")
    apart = len(words) - same - near
    return f"{same} of {len(words)} agree, {near} are near, {apart} differ." if words else ""


def facts(summary: Plain) -> tuple[list[str], list[str]]:
    """Return how the experiments were run, and what readings of the paper were compared."""
    made = ", ".join(summary["dates"]) or "not yet"
    quick = "quick settings (smaller populations, fewer repetitions), " if summary["quick"] else ""
    run = [
        f"Run on {made} with {quick}seed {summary['seed']}, in {duration(summary['seconds'])} of "
        f"computing; fewest {summary['version']}.",
        f"Made with {', '.join(f'{name} {v}' for name, v in summary['versions'].items())}, by "
        f"`python -m papers {summary['paper']}{' --quick' if summary['quick'] else ''} "
        f"--seed {summary['seed']}`.",
    ]
    readings = [summary["reading"]] if summary["reading"] else []
    if summary["unexplained"]:
        readings.append(f"{summary['unexplained']} figures that differ have no sentence yet.")
    if summary["beside_verdicts"]:
        sentence = headline({"verdicts": summary["beside_verdicts"]})
        readings.append(f"{summary['beside'].capitalize()}: {sentence}")
    if summary["partial"]:
        readings.append("The run was cut short: the same command goes on where it stopped.")
    return run, readings


def duration(seconds: float) -> str:
    """Write a time in seconds up to two minutes, then in minutes, then in hours.

    Examples
    --------
    >>> duration(75), duration(600), duration(9000)
    ('75.0 s', '10.0 min', '2.5 h')
    """
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def head(summary: Plain, table: Plain) -> tuple[str, ...]:
    """Return the heading of a table: with a column for another reading where it was run as well."""
    if any(cell["beside"] for cell in own_cells(summary, table)):
        return tuple(summary["beside"] if word == "beside" else word for word in WIDE_HEADING)
    return HEADING


def rows(summary: Plain, table: Plain) -> list[list[str]]:
    """Return the lines of a table as text: its cells, then the averages."""
    wide, kind = head(summary, table) != HEADING, table["kind"]
    found = []
    for cell in own_cells(summary, table):
        line = [cell["domain"], cell["method"], *(_beside(cell["beside"], kind) if wide else ())]
        line += [
            bounds(cell["claim"]) or number(cell["paper"], cell["paper_std"], kind),
            number(cell["here"], cell["std"], kind),
            signed(cell["difference"], kind),
            SIGNS[cell["verdict"]],
            cell["note"],
        ]
        found.append(line)
    return found + [_average(mean, kind, wide) for mean in table["averages"]]


def own_cells(summary: Plain, table: Plain) -> list[Plain]:
    """Return the cells of a table."""
    return [cell for cell in summary["cells"] if cell["table"] == table["number"]]


def _beside(beside: Plain | None, kind: str) -> tuple[str, str]:
    """Return a figure of the other reading and its sign."""
    if beside is None:
        return "", ""
    return number(beside["here"], beside["std"], kind), SIGNS[beside["verdict"]]


def _average(mean: Plain, kind: str, wide: bool) -> list[str]:
    """Return the mean over the domains of both; the note has what the paper prints itself."""
    figures = [number(mean[key], None, kind) for key in ("paper", "here")]
    note = f"over {mean['domains']} domains"
    if mean["printed"] is not None:
        note += f"; the paper prints {mean['printed']:.2f}"
    difference = signed(mean["difference"], kind)
    return ["Average", mean["method"], *(("", "") if wide else ()), *figures, difference, "", note]


def number(mean: float | None, std: float | None, kind: str) -> str:
    """Write ``92.40 ± 2.04``, ``301``, or a dash."""
    if mean is None:
        return "–"
    if kind in WHOLE_KINDS:
        return f"{mean:.0f}"
    if kind == "seconds":
        return f"{mean:.3g}"
    return f"{mean:.2f}" if std is None else f"{mean:.2f} ± {std:.2f}"


def bounds(claim: list[float | None]) -> str:
    """Write in signs what a paper says in words; empty where it does not."""
    low, high = claim
    return f"> {low:g}" if low is not None else "" if high is None else f"≤ {high:g}"


def signed(difference: float | None, kind: str) -> str:
    """Write a difference with its sign."""
    if difference is None:
        return ""
    if kind == "seconds":
        return f"{difference:+.3g}"
    return f"{difference:+.0f}" if kind in WHOLE_KINDS else f"{difference:+.2f}"


def heading(table: Plain) -> str:
    """Return the heading of a table: its number in the paper, or that it comes from the text."""
    number = table["number"]
    where = f"Table {number}"
    if number.startswith("fig. "):
        where = f"Figure {number.removeprefix('fig. ')}"
    elif number in ("text", "race"):
        where = "From the text"
    return f"{where}: {table['title']}"
