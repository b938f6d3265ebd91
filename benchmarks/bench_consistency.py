"""The inconsistency rate against a pandas group-by, its growth with the rows, and the proofs."""

from __future__ import annotations

import os
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from fewest.data import load
from fewest.data.build import as_table
from fewest.data.table import Table
from fewest.measures.inconsistency import Inconsistency
from fewest.search import Exact, Subsets
from fewest.testing import drive

TABLES = ("mushroom", "splice", "letter")
#: Proven sizes and the most seconds the proof may take.
PROOFS = {"mushroom": (4, 10), "letter": (11, 10), "chess-kr-vs-kp": (29, 10), "splice": (9, 180)}
SUBSETS = 1000
LOOKED_AT_BY_PANDAS = 20


def rows() -> list[dict[str, Any]]:
    """Rates, growth, proofs."""
    warnings.filterwarnings("ignore", message=".*contradict others")
    folder = Path(os.environ.get("FEWEST_DATA", "../shared/data"))
    found = {name: folder / f"{name}.arff.gz" for name in {*TABLES, *PROOFS}}
    found = {name: path for name, path in found.items() if path.is_file()}
    rates = [_rate(name, found[name]) for name in TABLES if name in found]
    proofs = [_proof(name, found[name]) for name in PROOFS if name in found]
    return [*rates, *_growth(), *proofs]


def _nominal(path: Path) -> tuple[Table, Any]:
    data = load(path)
    return as_table(data.X, data.y, nominal=list(data.X.columns)), data


def _rate(name: str, path: Path) -> dict[str, Any]:
    """1,000 random subsets of each table."""
    import pandas as pd

    table, data = _nominal(path)
    scorer = Inconsistency().bind(table)
    subsets = np.random.default_rng(0).random((SUBSETS, table.n_features)) < 0.5
    scorer.score(subsets[:10])
    start = time.perf_counter()
    ours = scorer.score(subsets).goals["inconsistencies"]
    seconds = time.perf_counter() - start
    frame = pd.DataFrame(data.X).assign(target=np.asarray(data.y))
    start = time.perf_counter()
    theirs = [_by_pandas(frame, s) for s in subsets[:LOOKED_AT_BY_PANDAS]]
    theirs_seconds = (time.perf_counter() - start) * SUBSETS / LOOKED_AT_BY_PANDAS
    assert ours[:LOOKED_AT_BY_PANDAS].tolist() == theirs
    return {
        "what": f"inconsistency of {SUBSETS} subsets, {name}",
        "ours_s": seconds,
        "theirs_s": theirs_seconds,
        "ratio": theirs_seconds / seconds,
        "target": 50.0,
        "note": f"pandas group-by, from {LOOKED_AT_BY_PANDAS} of them",
    }


def _by_pandas(frame: Any, subset: Any) -> int:
    columns = list(frame.columns[:-1][subset])
    if not columns:
        return int(len(frame) - frame["target"].value_counts().max())
    options: dict[str, Any] = {"observed": True, "sort": False, "dropna": False}
    counts = frame.groupby([*columns, "target"], **options).size()
    largest = counts.groupby(level=list(range(len(columns))), **options).max()
    return int(len(frame) - largest.sum())


def _growth() -> list[dict[str, Any]]:
    """Ten times the rows should cost ten times the time: the ratio is the growth over that."""
    most = 10_000_000 if os.environ.get("FEWEST_BENCH_FULL") else 1_000_000
    sizes = [n for n in (10_000, 100_000, 1_000_000, 10_000_000) if n <= most]
    seconds = [_generated(n) for n in sizes]
    return [
        {
            "what": f"one subset of {n:,} generated rows",
            "ours_s": now,
            "theirs_s": 10 * before,
            "ratio": 10 * before / now,
            "target": 0.3,
            "note": f"theirs: ten times the time of {n // 10:,} rows; 1 is linear",
        }
        for n, now, before in zip(sizes[1:], seconds[1:], seconds[:-1], strict=True)
    ]


def _generated(n: int) -> float:
    """Seconds for one random subset of ten columns of eight values, mean of 20."""
    rng = np.random.default_rng(0)
    values = rng.integers(0, 8, (n, 10)).astype(np.float64)
    levels = (tuple(range(8)),) * 10
    names = tuple(f"x{j}" for j in range(10))
    target = rng.integers(0, 2, n)
    scorer = Inconsistency().bind(Table(names, values, levels, target, np.array([0, 1])))
    subsets = rng.random((20, 10)) < 0.5
    scorer.score(subsets[:1])
    start = time.perf_counter()
    scorer.score(subsets)
    return (time.perf_counter() - start) / len(subsets)


def _proof(name: str, path: Path) -> dict[str, Any]:
    """The smallest consistent subset, proven."""
    table, _ = _nominal(path)
    size, most = PROOFS[name]
    start = time.perf_counter()
    scorer = Inconsistency().bind(table)
    done = drive(Exact(), Subsets(table.n_features), scorer, max_batches=1_000_000)
    seconds = time.perf_counter() - start
    assert done.verdict is not None
    assert done.verdict.optimal
    assert done.answer.sum() == size
    return {
        "what": f"smallest consistent subset proven, {name} ({size})",
        "ours_s": seconds,
        "theirs_s": float(most),
        "ratio": most / seconds,
        "target": 1.0,
        "note": f"theirs: the {most} s that it may take on two cores",
    }
