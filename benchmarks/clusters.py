"""``python -m benchmarks.clusters candidates [dask] [ray]``: selection with a random forest;
``python -m benchmarks.clusters scans ROWS [ENGINE ...]``: measures of a table outside memory.

Candidates: seconds by the clock, since speed-up is about waiting; run it on a machine that does
nothing else. Scans: CPU seconds of this process and of its workers after a first small run, which
starts them, and the peak memory of this process.
"""

from __future__ import annotations

import resource
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

import fewest
from fewest import SubsetSelector
from fewest.data._engine.source import TableSource
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
    """One process."""
    yield None


@contextmanager
def processes() -> Iterator[int]:
    """Two processes of joblib."""
    yield WORKERS


CLUSTERS = {"dask": dask, "ray": ray}
ENGINES: dict[str, Any] = {"one process": alone, "processes": processes, **CLUSTERS, "spark": spark}
#: What is measured, and the columns it takes: all, or numbers, and the target.
MEASURES = {
    "mrmr": ("all", "y"), "cfs": ("all", "y"), "mdl-fs": ("all", "y"),
    "inconsistency": ("all", "y"), "naive-bayes": ("all", "y"), "gaussian-nb": ("numbers", "y"),
    "lda": ("numbers", "y"), "ridge": ("numbers", "amount"),
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


def run(engine: Any, folder: Path, measure: str) -> tuple[list[str], float]:
    """Select three features on an engine."""
    kind, target = MEASURES[measure]
    place = str(folder / kind / target)
    if hasattr(engine, "read"):
        X, options = engine.read.parquet(place), {}
    else:
        X, options = fewest.load(place, target=target).X, {"n_jobs": engine}
    selector = SubsetSelector(
        measure, search="sfs", max_features=3, random_state=0, refit=False, **options
    )
    result = selector.fit(X, target=target).result_
    return result.features, float(result.score)


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


def scans(rows: int, names: list[str]) -> None:
    """One line per engine and measure."""
    calls = []
    reduce = TableSource.reduce
    TableSource.reduce = lambda self, scan: calls.append(scan) or reduce(self, scan)  # type: ignore
    answers: dict[str, tuple[list[str], float]] = {}
    print("| engine | measure | scans | wall | CPU driver | CPU workers | equal |")
    print("|---|---|---:|---:|---:|---:|---|")
    with tempfile.TemporaryDirectory() as place:
        folder, small = Path(place) / "large", Path(place) / "small"
        make(folder, rows)
        make(small, 4_000)
        for name in names or ENGINES:
            with ENGINES[name]() as engine:
                for measure in MEASURES:
                    run(engine, small, measure)
                    calls.clear()
                    start = time.perf_counter(), time.process_time(), workers_seconds()
                    found = run(engine, folder, measure)
                    wall, own = time.perf_counter() - start[0], time.process_time() - start[1]
                    others = workers_seconds() - start[2]
                    first = answers.setdefault(measure, found)
                    same = found[0] == first[0] and abs(found[1] - first[1]) <= 1e-9
                    print(
                        f"| {name} | {measure} | {len(calls)} | {wall:.1f} s | {own:.1f} s | "
                        f"{others:.1f} s | {'yes' if same else f'NO: {found}, {first}'} |",
                        flush=True,
                    )
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{name}: peak memory of this process {peak:.0f} MB", file=sys.stderr)


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
