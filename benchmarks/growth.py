"""Forward selection to 10 features as tables grow; ``python -m benchmarks.growth [rows]``.

Wider: 200 rows, 1,000 to 20,000 columns of which 20 are relevant; CPU seconds of the whole ``fit``
after one small fit that loads the compiled kernels. Writes the table and the plot of docs/wide.md.

Longer (``rows``): 10^5 and 10^6 rows of 20 columns; CPU seconds, and the peak of memory above that
of the process before X was made, in units of X (which is part of it), each in a process of its
own. Writes the table of docs/scale.md.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
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
LENGTHS = (100_000, 1_000_000)
#: Measure and type of the values.
CASES = (
    ("naive-bayes", "float64"),
    ("naive-bayes", "float32"),
    ("naive-bayes", "frame"),
    ("gaussian-nb", "float64"),
    ("lda", "float64"),
    ("mrmr", "float64"),
    ("mrmr", "float32"),
)
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


def _long_table(n: int, kind: str) -> tuple[Any, Any]:
    """Made in parts, so that nothing larger than X is ever held."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    X = np.empty((n, 20), dtype="float64" if kind == "frame" else kind)
    for low in range(0, n, 10_000):
        part = slice(low, min(n, low + 10_000))
        X[part] = rng.normal(size=(part.stop - low, 20))
        X[part] += y[part, None] * np.linspace(0.02, 0.4, 20)
    if kind != "frame":
        return X, y
    import pandas as pd

    return pd.DataFrame(X, copy=False), y


def _memory(field: str) -> int:
    """Bytes of this process: VmRSS now, VmHWM at most."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def _one_length(measure: str, kind: str, n: int, what: str) -> float:
    """CPU seconds of a fit, or its peak of memory in units of X."""
    warnings.simplefilter("ignore")
    selector = fewest.SubsetSelector(measure, search=SFS(size=10), random_state=0)
    # The first fit loads the compiled kernels; those for many rows are needed for time only.
    selector.fit(*_long_table(2000, kind))
    if what == "seconds":
        selector.fit(*_long_table(LENGTHS[0], kind))
    before = _memory("VmRSS")
    X, y = _long_table(n, kind)
    start = time.process_time()
    selector.fit(X, y)
    spent = time.process_time() - start
    size = X.size * (4 if kind == "float32" else 8)
    return spent if what == "seconds" else (_memory("VmHWM") - before) / size


def _alone(*case: Any) -> float:
    """Measure in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.growth", "one", *map(str, case)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout.splitlines()[-1]))


def longer() -> None:
    """Measure, and renew the table of docs/scale.md."""
    names = [f"{n:,} rows" for n in LENGTHS]
    lines = [
        f"| measure, X | {names[0]} | {names[1]} | growth | peak / X |",
        "|---|---:|---:|---:|---:|",
    ]
    for measure, kind in CASES:
        times = [_alone(measure, kind, n, "seconds") for n in LENGTHS]
        peak = _alone(measure, kind, LENGTHS[1], "memory")
        growth = times[1] / times[0]
        cells = [f"{times[0]:.2f} s", f"{times[1]:.2f} s", f"{growth:.1f}", f"{peak:.1f}"]
        lines.append(f"| {measure}, {kind} | " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    _renew("scale.md", "\n".join(lines))


def _renew(name: str, table: str) -> None:
    """Write a table between its marks."""
    page = DOCS / name
    before, rest = page.read_text(encoding="utf-8").split(START)
    text = f"{before}{START}\n\n{table}\n\n{END}{rest.split(END)[1]}"
    page.write_text(text, encoding="utf-8")


def main() -> None:
    """Measure, and renew the table and the plot."""
    if sys.argv[1:2] == ["one"]:
        measure, kind, n, what = sys.argv[2:]
        print(json.dumps(_one_length(measure, kind, int(n), what)))
        return
    if sys.argv[1:] == ["rows"]:
        longer()
        return
    wider()


def wider() -> None:
    """Measure, and renew the table and the plot of docs/wide.md."""
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
    _renew("wide.md", "\n".join(lines) + f"\n\nThe process used at most {memory} MB.")
    _plot(seconds)


if __name__ == "__main__":
    main()
