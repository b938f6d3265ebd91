"""``python -m benchmarks.scale make FOLDER ROWS``: a wide nominal table in Parquet files.

Forty nominal features with 2 to 8 values and a class of three values, in files of five million
rows. Six features decide the class (with noise), ten are noisy copies of these, the others are
noise. Every file is drawn from its own seed, so that a smaller table is the start of a larger one.
"""

from __future__ import annotations

import sys
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


if __name__ == "__main__":
    make(Path(sys.argv[2]), int(float(sys.argv[3])))
