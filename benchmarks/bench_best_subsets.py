"""Best subsets of least squares with a proof, beside leaps of R and abess.

``leaps`` proves too, size by size; abess does not. Times are of the processor; of R those that it
reports itself. The last rows tell what is left open after 60 s.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import PolynomialFeatures

from fewest.data._as_table import as_table
from fewest.measures import resolve_measure
from fewest.search._exhaustive import allowed_in
from fewest.search._spaces.subsets import Subsets

LIMIT = 60.0
LEAPS = """library(leaps); d <- read.csv(commandArgs(TRUE)[1])
t <- system.time(r <- regsubsets(y ~ ., d, nvmax = {size}, really.big = TRUE))
s <- summary(r); cat(t[1] + t[2], min(s$rss / s$obj$nullrss), s$rss / s$obj$nullrss)"""


def rows() -> Iterator[dict[str, Any]]:
    """Tables like those of crime rates, then diabetes with squares and products."""
    _searched(*crime(9), "rss", each=True)
    for d in (20, 30):
        yield _beside_leaps(f"best subset of every size, {d} columns", *crime(d))
    for d in (40, 50, 60):
        X, y = crime(d)
        yield _proof(f"best subset by BIC, {d} columns", X, y, "bic")
    X, y = diabetes()
    yield _proof("best subset by BIC, diabetes with 64 columns", X, y, "bic")
    yield _beside_abess("best subsets of 1 to 30 of 64 columns, diabetes", X, y)


def crime(d: int, n: int = 1000) -> tuple[Any, Any]:
    """Correlated columns, a third of which matter."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 12)) @ rng.normal(size=(12, d)) + rng.normal(size=(n, d)) * 1.5
    signal = X @ (rng.normal(size=d) * (rng.random(d) < 0.35))
    return X, signal + rng.normal(size=n) * np.std(signal) * 0.7


def diabetes() -> tuple[Any, Any]:
    """All columns, squares and products, without squares of the two sexes."""
    X, y = load_diabetes(return_X_y=True)
    wide = PolynomialFeatures(2, include_bias=False).fit_transform(X)
    kept = [j for j in range(wide.shape[1]) if len(np.unique(wide[:, j])) > 2 or j == 1]
    wide = wide[:, kept]
    return (wide - wide.mean(axis=0)) / wide.std(axis=0), y


def _searched(X: Any, y: Any, name: str, each: bool = False) -> tuple[Any, Any, float]:
    scorer = resolve_measure(name).bind(as_table(X, y, task="regression"))
    proof = scorer.best_subsets(allowed_in(Subsets(X.shape[1]), each))
    start = time.process_time()
    proof.work()
    while not proof.done and time.process_time() - start < LIMIT:
        proof.work()
    return proof, scorer, time.process_time() - start


def _proof(what: str, X: Any, y: Any, name: str) -> dict[str, Any]:
    proof, scorer, seconds = _searched(X, y, name)
    values = scorer.criterion.of(proof.best, np.arange(len(proof.best)))
    best = float(np.nanmax(values))
    note = f"size {int(np.nanargmax(values))}, {-best:.1f}"
    note += (
        ", proven" if proof.done else f", gap {abs(proof.bound() - best):.1f} after {LIMIT:.0f} s"
    )
    return {"what": what, "ours_s": seconds, "note": note}


def _beside_leaps(what: str, X: Any, y: Any) -> dict[str, Any]:
    proof, _, seconds = _searched(X, y, "rss", each=True)
    told = _leaps(X, y)
    row = {"what": what, "ours_s": seconds, "note": "proven" if proof.done else "not proven"}
    if told is None:
        return {**row, "note": f"{row['note']}; R with leaps is not installed"}
    theirs, rest = told
    away = float(np.abs(np.array(rest) / proof.best[1 : len(rest) + 1] - 1.0).max())
    note = f"{row['note']}; leaps of R, residuals within {away:.0e}"
    return {**row, "theirs_s": theirs, "ratio": theirs / max(seconds, 1e-9), "note": note}


def _leaps(X: Any, y: Any) -> tuple[float, list[float]] | None:
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        table, script = Path(folder) / "table.csv", Path(folder) / "leaps.R"
        names = ",".join([*(f"x{j}" for j in range(X.shape[1])), "y"])
        np.savetxt(table, np.column_stack([X, y]), delimiter=",", header=names, comments="")
        script.write_text(LEAPS.format(size=X.shape[1]), encoding="utf-8")
        done = subprocess.run(
            ["Rscript", str(script), str(table)], capture_output=True, text=True, check=False,
            timeout=300,
        )  # fmt: skip
    if done.returncode:
        return None
    seconds, _, *rest = (float(word) for word in done.stdout.split())
    return seconds, rest


def _beside_abess(what: str, X: Any, y: Any) -> dict[str, Any]:
    proof, scorer, seconds = _searched(X, y, "rss", each=True)
    try:
        from abess import LinearRegression
    except ImportError:
        return {"what": what, "ours_s": seconds, "note": "abess is not installed"}
    start, count = time.process_time(), {"better": 0, "equal": 0, "worse": 0}
    for size in range(1, 31):
        mask = LinearRegression(support_size=size).fit(X, y).coef_ != 0
        theirs = float(scorer.squares.unexplained(mask[None])[0])
        ours = float(proof.best[size])
        same = abs(theirs - ours) <= 1e-9 * ours
        count["equal" if same else "better" if ours < theirs else "worse"] += 1
    told = ", ".join(f"{n} {word}" for word, n in count.items())
    note = f"after {LIMIT:.0f} s, not all proven; against abess: {told}"
    return {"what": what, "ours_s": seconds, "theirs_s": time.process_time() - start, "note": note}
