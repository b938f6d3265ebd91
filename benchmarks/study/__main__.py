"""``python -m benchmarks.study [--quick] [--jobs N] [--minutes M]``: run, print, write the page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from benchmarks.study.evidence import write_evidence
from benchmarks.study.figures import critical_difference_figure, pareto_figure
from benchmarks.study.page import page
from benchmarks.study.run import read, run
from benchmarks.study.sections import table
from benchmarks.study.summary import critical_difference, main_methods, means

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
FULL = HERE / "full.jsonl"


def main() -> None:
    """Run what is missing and print the means; the full version also writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="10 tables, naive Bayes, no page")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=None, help="stop after so many")
    parser.add_argument("--out", type=Path, default=None)
    given = parser.parse_args()
    out = given.out or (Path("study-quick.jsonl") if given.quick else FULL)
    if given.minutes != 0:
        run(out, given.quick, given.jobs, given.minutes)
    rows = read(out)
    print(table(means(main_methods(rows))))
    print(f"CPU minutes: {sum(r['seconds'] for r in _runs(rows)) / 60:.1f}")
    if out == FULL:
        write(rows)


def write(rows: list[dict[str, Any]]) -> None:
    """Page, figures, and the file that the library quotes, from all rows."""
    found = main_methods(rows)
    lines = means(found)
    difference = critical_difference(len(found), len(next(iter(found.values()))))
    critical_difference_figure(lines, difference, DOCS / "_static" / "study-ranks.svg")
    pareto_figure(lines, DOCS / "_static" / "study-pareto.svg")
    (DOCS / "study.md").write_text(page(rows), encoding="utf-8")
    write_evidence(rows, FULL.name)


def _runs(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row per run: choices and judges share it."""
    runs = {(r["table"], r["measure"], r["search"]): r for r in rows if "seconds" in r}
    return list(runs.values())


if __name__ == "__main__":
    main()
