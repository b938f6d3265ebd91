"""``python -m benchmarks [TOPIC ...]``: run, print, and write docs/benchmarks.md."""

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


def renew(sections: list[str]) -> None:
    """Put some sections into the page, each in the place of the one with its title."""
    head, *parts = PAGE.read_text(encoding="utf-8").strip().split("\n\n## ")
    known = {part.split("\n")[0]: f"## {part}" for part in parts}
    known |= {section.split("\n")[0].removeprefix("## "): section for section in sections}
    PAGE.write_text(
        "\n\n".join([head, *(known[t] for t in sorted(known))]) + "\n", encoding="utf-8"
    )


def main() -> None:
    """Run the named topics (or all), print as it goes, and renew their sections of the page."""
    wanted = sys.argv[1:] or topics()
    sections = []
    for topic in wanted:
        print(f"\n## {topic}\n\n{HEAD}", flush=True)
        rows = []
        for row in importlib.import_module(f"benchmarks.bench_{topic}").rows():
            rows.append(line(row))
            print(rows[-1], flush=True)
        sections.append("\n".join([f"## {topic}", "", HEAD, *rows]))
    if wanted == topics():
        head = (
            "# Benchmarks\n\nEach row is a ratio measured in one run on one machine against what a "
            f"user would do instead (`make bench`).\nMachine: {machine()}\n"
        )
        PAGE.write_text("\n\n".join([head.strip(), *sections]) + "\n", encoding="utf-8")
    else:
        renew(sections)


if __name__ == "__main__":
    main()
