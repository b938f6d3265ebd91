"""What the keys in a journal stand for, as far as its first line tells."""

from __future__ import annotations

from typing import Any


class Keys:
    """Reads packed subsets; journals of other spaces, or without names, tell less.

    >>> keys = Keys({"space_kind": "subsets", "names": ["a", "b", "c"]})
    >>> keys.size("a0"), keys.features("a0")
    (2, [0, 2])
    """

    def __init__(self, header: dict[str, Any]) -> None:
        # Journals of version 0.1 do not tell the kind of space: there it is read from its repr.
        old = "subsets" if str(header.get("space", "")).startswith("Subsets(") else "other"
        self.subsets = header.get("space_kind", old) == "subsets"
        self.names: list[str] = header.get("names", []) if self.subsets else []
        self._units: list[list[int]] = header.get("units") or [[j] for j in range(len(self.names))]
        self._always: list[int] = header.get("always", [])

    def size(self, key: str) -> int | None:
        """Number of features; without names, of those that the search was free to choose."""
        if not self.subsets:
            return None
        found = self.features(key)
        return int(key or "0", 16).bit_count() if found is None else len(found)

    def features(self, key: str) -> list[int] | None:
        """Positions of the features, where the journal knows them."""
        if not self.names:
            return None
        bits = bin(int("1" + key, 16))[3:]
        free = [j for unit, bit in zip(self._units, bits, strict=False) if bit == "1" for j in unit]
        return sorted([*free, *self._always])
