"""Reproduction as Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from .curves import ACCURACY, SHOWS, by_generation
from .difference import SIGNS
from .words import Plain, bounds, counts_text, facts, heading, headline, number, own_cells

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
