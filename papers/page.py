"""Reproduction as one self-contained HTML page, and its three files."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

from fewest._report.page import asset, content_policy, script_json

from .curves import charts
from .markdown import WIDE_HEADING, facts, head, heading, headline, markdown, rows
from .summary import Plain

#: What this page has beyond the style of a report.
_STYLE = """
main { max-width: 62rem; } .soft { color: var(--soft); }
td:nth-child(n+3):nth-last-child(n+3), th:nth-child(n+3):nth-last-child(n+3) { text-align: right;
  white-space: nowrap; font-variant-numeric: tabular-nums; }
td:last-child { min-width: 9rem; }
td:nth-last-child(2) { text-align: center; font-weight: bold; }
.same td:nth-last-child(2) { color: var(--chosen); }
.near td:nth-last-child(2) { color: var(--mean); }
.off td:nth-last-child(n+2):nth-last-child(-n+3) { color: var(--selection); font-weight: bold; }
.wide td:nth-child(4) { text-align: center; }
"""
_CLASSES = {"=": "same", "≈": "near", "▲": "off", "▼": "off", "": ""}
_DRAW = """
const charts = JSON.parse(document.getElementById("data").textContent);
for (const chart of charts) fewest.attach(document.getElementById(chart.name), chart);
"""


def page(summary: Plain) -> str:
    """Return the page; nothing comes from the network, and only figures need the script."""
    title = f"{summary['paper']}: paper against here"
    made, readings = facts(summary)
    body = [
        f"<h1>{escape(headline(summary))}</h1>",
        f"<p>{escape(summary['title'])}. {escape(summary['source'])}.</p>",
        *(
            f'<p class="soft">{_with_code(line)}</p>'
            for line in (*readings, summary["rule"], *made)
        ),
        *_list("Data that differ", summary["differs"]),
        *_list("Not run", summary["absent"]),
    ]
    for table in summary["tables"]:
        body.append(f"<h2>{escape(heading(table))}</h2>")
        if table["about"]:
            body.append(f'<p class="soft">{escape(table["about"])}</p>')
        body += _figures(summary, table["number"])
        body.append(_table(head(summary, table), rows(summary, table)))
    body += _list("Not reproduced", summary["missing"])
    policy = content_policy([asset("page.css") + _STYLE], [asset("charts.js") + _DRAW])
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        f"<title>{escape(title)}</title>\n<style>{asset('page.css')}{_STYLE}</style></head>\n"
        f"<body>\n<header><p>fewest · {escape(title)}</p></header>\n<main>\n"
        + "\n".join([*body, "</main>", *_script(summary)])
        + "\n</body></html>\n"
    )


def _figures(summary: Plain, table: str) -> list[str]:
    start = table.replace(". ", "-") + "-"
    own = [chart for chart in charts(summary) if chart.name.startswith(start)]
    if not own:
        return []
    boxes = [
        f"<figure><figcaption><h3>{escape(chart.title)}</h3>{escape(chart.note)}</figcaption>"
        f'<div id="{escape(chart.name)}"></div></figure>'
        for chart in own
    ]
    return ['<div class="side">', *boxes, "</div>"]


def _script(summary: Plain) -> list[str]:
    drawn = [chart.to_dict() for chart in charts(summary)]
    if not drawn:
        return []
    return [
        f'<script id="data" type="application/json">{script_json(drawn)}</script>',
        f"<script>{asset('charts.js')}{_DRAW}</script>",
    ]


def _with_code(line: str) -> str:
    """Escape a line; text between backticks is code.

    >>> _with_code("run `a < b`")
    'run <code>a &lt; b</code>'
    """
    return re.sub("`([^`]*)`", r"<code>\1</code>", escape(line))


def _list(title: str, sentences: list[str]) -> list[str]:
    if not sentences:
        return []
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return [f"<h2>{title}</h2>", f"<ul>{items}</ul>"]


def _table(columns: tuple[str, ...], lines: list[list[str]]) -> str:
    head = "".join(f"<th>{escape(word)}</th>" for word in columns)
    body = "\n".join(
        f'<tr class="{_CLASSES[line[-2]]}">{"".join(f"<td>{escape(t)}</td>" for t in line)}</tr>'
        for line in lines
    )
    kind = ' class="wide"' if len(columns) == len(WIDE_HEADING) else ""
    whole = f"<table{kind}><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"
    return f'<div class="scroll plain">{whole}</div>'


def write(summary: Plain, folder: Path) -> list[Path]:
    """Write ``PAPER.md``, ``PAPER.json`` and ``PAPER.html`` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "md": markdown(summary),
        "json": json.dumps(summary, indent=1, ensure_ascii=False) + "\n",
        "html": page(summary),
    }
    paths = []
    for ending, text in texts.items():
        path = folder / f"{summary['paper']}.{ending}"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths
