"""What the keys in a journal stand for, as far as its first line tells."""

from __future__ import annotations

import sys
from typing import Any

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
