"""Write a reproduction: Markdown, JSON and a page, side by side."""

from __future__ import annotations

import json
from pathlib import Path

from .markdown import markdown
from .page import page
from .words import Plain


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
