"""A run while it goes on: what its journal says so far."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ..errors import InputError
from .chart import Chart
from .charts import generations, size_by_step
from .summary import MOST_GENERATIONS, thin

Plain = dict[str, Any]


class Follower:
    """Reads a journal from where it last stopped, so that looking often costs little.

    Only whole lines count: the last one may still be being written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._start_again()
        self.look()
        if not self.header:
            raise InputError(f"{self.path} is not a journal of fewest: it has no first line yet.")

    def _start_again(self) -> None:
        self._offset = 0
        self.header: Plain = {}
        self.batches: list[Plain] = []
        self._best: tuple[float, float] | None = None
        self._scored = 0

    def look(self) -> bool:
        """Read what is new; True if there was anything."""
        try:
            with self.path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._offset:
                    self._start_again()  # another run writes to the same path
                file.seek(self._offset)
                new = file.read()
        except OSError as error:
            raise InputError(
                f"The journal {self.path} cannot be read ({error.strerror})."
            ) from error
        whole = new[: new.rfind(b"\n") + 1]
        self._offset += len(whole)
        for line in whole.splitlines():
            self._take(line)
        return bool(whole)

    def _take(self, raw: bytes) -> None:
        try:
            line = json.loads(raw)
        except ValueError:
            line = None
        if not self.header and (not isinstance(line, dict) or line.get("fewest") != "journal"):
            raise InputError(
                f"{self.path} is not a journal of fewest: its first line does not say so."
            )
        if not isinstance(line, dict):
            raise InputError(f"The journal {self.path} is damaged: a line in it is not JSON.")
        if not self.header:
            self.header = line
        else:
            self._batch(line)

    def _batch(self, line: Plain) -> None:
        sizes = self._sizes(line["keys"])
        self._scored += len(sizes)
        known = [(v, s) for v, s in zip(line["value"], sizes, strict=True) if v is not None]
        if not known:
            return
        best = max(known, key=lambda pair: (pair[0], -(pair[1] or 0)))
        size = float("inf") if best[1] is None else best[1]
        if self._best is None or (best[0], -size) > (self._best[0], -self._best[1]):
            self._best = (best[0], size)
        mean = sum(v for v, _ in known) / len(known)
        spread = (sum((v - mean) ** 2 for v, _ in known) / len(known)) ** 0.5
        self.batches.append(
            {
                "batch": len(self.batches) + 1,
                "scored": self._scored,
                "best": best[0],
                "best_size": best[1],
                "mean": mean,
                "std": spread,
                "mean_size": None if best[1] is None else sum(s or 0 for s in sizes) / len(sizes),
                "best_so_far": self._best[0],
                "size_so_far": None if best[1] is None else int(self._best[1]),
            }
        )

    def _sizes(self, keys: list[str]) -> list[int] | list[None]:
        """Sizes from the packed bits of subsets; other spaces have none."""
        if not str(self.header.get("space", "")).startswith("Subsets("):
            return [None] * len(keys)
        return [int(key or "0", 16).bit_count() for key in keys]

    def summary(self) -> Plain:
        """What to show: the run, the newest numbers, and the columns of the figures."""
        kept = [self.batches[i] for i in thin(len(self.batches), MOST_GENERATIONS)]
        columns = {
            "generation": [b["batch"] for b in kept],
            "best_so_far": [b["best_so_far"] for b in kept],
            "mean": [b["mean"] for b in kept],
            "low": [b["mean"] - b["std"] for b in kept],
            "high": [b["mean"] + b["std"] for b in kept],
            "size": [b["size_so_far"] for b in kept],
            "mean_size": [b["mean_size"] for b in kept],
            "evaluations": [b["scored"] for b in kept],
        }
        return {
            "search": str(self.header.get("search", "")),
            "measure": str(self.header.get("measure", "")),
            "seed": self.header.get("seed"),
            "scored": self._scored,
            "batches": len(self.batches),
            "latest": self.batches[-1] if self.batches else None,
            "columns": columns,
        }


def live_charts(summary: Plain) -> list[Chart]:
    """The figures of a run that is going on."""
    columns = summary["columns"]
    if not columns["generation"]:
        return []
    charts = [generations(columns, "batch")]
    if columns["size"][-1] is not None:
        charts.append(size_by_step(columns, "batch"))
    return charts


def sparkline(values: list[float], width: int = 60) -> str:
    """A line of little bars, low to high, as wide as a terminal can show.

    >>> sparkline([1, 2, 3, 8])
    '▁▂▃█'
    """
    kept = [values[i] for i in thin(len(values), width)]
    low, high = min(kept), max(kept)
    bars = "▁▂▃▄▅▆▇█"
    scale = (len(bars) - 1) / (high - low) if high > low else 0.0
    return "".join(bars[round((v - low) * scale)] for v in kept)
