"""Searched weights against filters; ``python -m benchmarks.weights`` writes the table of a page.

Ten tables, 5 x 2 halves: weights are found on one half, and nearest neighbours judge them on the
other. Generated tables have 300 rows, others at most 600. The table is in docs/weighting.md.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

import fewest
from fewest import FeatureWeighter
from fewest._run.stop_rules import Generations, NoImprovement
from fewest._validation.selections import judge_weights
from fewest.data import generate
from fewest.data._table import Table
from fewest.measures import WeightedNeighbors

PAGE = Path(__file__).parent.parent / "docs" / "weighting.md"
START, END = "<!-- table: begin -->", "<!-- table: end -->"
GENERATED = ("led24", "waveform-21", "3-weights", "c-weights")
TABLES = (*GENERATED, "glass", "credit-crx", "vehicle", "contraceptive", "ionosphere", "wine")
PATIENT = [NoImprovement(10), Generations(100)]
METHODS: dict[str, Callable[[], FeatureWeighter]] = {
    "mutual-information": lambda: FeatureWeighter("mutual-information"),
    "relieff": lambda: FeatureWeighter("relieff"),
    "class-conditional": lambda: FeatureWeighter("class-conditional"),
    "gradient": lambda: FeatureWeighter("gradient"),
    "levels, from chance": lambda: FeatureWeighter(start=None, random_state=0),
    "levels, patience": lambda: FeatureWeighter(stop=PATIENT, random_state=0),
    "levels (default)": lambda: FeatureWeighter(random_state=0),
    "levels, k of 1 to 9": lambda: FeatureWeighter(WeightedNeighbors((1, 3, 5, 9)), random_state=0),
    "levels, edited rows": lambda: FeatureWeighter(
        WeightedNeighbors(prototypes="edited"), random_state=0
    ),
    "levels, k and edited rows": lambda: FeatureWeighter(
        WeightedNeighbors((1, 3, 5, 9), prototypes="edited"), random_state=0
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


def accuracies(name: str) -> dict[str, float]:
    """Return the accuracy of every method on the halves that it has not seen."""
    table, found = table_of(name), {}
    for seed in range(5):
        halves = StratifiedKFold(2, shuffle=True, random_state=seed)
        for train, test in halves.split(np.zeros(table.n_rows), table.target):
            part = table.take(train)
            for method, make in METHODS.items():
                model = make().fit_table(part).nearest_neighbor()
                own, equal, _ = judge_weights(model, table, (train, test))
                if method == "levels (default)":
                    found.setdefault("equal weights", []).append(equal)
                found.setdefault(method, []).append(own)
    return {method: float(np.mean(scores)) for method, scores in found.items()}


def main() -> None:
    """Measure all tables and write them into the page."""
    warnings.filterwarnings("ignore")
    columns = {name: accuracies(name) for name in TABLES if not print(name, flush=True)}
    lines = ["| weights | " + " | ".join(TABLES) + " | mean |", "|---|" + "---:|" * 11]
    for method in ("equal weights", *METHODS):
        values = [100 * columns[name][method] for name in TABLES]
        cells = " | ".join(f"{value:.1f}" for value in (*values, np.mean(values)))
        lines.append(f"| {method} | {cells} |")
    before, rest = PAGE.read_text(encoding="utf-8").split(START)
    _, after = rest.split(END)
    text = "\n".join([f"{before}{START}", *lines, f"{END}{after}"])
    PAGE.write_text(text, encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
