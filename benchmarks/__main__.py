"""``python -m benchmarks [TOPIC[:ROWS] ...]``: run, print, and write docs/benchmarks.md.

ROWS is a regular expression, where a topic can measure some of its rows: the others are kept, as
they are when a topic is interrupted.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
PEERS = (
    "scikit-learn", "numpy", "numba", "mlxtend", "sklearn-genetic-opt", "pyagrum", "pandas",
    "ortools",
)  # fmt: skip
HEAD = "| what | fewest | instead | ratio | target | note |\n|---|---:|---:|---:|---:|---|"


def topics() -> list[str]:
    """Every ``bench_TOPIC.py`` beside this file."""
    return sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))


def seconds(value: float | None) -> str:
    """A time for reading."""
    if value is None:
        return ""
    return f"{value * 1e3:.2f} ms" if value < 1 else f"{value:,.1f} s"


def line(row: dict[str, Any]) -> str:
    """One row of the table."""
    ratio = f"{row['ratio']:,.1f}×" if row.get("ratio") is not None else ""
    cells = (row["what"], seconds(row.get("ours_s")), seconds(row.get("theirs_s")), ratio)
    return "| " + " | ".join((*cells, str(row.get("target", "")), row.get("note", ""))) + " |"


def machine() -> str:
    """The machine and the versions, in a sentence."""
    found = []
    for peer in PEERS:
        try:
            found.append(f"{peer} {version(peer)}")
        except PackageNotFoundError:
            continue
    return (
        f"{date.today():%Y-%m-%d}, {os.cpu_count()} cores, {platform.machine()}, "
        f"Python {platform.python_version()}; {', '.join(found)}."
    )


def renew(sections: dict[str, list[str]], parts: set[str]) -> None:
    """Put tables into the page, each into the section with its title; of parts, the rows."""
    head, *known = PAGE.read_text(encoding="utf-8").strip().split("\n\n## ")
    page = {part.split("\n")[0]: part.split("\n")[1:] for part in known}
    for topic, rows in sections.items():
        old = page.get(topic, [""])
        words = [line for line in old if not line.startswith("|")]
        new = {row.split(" | ")[0]: row for row in rows}
        if topic in parts:
            new = {row.split(" | ")[0]: row for row in old if row.startswith("| ")} | new
            new.pop(HEAD.split(" | ")[0], None)
        page[topic] = ["\n".join(words).strip("\n"), "", HEAD, *new.values()]
    text = [f"## {title}\n\n" + "\n".join(page[title]).strip("\n") for title in sorted(page)]
    PAGE.write_text("\n\n".join([head, *text]) + "\n", encoding="utf-8")


def main() -> None:
    """Run the named topics (or all), print as it goes, and renew their sections of the page."""
    wanted = sys.argv[1:] or topics()
    sections, parts = {}, set()
    for topic, _, only in (name.partition(":") for name in wanted):
        print(f"\n## {topic}\n\n{HEAD}", flush=True)
        made, rows = importlib.import_module(f"benchmarks.bench_{topic}").rows, []
        sections[topic] = rows
        try:
            for row in made(only) if only else made():
                rows.append(line(row))
                print(rows[-1], flush=True)
        except KeyboardInterrupt:
            only = "what was measured so far"
        parts |= {topic} if only else set()
    if wanted == topics():
        head = (
            "# Benchmarks\n\nEach row is a ratio measured in one run on one machine against what a "
            f"user would do instead (`make bench`).\nMachine: {machine()}"
        )
        _, *rest = PAGE.read_text(encoding="utf-8").partition("\n\n## ")
        PAGE.write_text(head + "".join(rest), encoding="utf-8")
    renew(sections, parts)


if __name__ == "__main__":
    main()
