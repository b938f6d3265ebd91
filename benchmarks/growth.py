"""Forward selection to 10 features as tables get wider; ``python -m benchmarks.growth``.

200 rows, 1,000 to 20,000 columns of which 20 are relevant; CPU seconds of the whole ``fit`` after
one small fit that loads the compiled kernels. Writes the table and the plot of docs/wide.md.
"""

from __future__ import annotations

import resource
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import fewest
from fewest.search import SFS

DOCS = Path(__file__).parents[1] / "docs"
WIDTHS = (1000, 2000, 5000, 10_000, 20_000)
MEASURES: dict[str, Any] = {
    "naive-bayes": "naive-bayes",
    "information-gain": "information-gain",
    "mrmr": "mrmr",
    "cfs": "cfs",
    "LDA": LinearDiscriminantAnalysis(),
}
START, END = "<!-- growth: begin -->", "<!-- growth: end -->"


def _table(d: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = rng.normal(size=(200, d))
    X[:, :20] += 0.7 * y[:, None]
    return X, y


def _seconds(measure: str, d: int, size: int = 10) -> float:
    X, y = _table(d)
    selector = fewest.SubsetSelector(MEASURES[measure], search=SFS(size=size), cv=5, random_state=0)
    start = time.process_time()
    selector.fit(X, y)
    return time.process_time() - start


def _plot(seconds: dict[str, list[float]]) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    for measure, values in seconds.items():
        axes.plot(WIDTHS, values, marker="o", label=measure)
    axes.set(xlabel="columns", ylabel="CPU seconds", ylim=(0, None))
    axes.legend(frameon=False)
    figure.savefig(DOCS / "wide-growth.svg", metadata={"Date": None})


def main() -> None:
    """Measure, and renew the table and the plot."""
    warnings.simplefilter("ignore")
    seconds: dict[str, list[float]] = {}
    for measure in MEASURES:
        _seconds(measure, 300, 2)
        seconds[measure] = [_seconds(measure, d) for d in WIDTHS]
        print(measure, [round(s, 2) for s in seconds[measure]], flush=True)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{memory} MB at most")
    lines = ["| CPU s, columns | " + " | ".join(f"{d:,}" for d in WIDTHS) + " |"]
    lines.append("|---|" + "---:|" * len(WIDTHS))
    lines += [f"| {m} | " + " | ".join(f"{s:.2f}" for s in v) + " |" for m, v in seconds.items()]
    page = DOCS / "wide.md"
    before, rest = page.read_text(encoding="utf-8").split(START)
    table = "\n".join(lines) + f"\n\nThe process used at most {memory} MB."
    text = f"{before}{START}\n\n{table}\n\n{END}{rest.split(END)[1]}"
    page.write_text(text, encoding="utf-8")
    _plot(seconds)


if __name__ == "__main__":
    main()
