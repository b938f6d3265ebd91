"""``python -m benchmarks.clusters candidates [dask] [ray]``: selection with a random forest;
``python -m benchmarks.clusters scans ROWS [ENGINE or MEASURE ...]``: measures of a table outside
memory.

Candidates: seconds by the clock, since speed-up is about waiting; run it on a machine that does
nothing else. Scans: CPU seconds of this process and of its workers after a first small run, which
starts them, and how many times one process that is in all. On standard error: what a scan of a
table of 4,000 rows costs, and the peak memory of this process and of the largest ones below it.
"""

from __future__ import annotations

import os
import re
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.linear_model import LogisticRegression, Ridge

import fewest
from fewest import SubsetSelector
from fewest.data._engine.open import is_stored, open_source
from fewest.data._engine.source import TableSource
from fewest.data._engine.spread import spread as spread_files
from fewest.data._engine.tallies import Tallies
from fewest.measures import CrossValidated

WORKERS, FILES = 2, 4


@contextmanager
def dask() -> Iterator[str]:
    """The address of a Dask cluster of two processes."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield f"dask:{cluster.scheduler_address}"


@contextmanager
def ray() -> Iterator[str]:
    """The name of a Ray cluster of two processes."""
    import ray as ray_package

    ray_package.init(num_cpus=WORKERS, include_dashboard=False, log_to_driver=False)
    yield "ray:auto"
    ray_package.shutdown()


@contextmanager
def spark() -> Iterator[Any]:
    """A Spark session of two threads, each with a process of Python."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = (
        SparkSession.builder.master(f"local[{WORKERS},4]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    yield session
    session.stop()


@contextmanager
def alone() -> Iterator[None]:
    """This process."""
    yield None


@contextmanager
def processes() -> Iterator[int]:
    """Two processes of joblib."""
    yield WORKERS


@contextmanager
def duckdb() -> Iterator[Any]:
    """A DuckDB database in memory, which reads the same files with one thread."""
    import ibis

    connection = ibis.duckdb.connect()
    connection.con.execute("SET threads=1")
    yield connection


CLUSTERS = {"dask": dask, "ray": ray}
ENGINES: dict[str, Any] = {
    "processes": processes, **CLUSTERS, "spark": spark, "duckdb": duckdb,
}  # fmt: skip
#: What is measured, and the columns it takes: all, or numbers, and the target.
MEASURES: dict[str, tuple[Any, str, str]] = {
    "mrmr": ("mrmr", "all", "y"), "cfs": ("cfs", "all", "y"), "mdl-fs": ("mdl-fs", "all", "y"),
    "inconsistency": ("inconsistency", "all", "y"), "naive-bayes": ("naive-bayes", "all", "y"),
    "gaussian-nb": ("gaussian-nb", "numbers", "y"), "lda": ("lda", "numbers", "y"),
    "ridge": (Ridge(), "numbers", "amount"), "logistic": (LogisticRegression(), "numbers", "y"),
}  # fmt: skip


def make(folder: Path, rows: int) -> None:
    """Ten columns of labels, ten of numbers, a class, and a number to predict."""
    for file in range(FILES):
        rng = np.random.default_rng([2026, file])
        n = rows // FILES
        codes = rng.integers(0, [2, 3, 4, 5, 6, 2, 3, 4, 5, 6], (n, 10))
        X = rng.normal(0, 1, (n, 10))
        amount = codes[:, 0] + 0.5 * codes[:, 1] + X[:, 0] + 0.5 * X[:, 1] + rng.normal(0, 1, n)
        columns: dict[str, Any] = {f"x{j}": X[:, j] for j in range(10)}
        columns |= {f"c{j}": np.array(list("abcdef"))[codes[:, j]] for j in range(10)}
        label = np.array(["low", "mid", "top"])[np.digitize(amount, [0.5, 2.0])]
        frame = pd.DataFrame({**columns, "amount": amount, "y": label})
        for kind, names in (("all", [*columns, "y"]), ("numbers", [*list(columns)[:10], "y"])):
            _write(folder / kind / "y", file, frame[names])
        names = [*list(columns)[:10], "amount"]
        _write(folder / "numbers" / "amount", file, frame[names])


def _write(folder: Path, file: int, frame: pd.DataFrame) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pandas(frame, preserve_index=False)
    pq.write_table(table, folder / f"part-{file}.parquet", row_group_size=100_000)


def opened(engine: Any, place: str, target: str) -> tuple[Any, dict[str, Any]]:
    """Return the table on an engine, and options of the selector."""
    if hasattr(engine, "read_parquet"):
        return engine.read_parquet(f"{place}/*.parquet"), {}
    if hasattr(engine, "read"):
        return engine.read.parquet(place), {}
    return fewest.load(place, target=target).X, {"n_jobs": engine}


def run(engine: Any, folder: Path, name: str) -> tuple[list[str], float]:
    """Select three features on an engine."""
    measure, kind, target = MEASURES[name]
    X, options = opened(engine, str(folder / kind / target), target)
    selector = SubsetSelector(
        measure, search="sfs", max_features=3, random_state=0, refit=False, **options
    )
    result = selector.fit(X, target=target).result_
    return result.features, float(result.score)


def empty_scan(engine: Any, folder: Path) -> str:
    """Return what a scan of almost no rows costs: wall and CPU, the median of nine."""
    X, options = opened(engine, str(folder / "all" / "y"), "y")
    assert is_stored(X)
    source = spread_files(open_source(X), options.get("n_jobs"))
    found = []
    for _ in range(9):
        start = time.perf_counter(), time.process_time(), workers_seconds()
        source.reduce(Tallies((), "y"))
        wall, own = time.perf_counter() - start[0], time.process_time() - start[1]
        found.append((wall, own, workers_seconds() - start[2]))
    wall, own, others = (1000.0 * statistics.median(part) for part in zip(*found, strict=True))
    return f"{wall:.0f} ms, CPU {own:.0f} ms of this process and {others:.0f} ms of the workers"


def workers_seconds() -> float:
    """CPU seconds of all processes below this one, and of those that ended below them."""
    total = 0.0
    for process in psutil.Process().children(recursive=True):
        try:
            used = process.cpu_times()
        except psutil.Error:
            continue
        total += used.user + used.system
    return total


def timed(engine: Any, folder: Path, measure: str) -> tuple[Any, float, float, float]:
    """Run; return the answer, the wall time, and the CPU time of this process and its workers."""
    start = time.perf_counter(), time.process_time(), workers_seconds()
    found = run(engine, folder, measure)
    wall, own = time.perf_counter() - start[0], time.process_time() - start[1]
    return found, wall, own, workers_seconds() - start[2]


def peaks() -> str:
    """Return the peak memory of this process and of the three largest ones below it."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
            title = " ".join(process.cmdline())[-40:]
        except (OSError, psutil.Error):
            continue
        peak = re.search(r"VmHWM:\s*(\d+)", status)
        found.append((int(peak[1]) // 1024 if peak else 0, title))
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    largest = [f"{size} MB ({title})" for size, title in sorted(found, reverse=True)[:3]]
    return ", ".join([f"{own} MB (this process)", *largest])


def scans(rows: int, names: list[str]) -> None:
    """One line per engine and measure."""
    calls: list[Any] = []
    reduce = TableSource.reduce
    TableSource.reduce = lambda self, scan: calls.append(scan) or reduce(self, scan)  # type: ignore
    print("| engine | measure | scans | wall | CPU driver | CPU workers | of one process | equal |")
    print("|---|---|---:|---:|---:|---:|---:|---|")
    wanted: dict[str, tuple[Any, float]] = {}
    engines = [name for name in ENGINES if name in names] or ENGINES
    measures = [name for name in MEASURES if name in names] or MEASURES
    with tempfile.TemporaryDirectory() as place:
        folder, small = Path(place) / "large", Path(place) / "small"
        make(folder, rows)
        make(small, 4_000)
        for name in ("one process", *engines):
            with ENGINES.get(name, alone)() as engine:
                for measure in measures:
                    run(engine, small, measure)
                    calls.clear()
                    found, wall, own, others = timed(engine, folder, measure)
                    answer, before = wanted.setdefault(measure, (found, own))
                    same = found[0] == answer[0] and abs(found[1] - answer[1]) <= 1e-9
                    print(
                        f"| {name} | {measure} | {len(calls)} | {wall:.1f} s | {own:.1f} s | "
                        f"{others:.1f} s | {(own + others) / before:.1f} | "
                        f"{'yes' if same else f'NO: {found}, {answer}'} |",
                        flush=True,
                    )
                print(f"{name}, an empty scan: {empty_scan(engine, small)}", file=sys.stderr)
                print(f"{name}, peak memory: {peaks()}", file=sys.stderr, flush=True)


def seconds(n_jobs: str | int | None) -> tuple[float, list[str]]:
    """How long one selection takes, and what it selects."""
    from sklearn.ensemble import RandomForestClassifier

    data = fewest.load("ionosphere")
    forest = CrossValidated(RandomForestClassifier(50, random_state=0))
    selector = SubsetSelector(
        forest, search="sfs", max_features=3, n_jobs=n_jobs, random_state=0, refit=False
    )
    start = time.perf_counter()
    selector.fit(data.X, data.y)
    return time.perf_counter() - start, selector.get_feature_names_out().tolist()


def candidates(names: list[str]) -> None:
    """One line per way to run; the first run on a cluster also starts its workers' Python."""
    alone, answer = seconds(None)
    print(f"one process: {alone:.1f} s, {', '.join(answer)}")
    for name in names or CLUSTERS:
        with CLUSTERS[name]() as address:
            for run in ("first run", "second run"):
                took, found = seconds(address)
                same = "same answer" if found == answer else f"OTHER: {found}"
                print(f"{name}, {run}: {took:.1f} s, {alone / took:.2f}x, {same}")


if __name__ == "__main__":
    command, *rest = sys.argv[1:] or ["candidates"]
    if command == "scans":
        scans(int(float(rest[0])), rest[1:])
    else:
        candidates(rest)
