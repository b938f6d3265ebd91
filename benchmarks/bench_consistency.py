"""The inconsistency rate against pandas and Weka, its growth with the rows, and its memory."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from fewest.data import load
from fewest.data._as_table import as_table
from fewest.data._table import Table
from fewest.measures._consistency.inconsistency import Inconsistency

DATA = Path(__file__).parents[1] / "data"
TABLES = ("mushroom", "splice", "letter")
SUBSETS = 1000
LOOKED_AT_BY_PANDAS, LOOKED_AT_BY_WEKA = 20, 30
WEKA = Path("/usr/share/java/weka.jar")
PROGRAM = Path(__file__).with_name("WekaConsistency.java")


def rows() -> list[dict[str, Any]]:
    """Rates against pandas and Weka, growth, memory."""
    warnings.filterwarnings("ignore", message=".*contradict others")
    paths = {name: DATA / f"{name}.arff.gz" for name in TABLES}
    found = {name: path for name, path in paths.items() if path.is_file()}
    rates = [_rate(name, path) for name, path in found.items()]
    weka = WEKA.exists() and shutil.which("javac") is not None
    return [*rates, *[_weka(name, path) for name, path in found.items() if weka], *_growth()]


def nominal(path: Path) -> tuple[Table, Any]:
    """A data set with every column nominal."""
    data = load(path)
    return as_table(data.X, data.y, nominal=list(data.X.columns)), data


def _rate(name: str, path: Path) -> dict[str, Any]:
    """1,000 random subsets of each table."""
    import pandas as pd

    table, data = nominal(path)
    scorer = Inconsistency().bind(table)
    subsets = np.random.default_rng(0).random((SUBSETS, table.n_features)) < 0.5
    scorer.score(subsets[:10])
    start = time.process_time()
    ours = scorer.score(subsets).goals["inconsistencies"]
    seconds = time.process_time() - start
    frame = pd.DataFrame(data.X).assign(target=np.asarray(data.y))
    start = time.process_time()
    theirs = [_by_pandas(frame, s) for s in subsets[:LOOKED_AT_BY_PANDAS]]
    theirs_seconds = (time.process_time() - start) * SUBSETS / LOOKED_AT_BY_PANDAS
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


def _weka(name: str, path: Path) -> dict[str, Any]:
    """Some of the subsets by Weka's ConsistencySubsetEval, warm, in one virtual machine."""
    from tests.oracles.weka import write_arff

    table, _ = nominal(path)
    # Weka has its own way with unknown values: here they are a value like others, for both.
    table = _known(table)
    scorer = Inconsistency().bind(table)
    subsets = np.random.default_rng(0).random((SUBSETS, table.n_features)) < 0.5
    scorer.score(subsets[:10])
    start = time.process_time()
    ours = scorer.score(subsets).value
    seconds = (time.process_time() - start) * LOOKED_AT_BY_WEKA / SUBSETS
    with tempfile.TemporaryDirectory() as folder:
        arff, words = Path(folder) / "table.arff", Path(folder) / "subsets.txt"
        write_arff(arff, table)
        asked = subsets[:LOOKED_AT_BY_WEKA].astype(int).astype(str)
        words.write_text("".join("".join(subset) + "\n" for subset in asked))
        command = ["java", "-Xmx1g", "-cp", str(WEKA), str(PROGRAM), str(arff), str(words)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    *merits, theirs = map(float, said)
    np.testing.assert_allclose(1 + ours[:LOOKED_AT_BY_WEKA], merits)
    return {
        "what": f"inconsistency of {LOOKED_AT_BY_WEKA} subsets, {name}",
        "ours_s": seconds,
        "theirs_s": theirs,
        "ratio": theirs / seconds,
        "target": 5.0,
        "note": f"Weka's ConsistencySubsetEval, warm; ours from {SUBSETS}; CPU time; same values",
    }


def _known(table: Table) -> Table:
    values = table.values.copy()
    levels = list(table.levels)
    for j, known in enumerate(table.levels):
        unknown = np.isnan(values[:, j])
        if unknown.any():
            values[unknown, j] = len(known or ())
            levels[j] = (*(known or ()), "unknown")
    return Table(table.names, values, tuple(levels), table.target, table.classes)


def _growth() -> list[dict[str, Any]]:
    """Ten times the rows should cost ten times the time: the ratio is the growth over that."""
    sizes = [10_000, 100_000, 1_000_000, 10_000_000]
    measured = [_generated(n) for n in sizes]
    return [
        {
            "what": f"one subset of {n:,} generated rows",
            "ours_s": now,
            "theirs_s": 10 * before,
            "ratio": 10 * before / now,
            "target": 0.7,
            # Of 10,000 rows most are single in their pattern, which is less work than later on.
            "note": f"theirs: ten times the time of {n // 10:,} rows; 1 is linear; CPU time; "
            f"binding and scoring take {memory:.1f} times the memory of the codes in a byte each",
        }
        for n, (now, memory), (before, _) in zip(
            sizes[1:], measured[1:], measured[:-1], strict=True
        )
    ]


def _generated(n: int) -> tuple[float, float]:
    """Seconds for one random subset of ten columns of eight values, mean of 20; peak memory.

    The memory is that of all that is made beside the table itself, over that of its values as
    codes in the smallest whole numbers, here a byte each.
    """
    rng = np.random.default_rng(0)
    values = np.empty((n, 10))
    for column in values.T:
        column[:] = rng.integers(0, 8, n, dtype=np.uint8)
    levels = (tuple(range(8)),) * 10
    names = tuple(f"x{j}" for j in range(10))
    target = rng.integers(0, 2, n)
    table = Table(names, values, levels, target, np.array([0, 1]))
    subsets = rng.random((20, 10)) < 0.5
    tracemalloc.start()
    scorer = Inconsistency().bind(table)
    scorer.score(subsets[:3])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    start = time.process_time()
    scorer.score(subsets)
    return (time.process_time() - start) / len(subsets), peak / values.size
