"""A reproduction as one self-contained HTML page."""

from __future__ import annotations

from html import escape

from .words import HEAD, Plain, facts, heading, headline, rows

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #777; --off: #c2410c; --near: #a16207;
  --same: #15803d; }
@media (prefers-color-scheme: dark) { :root { --soft: #aaa; --off: #fb923c; --near: #facc15;
  --same: #4ade80; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
.soft { color: var(--soft); } .wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; }
td:nth-child(n+3):nth-child(-n+5), th:nth-child(n+3):nth-child(-n+5) { text-align: right;
  white-space: nowrap; }
td:nth-child(6) { text-align: center; font-weight: bold; }
.same td:nth-child(6) { color: var(--same); } .near td:nth-child(6) { color: var(--near); }
.off td:nth-child(5), .off td:nth-child(6) { color: var(--off); font-weight: bold; }
@media print { body { max-width: none; } }
"""
_CLASSES = {"=": "same", "≈": "near", "▲": "off", "▼": "off", "": ""}


def page(summary: Plain) -> str:
    """The page; no script, nothing from the network."""
    title = f"{summary['paper']}: paper against here"
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="soft">{escape(summary["title"])}. {escape(summary["source"])}.</p>',
        f"<p><strong>{escape(headline(summary))}</strong></p>",
        *(f"<p>{escape(line)}</p>" for line in facts(summary)),
        *_list("Data that differ", summary["differs"]),
        *_list("Not run", summary["absent"]),
    ]
    for table in summary["tables"]:
        body.append(f"<h2>{escape(heading(table))}</h2>")
        if table["about"]:
            body.append(f'<p class="soft">{escape(table["about"])}</p>')
        body.append(_table(rows(summary, table)))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _list(title: str, sentences: list[str]) -> list[str]:
    if not sentences:
        return []
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return [f"<h2>{title}</h2>", f"<ul>{items}</ul>"]


def _table(lines: list[list[str]]) -> str:
    head = "".join(f"<th>{escape(word)}</th>" for word in HEAD)
    body = "\n".join(
        f'<tr class="{_CLASSES[line[5]]}">{"".join(f"<td>{escape(t)}</td>" for t in line)}</tr>'
        for line in lines
    )
    whole = f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"
    return f'<div class="wide">{whole}</div>'
