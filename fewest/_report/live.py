"""Follow a run while it writes its journal."""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path
from typing import Any

from .._errors import InputError
from .._run.journal_format import DamagedError, Reader, check_header, check_line
from .._run.whole_files import is_written
from ..data._loaders.contents import refuse_special
from .chart import MOST_GENERATIONS, Chart, thin
from .charts import frequency, generations, size_by_step
from .summary import frequencies

#: What is scored in each kind of space, and what its parts are called.
WORDS = {"graphs": ("graphs", "arc"), "orderings": ("orderings", "variable")}

#: Arcs between more variables are counted, not named: there are too many of them.
MOST_VARIABLES = 500


class Keys:
    """Reads packed subsets, graphs and orderings; other journals, or without names, tell less.

    >>> keys = Keys({"space_kind": "subsets", "names": ["a", "b", "c"]})
    >>> keys.size("a0"), keys.features("a0")
    (2, [0, 2])
    >>> keys = Keys({"space_kind": "graphs", "variables": ["a", "b"]})
    >>> [keys.names[j] for j in keys.features("40")]
    ['a -> b']
    """

    def __init__(self, header: dict[str, Any]) -> None:
        # Journals of version 0.1 do not tell the kind of space: there it is read from its repr.
        old = "subsets" if str(header.get("space", "")).startswith("Subsets(") else "other"
        kind = header.get("space_kind", old)
        self.subsets, self.orderings = kind in ("subsets", "graphs"), kind == "orderings"
        #: What is scored, and what one part of it is called.
        self.words = WORDS.get(str(kind), ("subsets", "feature"))
        named = header.get("names", []) if self.subsets or self.orderings else []
        variables = header.get("variables", [])
        arcs = []
        if kind == "graphs" and len(variables) <= MOST_VARIABLES:
            arcs = [f"{a} -> {b}" for a in variables for b in variables]
        self.names: list[str] = arcs or named
        self._units: list[list[int]] = header.get("units") or [[j] for j in range(len(self.names))]
        self._always: list[int] = header.get("always", [])

    def size(self, key: str) -> int | None:
        """Number of features; without names, of those that the search was free to choose."""
        if not self.subsets:
            return None
        found = self.features(key)
        return int(key or "0", 16).bit_count() if found is None else len(found)

    def features(self, key: str) -> list[int] | None:
        """Positions of the features, where the journal knows them; of an ordering in its order."""
        if not self.names:
            return None
        if self.orderings:
            return self._ordering(bytes.fromhex(key))
        bits = bin(int("1" + key, 16))[3:]
        free = [j for unit, bit in zip(self._units, bits, strict=False) if bit == "1" for j in unit]
        return sorted([*free, *self._always])

    def _ordering(self, places: bytes) -> list[int] | None:
        width = 1 if len(self.names) <= 256 else 2
        found = [
            int.from_bytes(places[i : i + width], sys.byteorder)
            for i in range(0, len(places), width)
        ]
        return found if all(j < len(self.names) for j in found) else None


Plain = dict[str, Any]


class Follower:
    """Reads a journal from where it last stopped, so that looking often costs little.

    Only whole lines count: the last one may still be being written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        refuse_special(path)
        self.path = Path(path)
        self._start_again()
        self.look()
        if not self.header:
            raise InputError(f"{self.path} is not a journal of fewest: it has no first line yet.")

    def _start_again(self) -> None:
        self._offset = 0
        self._reader = Reader()
        self._problem: InputError | None = None
        self._first: Plain = {}
        self.header: Plain = {}
        self.batches: list[Plain] = []
        self.populations: list[Plain] = []
        self._best: tuple[float, float] | None = None
        self._best_key = ""
        self._scored = 0

    def look(self) -> bool:
        """Read what is new; True if there was anything. A damaged line is an InputError."""
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
        if self._problem is not None:
            raise self._problem  # what follows a damaged line cannot be trusted
        whole = new[: new.rfind(b"\n") + 1]
        self._offset += len(whole)
        try:
            for line in whole.split(b"\n")[:-1]:
                self._take(line)
        except InputError as error:
            self._problem = error
            raise
        return bool(whole)

    def _take(self, raw: bytes) -> None:
        try:
            line = self._reader.read(raw)
            if not self.header:
                check_header(self.path, line)
                self.header, self._keys = line, Keys(line)
                return
            self._first = self._first or ({} if "asked" in line else line)
            check_line(line, self._reader.count, self._first or line, self.header)
        except DamagedError as damage:
            if not self.header:
                raise InputError(
                    f"{self.path} is not a journal of fewest: its first line does not say so."
                ) from None
            raise InputError(f"The journal {self.path} is damaged: {damage}.") from None
        if "keys" in line:
            self._batch(line)

    def _batch(self, line: Plain) -> None:
        if "frequency" in line:
            self.populations.append({k: line[k] for k in ("generation", "frequency")})
        sizes = [self._keys.size(key) for key in line["keys"]]
        self._scored += len(sizes)
        told = zip(line["value"], sizes, line["keys"], strict=True)
        known = [(v, s, k) for v, s, k in told if v is not None]
        if not known:
            return
        best = max(known, key=lambda one: (one[0], -(one[1] or 0)))
        size = float("inf") if best[1] is None else best[1]
        if self._best is None or (best[0], -size) > (self._best[0], -self._best[1]):
            self._best, self._best_key = (best[0], size), best[2]
        values = [float(v) for v, _, _ in known]
        mean = sum(values) / len(values)
        # Unlike a sum of squares, a distance does not overflow for huge values.
        spread = math.dist(values, [mean] * len(values)) / math.sqrt(len(values))
        self.batches.append(
            {
                "batch": len(self.batches) + 1,
                "scored": self._scored,
                "best": best[0],
                "best_size": best[1],
                "mean": mean,
                # One subset has no spread.
                "std": spread if len(known) > 1 else None,
                "mean_size": None if best[1] is None else sum(s or 0 for s in sizes) / len(sizes),
                "best_so_far": self._best[0],
                "size_so_far": None if best[1] is None else int(self._best[1]),
            }
        )

    @property
    def scored(self) -> int:
        """Return how many subsets the journal holds."""
        return self._scored

    def going_on(self) -> bool | None:
        """Return whether the search still writes its journal; None where that cannot be told."""
        return is_written(self.path)

    def best_features(self) -> list[str] | None:
        """Return the names of the best subset so far, where the journal knows names."""
        found = self._keys.features(self._best_key) if self.batches else None
        return None if found is None else [self._keys.names[j] for j in found]

    def frequency(self, **most: int) -> Plain | None:
        """Return how often each feature is in the population, by generation; ``most`` limits it."""
        if not self._keys.names or self._keys.orderings:
            return None
        best = self._keys.features(self._best_key) or []
        chosen = [j in best for j in range(len(self._keys.names))]
        return frequencies(self.populations, self._keys.names, chosen, **most)

    def summary(self) -> Plain:
        """Return what to show: the run, the newest numbers, and the columns of the figures."""
        kept = [self.batches[i] for i in thin(len(self.batches), MOST_GENERATIONS)]
        columns = {
            "generation": [b["batch"] for b in kept],
            "best_so_far": [b["best_so_far"] for b in kept],
            "mean": [b["mean"] for b in kept],
            "low": [b["mean"] - (b["std"] or 0.0) for b in kept],
            "high": [b["mean"] + (b["std"] or 0.0) for b in kept],
            "size": [b["size_so_far"] for b in kept],
            "mean_size": [b["mean_size"] for b in kept],
            "evaluations": [b["scored"] for b in kept],
        }
        return {
            "words": self._keys.words,
            "search": str(self.header.get("search", "")),
            "measure": str(self.header.get("measure", "")),
            "seed": self.header.get("seed"),
            "scored": self._scored,
            "batches": len(self.batches),
            "latest": self.batches[-1] if self.batches else None,
            "best_features": self.best_features(),
            "columns": columns,
            "frequency": self.frequency(),
            "going_on": self.going_on(),
        }


def live_charts(summary: Plain) -> list[Chart]:
    """Return the figures of a run that is going on."""
    columns = summary["columns"]
    if not columns["generation"]:
        return []
    charts = [generations(columns, "batch")]
    if columns["size"][-1] is not None:
        charts.append(size_by_step(columns, "batch", summary["words"][1]))
    if summary["frequency"] is not None:
        charts.append(frequency(summary["frequency"], "in the best subset so far"))
    return charts


def sparkline(values: list[float], width: int = 60) -> str:
    """Return a line of little bars, low to high, as wide as a terminal can show.

    >>> sparkline([1, 2, 3, 8])
    '▁▂▃█'
    """
    kept = [values[i] for i in thin(len(values), width)]
    low, high = min(kept), max(kept)
    bars = "▁▂▃▄▅▆▇█"
    scale = (len(bars) - 1) / (high - low) if high > low else 0.0
    return "".join(bars[round((v - low) * scale)] for v in kept)


def shades(values: list[float]) -> str:
    """Return a row of a heat map: the darker, the nearer to 1.

    >>> shades([0, 0.1, 0.5, 0.8, 1])
    '·░▒▓█'
    """
    return "".join("·░▒▓█"[min(4, max(int(v > 0), round(v * 4)))] for v in values)
