"""Reproduction as Markdown, and the sentences and numbers that the HTML page has as well."""

from __future__ import annotations

from collections.abc import Iterable

from .curves import ACCURACY, SHOWS, by_generation
from .summary import SIGNS, Plain

#: Kinds of figures that are whole numbers.
WHOLE_KINDS = ("exact", "count", "wins")
HEADING = ("domain", "method", "paper", "here", "difference", "", "note")
#: The heading of a table with two readings, the other one to the left of the paper's figures.
WIDE_HEADING = ("domain", "method", "beside", "", "paper", "here", "difference", "", "note")
#: What stands in a cell, once per page.
CELLS = (
    "Cells are the paper's figure → the one found here, and whether they agree; `--out` also has "
    "an HTML page and a JSON file with one line per figure, its difference and notes."
)


def markdown(summary: Plain) -> str:
    """Write the page as Markdown text: what was found, then how it was made."""
    made, readings = facts(summary)
    blocks = [f"# {summary['paper']}: paper against here", f"{summary['title']}. "
              f"{summary['source']}.", f"**{headline(summary)}**", *readings,
              f"{CELLS} {summary['rule']}"]  # fmt: skip
    blocks += _list("Data that differ", summary["differs"]) + _list("Not run", summary["absent"])
    for table in summary["tables"]:
        own = own_cells(summary, table)
        blocks.append(f"## {heading(table)}")
        blocks += [text for text in (table["about"], counts_text(own)) if text]
        developed = by_generation(summary, table)
        if table["kind"] == "network":
            blocks.append(", ".join(f"{arc['method']} ({arc['here']:.0f} %)" for arc in own) + ".")
        elif counts_text(own) or not developed:
            blocks.append(_table(_pivoted(own, table, summary["beside"])))
        if developed:
            along = SHOWS.get(table["kind"], ACCURACY)
            blocks += [f"By {along.along}, in {along.unit}:", _table(developed)]
        blocks += _sentences(own)
    blocks += _list("Not reproduced", summary["missing"]) + _list("How it was made", made)
    return "\n\n".join(blocks) + "\n"


def _list(title: str, sentences: list[str]) -> list[str]:
    lines = "\n".join(f"- {_escaped(line)}" for line in sentences)
    return [f"## {title}", lines] if sentences else []


def _pivoted(own: list[Plain], table: Plain, beside: str) -> list[list[str]]:
    """Return domains down and methods across, or the other way round if there are more methods."""
    found: dict[tuple[str, ...], str] = {}
    # One method with two readings needs a column more, not lines that are nearly empty.
    read_twice = {cell["method"] for cell in own if cell["beside"] is not None}
    single = len(read_twice) == 1 < len({cell["method"] for cell in own})
    for cell in own:
        place, kind = (cell["domain"], cell["method"]), table["kind"]
        mine = f"{number(cell['here'], cell['std'], kind)} {SIGNS[cell['verdict']]}".strip()
        paper = bounds(cell["claim"]) or number(cell["paper"], cell["paper_std"], kind)
        found[place] = mine if paper == "–" else f"{paper} → {mine}"
        other = cell["beside"]
        if other is not None:
            text = f"{number(other['here'], other['std'], kind)} {SIGNS[other['verdict']]}"
            domain, method = place
            where = (domain, f"{method}, {beside}") if single else (f"{domain}, {beside}", method)
            found[where] = text.strip()
    for mean in table["averages"]:
        figures = [number(mean[side], None, table["kind"]) for side in ("paper", "here")]
        found["Average", mean["method"]] = " → ".join(figures)
    corner, places = "", dict(found)
    if len({domain for domain, _ in found}) == 1 and all(", " in method for _, method in found):
        corner = own[0]["domain"]
        places = {tuple(method.split(", ", 1)): text for (_, method), text in found.items()}
    domains, methods = (list(dict.fromkeys(place[i] for place in places)) for i in (0, 1))
    if len(methods) <= len(domains):
        lines = [[a, *(places.get((a, b), "") for b in methods)] for a in domains]
        return [[corner, *methods], *lines]
    lines = [[b, *(places.get((a, b), "") for a in domains)] for b in methods]
    return [[corner, *domains], *lines]


def _sentences(own: list[Plain]) -> list[str]:
    """Return the figures that differ by the sentence that says why."""
    found: dict[str, list[str]] = {}
    for cell in own:
        if cell["verdict"] in ("higher", "lower"):
            why = cell["why"] or "No reason was found."
            found.setdefault(why, []).append(f"{cell['domain']}, {cell['method']}")
    lines = [f"- {_escaped(why)} ({_escaped('; '.join(names))})" for why, names in found.items()]
    return ["Why figures differ:", "\n".join(lines)] if lines else []


def _table(lines: Iterable[list[str]]) -> str:
    head, *rest = [f"| {' | '.join(map(_escaped, line))} |" for line in lines]
    return "\n".join([head, "|---|" + "---:|" * (head.count(" | ")), *rest])


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


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
