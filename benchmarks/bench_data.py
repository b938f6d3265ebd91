"""Reading ARFF, against scipy's reader followed by what makes a frame of it."""

from __future__ import annotations

import gzip
import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scipy.io import arff

from fewest.data import load

DATA = Path(__file__).parents[1] / "data"
FILES = ("adult", "connect-4-2class", "letter", "internet-advertisements")


def _seconds(work: Callable[[], Any], repeats: int = 3) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def _scipy(path: Path) -> None:
    import pandas as pd

    text = gzip.decompress(path.read_bytes()).decode()
    frame = pd.DataFrame(arff.loadarff(io.StringIO(text))[0])
    for name in frame.select_dtypes(object).columns:
        frame[name] = frame[name].str.decode("utf-8").astype("category")


def rows() -> list[dict[str, Any]]:
    """One row a file."""
    found = [DATA / f"{name}.arff.gz" for name in FILES]
    return [_row(path) for path in found if path.is_file()]


def _row(path: Path) -> dict[str, Any]:
    ours = _seconds(lambda: load(path))
    theirs = _seconds(lambda: _scipy(path), repeats=1)
    return {
        "what": f"read {path.name}",
        "ours_s": ours,
        "theirs_s": theirs,
        "ratio": theirs / ours,
        "target": 1.0,
        "note": "scipy.io.arff, then a frame with categories",
    }
