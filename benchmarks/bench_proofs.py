"""How long the proofs of smallest subsets take, beside the time that they may take."""

from __future__ import annotations

import time
import warnings
from typing import Any

from benchmarks.bench_consistency import DATA, nominal
from fewest.data._as_table import as_table
from fewest.data._generators import generate
from fewest.data._table import Table
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.search import Exact, Subsets
from fewest.testing import drive

#: Proven sizes and the most seconds the proof may take.
PROOFS = {"mushroom": (4, 10), "letter": (11, 10), "chess-kr-vs-kp": (29, 10), "splice": (9, 180)}
#: Noisy LED24: rows, and the thresholds; the sizes must fall as these rise.
LED = {1000: (None, 0.01, 0.05), 3200: (None, 0.01, 0.05)}


def rows() -> list[dict[str, Any]]:
    """Smallest consistent subsets, then larger thresholds."""
    warnings.filterwarnings("ignore", message=".*contradict others")
    found = {name: DATA / f"{name}.arff.gz" for name in PROOFS}
    proofs = [
        _proof(f"smallest consistent subset proven, {name}", nominal(path)[0], *PROOFS[name])
        for name, path in found.items()
        if path.is_file()
    ]
    return [*proofs, *(row for n in LED for row in _led(n))]


def _led(n: int) -> list[dict[str, Any]]:
    """Larger thresholds on LED24 with faults."""
    data = generate("led24", n_rows=n, random_state=0)
    table = as_table(data.X, data.y, nominal=list(data.X.columns))
    done = []
    for threshold in LED[n]:
        said = "of all features" if threshold is None else f"{threshold:.0%}"
        what = f"smallest subset proven, LED24, {n:,} rows, rate {said}"
        done.append(_proof(what, table, None, 60, threshold))
    sizes = [row["size"] for row in done]
    assert sizes == sorted(sizes, reverse=True)
    return done


def _proof(
    what: str, table: Table, size: int | None, most: float, threshold: float | None = None
) -> dict[str, Any]:
    start, cpu = time.perf_counter(), time.process_time()
    scorer = Inconsistency(threshold=threshold).bind(table)
    done = drive(Exact(), Subsets(table.n_features), scorer, max_batches=1_000_000)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    assert done.verdict is not None
    assert done.verdict.optimal
    found = int(done.answer.sum())
    assert size is None or found == size
    return {
        "what": f"{what} ({found})",
        "ours_s": seconds,
        "theirs_s": float(most),
        "ratio": most / seconds,
        "target": 1.0,
        "note": f"theirs: the {most} s that it may take on two cores; CPU time {cpu:.1f} s",
        "size": found,
    }
