"""``python -m benchmarks.study [--quick] [--jobs N] [--minutes M]``: run, print, write the page."""

from __future__ import annotations

import argparse
from pathlib import Path

from .evidence import write_evidence
from .figures import critical_difference_figure, pareto_figure
from .page import page
from .run import read, run
from .sections import table
from .summary import critical_difference, main_methods, means

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"


def main() -> None:
    """Run what is missing, then write page, figures and evidence from all rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="10 tables, naive Bayes")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=None, help="stop after so many")
    parser.add_argument("--out", type=Path, default=None)
    given = parser.parse_args()
    out = given.out or HERE / ("quick.jsonl" if given.quick else "full.jsonl")
    if given.minutes != 0:
        run(out, given.quick, given.jobs, given.minutes)
    rows = read(out)
    found = main_methods(rows)
    lines = means(found)
    print(table(lines))
    difference = critical_difference(len(found), len(next(iter(found.values()))))
    critical_difference_figure(lines, difference, DOCS / "_static" / "study-ranks.svg")
    pareto_figure(lines, DOCS / "_static" / "study-pareto.svg")
    others = read(HERE / "full.jsonl") if given.quick else []
    (DOCS / "study.md").write_text(page(rows, given.quick, others), encoding="utf-8")
    write_evidence(rows, out.name)


if __name__ == "__main__":
    main()
