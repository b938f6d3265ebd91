"""``python -m benchmarks.scale make FOLDER ROWS``: a wide nominal table in Parquet files;
``python -m benchmarks.scale measure FOLDER [TASK ...]``: time and memory of selections from it;
``python -m benchmarks.scale wide FOLDER ROWS [MEMORY ...]``: the same for 2,000 columns, half of
them numbers, by budgets of memory for what scans count.

Forty nominal features with 2 to 8 values and a class of three values, in files of five million
rows. Six features decide the class (with noise), ten are noisy copies of these, the others are
noise. Every file is drawn from its own seed, so that a smaller table is the start of a larger one.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

FEATURES, RELEVANT, COPIES = 40, 6, 10
SIZES = [(2, 3, 4, 5, 6, 8)[j % 6] for j in range(FEATURES)]
CLASSES = ("high", "low", "middle")
FILE_ROWS, GROUP_ROWS = 5_000_000, 250_000


def draw(rows: int, seed: int) -> pa.Table:
    """One file: nominal columns as dictionaries."""
    rng = np.random.default_rng([2026, seed])
    codes = [rng.integers(0, size, rows, dtype=np.int8) for size in SIZES]
    for j in range(RELEVANT, RELEVANT + COPIES):
        same = rng.random(rows, dtype=np.float32) < 0.3 + 0.06 * (j - RELEVANT)
        codes[j] = np.where(same, codes[j % RELEVANT] % SIZES[j], codes[j])
    share = sum(codes[j] / (SIZES[j] - 1) for j in range(RELEVANT)) / RELEVANT
    share = share + 0.1 * rng.standard_normal(rows, dtype=np.float32)
    label = np.digitize(share, [0.42, 0.58]).astype(np.int8)
    columns = {f"x{j:02d}": _labels(codes[j], "abcdefgh"[: SIZES[j]]) for j in range(FEATURES)}
    return pa.table({**columns, "y": _labels(label, CLASSES)})


def _labels(codes: np.ndarray, labels: object) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(list(labels)))


def make(folder: Path, rows: int) -> None:
    """Write the files that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, first in enumerate(range(0, rows, FILE_ROWS)):
        path = folder / f"part-{part:03d}.parquet"
        if not path.exists():
            table = draw(min(FILE_ROWS, rows - first), part)
            pq.write_table(table, path, row_group_size=GROUP_ROWS)
    size = sum(path.stat().st_size for path in folder.glob("*.parquet"))
    print(f"{folder}: {rows:,} rows, {size / 1e9:.2f} GB")


def read(folder: str) -> str:
    """All columns of all rows, once, and nothing else."""
    from fewest.data._engine.parquet import ParquetFiles

    source = ParquetFiles(folder)
    return f"{sum(batch.num_rows for batch in source.batches(source.schema.names)):,} rows"


def duckdb_groups(folder: str) -> str:
    """DuckDB's own GROUP BY of every column with the class, one statement per column."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads=1")
    cells = 0
    for j in range(FEATURES):
        sql = f"SELECT x{j:02d}, y, count(*) FROM '{folder}/*.parquet' GROUP BY ALL"
        cells += len(connection.execute(sql).fetchall())
    return f"{cells} groups of 40 statements"


def duckdb_sets(folder: str) -> str:
    """The same in one statement with grouping sets."""
    import duckdb

    names = [f"x{j:02d}" for j in range(FEATURES)]
    sets = ", ".join(f"({name}, y)" for name in names)
    connection = duckdb.connect()
    connection.execute("SET threads=1")
    sql = (
        f"SELECT {', '.join(names)}, y, count(*) FROM '{folder}/*.parquet' "
        f"GROUP BY GROUPING SETS ({sets})"
    )
    return f"{len(connection.execute(sql).fetchall())} groups of one statement"


def selection(folder: str, measure: object, most: int | None = 10, n_jobs: object = None) -> str:
    """Forward selection."""
    import fewest

    data = fewest.load(folder, target="y")
    selector = fewest.SubsetSelector(
        measure, search="sfs", max_features=most, random_state=0, n_jobs=n_jobs
    )
    return " ".join(selector.fit(data.X, data.y).result_.features)


def spread(engine: str, folder: str) -> str:
    """Forward selection by mRMR on two workers, with their CPU and the memory of all processes."""
    from . import clusters

    with clusters.ENGINES[engine]() as n_jobs:
        found = selection(folder, "mrmr", n_jobs=n_jobs)
        return f"{found}; workers {clusters.workers_seconds():.1f} s of CPU; {clusters.peaks()}"


def planned(measure: str, folder: str) -> str:
    """What `fewest plan` predicts of a forward selection, and what it takes then."""
    import fewest
    from fewest._scan_costs import FirstRows, scan_costs
    from fewest.data._engine.frame import StoredFrame

    data = fewest.load(folder, target="y")
    selector = fewest.SubsetSelector(measure, search="sfs", max_features=3, refit=False)
    costs, n_rows = scan_costs(data.X, selector, "y")
    wanted, every = costs.at(n_rows), FirstRows(data.X.source, n_rows)
    selector.fit(StoredFrame(every, data.X.columns), target="y")
    return (
        f"{measure}: {wanted.scans} scans, {wanted.read / 1e6:.0f} MB, {wanted.cpu:.1f} s planned; "
        f"{every.scans} scans, {every.read / 1e6:.0f} MB, {every.cpu:.1f} s taken"
    )


def tan(folder: str) -> str:
    """MDL-FS of a TAN classifier, forward until nothing is gained."""
    from fewest.measures import MDLFS

    return selection(folder, MDLFS(classifier="tan"), None)


def subsets() -> np.ndarray:
    """A hundred random subsets of one to eight features."""
    rng = np.random.default_rng(0)
    masks = np.zeros((100, FEATURES), dtype=bool)
    for row in masks:
        row[rng.choice(FEATURES, rng.integers(1, 9), replace=False)] = True
    return masks


def inconsistency(folder: str) -> str:
    """The inconsistency of a hundred subsets."""
    import fewest
    from fewest.measures import Inconsistency

    data = fewest.load(folder, target="y")
    scorer = Inconsistency(threshold=1.0).bind(data.table())
    start = time.perf_counter(), time.process_time()
    value = scorer.score(subsets()).value
    wall, cpu = time.perf_counter() - start[0], time.process_time() - start[1]
    scans = scorer.patterns.scans
    return f"best {value.max():.6f}, {scans} scan(s) in {wall:.1f} s wall, {cpu:.1f} s CPU"


def duckdb_subsets(folder: str) -> str:
    """The same by DuckDB's GROUP BY, one statement per subset."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads=1")
    best = 1.0
    for mask in subsets():
        names = ", ".join(f"x{j:02d}" for j in np.flatnonzero(mask))
        inner = f"SELECT {names}, y, count(*) AS n FROM '{folder}/*.parquet' GROUP BY ALL"
        outer = f"SELECT {names}, sum(n) - max(n) AS o, sum(n) AS n FROM ({inner}) GROUP BY {names}"
        outside, n = connection.execute(f"SELECT sum(o), sum(n) FROM ({outer})").fetchone()
        best = min(best, float(outside) / float(n))
    return f"best {-best:.6f}"


TASKS = {
    "read": read,
    "duckdb": duckdb_groups,
    "duckdb-sets": duckdb_sets,
    "mrmr": lambda folder: selection(folder, "mrmr"),
    "mrmr-processes": partial(spread, "processes"),
    "mrmr-dask": partial(spread, "dask"),
    "plan-mrmr": partial(planned, "mrmr"),
    "plan-naive-bayes": partial(planned, "naive-bayes"),
    "plan-inconsistency": partial(planned, "inconsistency"),
    "cfs": lambda folder: selection(folder, "cfs", None),
    "mdl-fs-tan": tan,
    "inconsistency": inconsistency,
    "duckdb-subsets": duckdb_subsets,
}


def make_wide(folder: Path, rows: int) -> None:
    """Write files of 25,000 rows and 2,000 columns; the first three numbers decide the class."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, first in enumerate(range(0, rows, 25_000)):
        rng, n = np.random.default_rng([2027, part]), min(25_000, rows - first)
        X = rng.standard_normal((1_000, n), dtype=np.float32)
        codes = rng.integers(0, 4, (1_000, n), dtype=np.int8)
        label = np.digitize(X[:3].sum(axis=0) + rng.normal(0, 1, n), [-1.0, 1.0]).astype(np.int8)
        columns = {f"x{j:04d}": pa.array(values) for j, values in enumerate(X)}
        columns |= {f"c{j:04d}": _labels(values, "abcd") for j, values in enumerate(codes)}
        table = pa.table({**columns, "y": _labels(label, CLASSES)})
        pq.write_table(table, folder / f"part-{part:03d}.parquet")


def wide(folder: str, memory: str) -> str:
    """Forward selection of three features of 2,000 by mRMR within some memory."""
    import fewest
    from fewest.data._engine.source import TableSource

    scans, reduce = [], TableSource.reduce
    TableSource.reduce = lambda self, scan: scans.append(scan) or reduce(self, scan)  # type: ignore
    data = fewest.load(folder, target="y", memory=memory)
    selector = fewest.SubsetSelector("mrmr", search="sfs", max_features=3, refit=False)
    found = selector.fit(data.X, data.y).result_.features
    return f"{memory}: {' '.join(found)} in {len(scans)} scans"


def one(folder: str, task: str) -> None:
    """Run a task in this process and print its time and memory as JSON."""
    start = time.perf_counter()
    said = TASKS[task](folder) if task in TASKS else wide(folder, task)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({
        "task": task, "wall_s": round(time.perf_counter() - start, 1),
        "cpu_s": round(used.ru_utime + used.ru_stime, 1),
        "peak_mb": round(used.ru_maxrss / 1024), "said": said,
    }), flush=True)  # fmt: skip


def measure(folder: str, tasks: list[str]) -> None:
    """Every task in a process of its own."""
    for task in tasks or list(TASKS):
        subprocess.run([sys.executable, "-m", "benchmarks.scale", "one", folder, task], check=True)


if __name__ == "__main__":
    command, where, *rest = sys.argv[1:]
    if command == "make":
        make(Path(where), int(float(rest[0])))
    elif command == "wide":
        make_wide(Path(where), int(float(rest[0])))
        measure(where, rest[1:] or ["2 GB", "200 MB", "50 MB"])
    elif command == "one":
        one(where, rest[0])
    else:
        measure(where, rest)
