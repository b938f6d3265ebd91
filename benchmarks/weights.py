"""Searched weights against filters; ``python -m benchmarks.weights`` writes the table of a page.

Ten tables, 5 x 2 halves: weights are found on one half, and nearest neighbours judge them on the
other. Generated tables have 300 rows, others at most 600. The table is in docs/weighting.md. Name
methods and tables on the command line to measure only these; what stands there is kept otherwise.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

import fewest
from fewest import FeatureWeighter
from fewest._run.stop_rules import Generations, NoImprovement
from fewest._validation.selections import judge_weights
from fewest.classifiers import NearestNeighbor
from fewest.data import generate
from fewest.data._table import Table
from fewest.measures import WeightedNeighbors

PAGE = Path(__file__).parent.parent / "docs" / "weighting.md"
START, END = "<!-- table: begin -->", "<!-- table: end -->"
GENERATED = ("led24", "waveform-21", "3-weights", "c-weights")
TABLES = (*GENERATED, "glass", "credit-crx", "vehicle", "contraceptive", "ionosphere", "wine")
EQUAL = "equal weights"
PATIENT = [NoImprovement(10), Generations(100)]
METHODS: dict[str, Callable[[], FeatureWeighter]] = {
    "mutual-information": lambda: FeatureWeighter("mutual-information"),
    "relieff": lambda: FeatureWeighter("relieff"),
    "class-conditional": lambda: FeatureWeighter("class-conditional"),
    "gradient": lambda: FeatureWeighter("gradient"),
    "levels, from chance": lambda: FeatureWeighter(start=None, random_state=0),
    "levels, patience": lambda: FeatureWeighter(stop=PATIENT, random_state=0),
    "levels (default)": lambda: FeatureWeighter(random_state=0),
    "levels and k (1, 3, 5)": lambda: FeatureWeighter(WeightedNeighbors((1, 3, 5)), random_state=0),
    "levels and edited rows": lambda: FeatureWeighter(
        WeightedNeighbors(prototypes="edited"), random_state=0
    ),
    "continuous, from chance": lambda: FeatureWeighter(
        values="continuous", start=None, random_state=0
    ),
    "continuous": lambda: FeatureWeighter(values="continuous", random_state=0),
}


def table_of(name: str) -> Table:
    """Return a table of at most 600 rows."""
    table = (generate(name, 300, 0) if name in GENERATED else fewest.load(name)).table()
    if table.n_rows <= 600:
        return table
    rows = np.random.default_rng(0).choice(table.n_rows, 600, replace=False)
    return table.take(np.sort(rows))


def accuracies(name: str, methods: list[str]) -> dict[str, float]:
    """Return the accuracy of some methods on the halves that they have not seen."""
    table, found = table_of(name), {}
    for seed in range(5):
        halves = StratifiedKFold(2, shuffle=True, random_state=seed)
        for train, test in halves.split(np.zeros(table.n_rows), table.target):
            part = table.take(train)
            for method in methods:
                model = NearestNeighbor()
                if method != EQUAL:
                    model = METHODS[method]().fit_table(part).nearest_neighbor()
                own = judge_weights(model, table, (train, test))[0]
                found.setdefault(method, []).append(own)
    return {method: float(np.mean(scores)) for method, scores in found.items()}


def main() -> None:
    """Measure the named methods on the named tables, or all, and write them into the page."""
    warnings.filterwarnings("ignore")
    methods = [name for name in sys.argv[1:] if name not in TABLES] or [EQUAL, *METHODS]
    tables = [name for name in sys.argv[1:] if name in TABLES] or list(TABLES)
    before, rest = PAGE.read_text(encoding="utf-8").split(START)
    known, after = rest.split(END)
    rows = [line.strip("| ").split(" | ") for line in known.strip().split("\n")[2:]]
    cells = {method: dict(zip(TABLES, values, strict=False)) for method, *values in rows}
    for table in tables:
        for method, share in accuracies(table, methods).items():
            cells.setdefault(method, {})[table] = f"{100 * share:.1f}"
            print(table, method, cells[method][table], flush=True)
    lines = ["| weights | " + " | ".join(TABLES) + " | mean |", "|---|" + "---:|" * 11]
    for method in (name for name in (EQUAL, *METHODS) if name in cells):
        values = [cells[method].get(table, "–") for table in TABLES]
        mean = "–" if "–" in values else f"{np.mean([float(v) for v in values]):.1f}"
        lines.append(f"| {method} | " + " | ".join([*values, mean]) + " |")
    PAGE.write_text("\n".join([f"{before}{START}", *lines, f"{END}{after}"]), encoding="utf-8")


if __name__ == "__main__":
    main()
