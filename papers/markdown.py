"""Reproduction as Markdown."""

from __future__ import annotations

from .curves import ACCURACY, SHOWS, by_generation
from .words import Plain, facts, head, heading, headline, rows


def markdown(summary: Plain) -> str:
    """Write the page as Markdown text."""
    blocks = [f"# {summary['paper']}: paper against here", f"{summary['title']}. "
              f"{summary['source']}.", f"**{headline(summary)}**", *facts(summary)]  # fmt: skip
    for title, sentences in (("Data that differ", "differs"), ("Not run", "absent")):
        if summary[sentences]:
            blocks.append(f"## {title}")
            blocks.append("\n".join(f"- {_escaped(line)}" for line in summary[sentences]))
    for table in summary["tables"]:
        blocks.append(f"## {heading(table)}")
        if table["about"]:
            blocks.append(table["about"])
        blocks.append(_table(head(summary, table), rows(summary, table)))
        developed = by_generation(summary, table)
        if developed:
            along = SHOWS.get(table["kind"], ACCURACY)
            blocks += [f"By {along.along}, in {along.unit}:", _wide(developed)]
    if summary["missing"]:
        blocks.append("## Not reproduced")
        blocks.append("\n".join(f"- {_escaped(line)}" for line in summary["missing"]))
    return "\n\n".join(blocks) + "\n"


def _table(head: tuple[str, ...], lines: list[list[str]]) -> str:
    rules = ["---", "---", *(":-:" if word == "" else "---:" for word in head[2:-1]), "---"]
    body = (f"| {' | '.join(map(_escaped, line))} |" for line in lines)
    return "\n".join([f"| {' | '.join(head)} |", f"|{'|'.join(rules)}|", *body])


def _wide(lines: list[list[str]]) -> str:
    head, *rest = [f"| {' | '.join(map(_escaped, line))} |" for line in lines]
    return "\n".join([head, "|---|---|" + "---:|" * (len(lines[0]) - 2), *rest])


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
