"""``python -m benchmarks.study [--quick] [--jobs N] [--minutes M]``: run, print, write the page."""

from __future__ import annotations

import argparse
from pathlib import Path

from .page import page
from .run import MEASURES, read, run
from .summary import complete, means

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "study.md"


def main() -> None:
    """Run what is missing, then write the page from all rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="14 tables, naive Bayes")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=None)
    parser.add_argument("--out", type=Path, default=None)
    given = parser.parse_args()
    out = given.out or HERE / ("quick.jsonl" if given.quick else "full.jsonl")
    run(out, given.quick, given.jobs, given.minutes)
    rows = read(out)
    for measure in MEASURES[given.quick]:
        for line in means(complete(rows, measure)):
            print({k: round(v, 3) if isinstance(v, float) else v for k, v in line.items()})
    PAGE.write_text(page(rows, given.quick), encoding="utf-8")


if __name__ == "__main__":
    main()
