"""A reproduction as Markdown."""

from __future__ import annotations

from .curves import by_generation
from .words import HEAD, Plain, facts, heading, headline, rows


def markdown(summary: Plain) -> str:
    """The page as text, tables and all."""
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
        blocks.append(_table(rows(summary, table)))
        developed = by_generation(summary, table["number"])
        if developed:
            blocks += ["By generation, in percent:", _wide(developed)]
    return "\n\n".join(blocks) + "\n"


def _table(lines: list[list[str]]) -> str:
    head = f"| {' | '.join(HEAD)} |"
    rule = "|---|---|---:|---:|---:|:-:|---|"
    return "\n".join([head, rule, *(f"| {' | '.join(map(_escaped, line))} |" for line in lines)])


def _wide(lines: list[list[str]]) -> str:
    head, *rest = [f"| {' | '.join(map(_escaped, line))} |" for line in lines]
    return "\n".join([head, "|---|---|" + "---:|" * (len(lines[0]) - 2), *rest])


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
