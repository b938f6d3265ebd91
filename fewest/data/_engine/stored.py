"""Table that stays where it is, as measures see it."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError
from ..._kernels.counting.counts import dense_entropies, dense_weighted_entropies
from .._checking.column_findings import HALF_UNIQUE, some_texts, unique_labels
from .._checking.finding import Check, Finding, finding, in_order
from .._information import Information, entropy_of
from .._table import Table
from .encode import Coder, Coding
from .entropies import ScannedEntropies, learn_cuts
from .pattern_scans import PatternCounts
from .source import Floats, TableSource
from .tallies import Tally


class StoredTable(Table):
    """Names, kinds and counts of a table whose rows are read in scans.

    It has everything of a :class:`~fewest.data._table.Table` but the rows. A measure that needs
    counts or sums gets them by scans; other measures get an error.

    Parameters
    ----------
    source : TableSource
    names : tuple of str
        The features.
    levels : tuple
        For each feature its labels, sorted, or None where it is a number.
    target_name : str
    classes : array or None
    tally : Tally
        What the first scan found.
    weight : str or None
        The column of the number of rows that each row represents.
    folds : str or None
        The column of the fold of a cross-validation that each row is in.
    """

    def __init__(
        self,
        source: TableSource,
        names: tuple[str, ...],
        levels: tuple[tuple[object, ...] | None, ...],
        target_name: str,
        classes: NDArray[Any] | None,
        tally: Tally,
        weight: str | None = None,
        folds: str | None = None,
    ) -> None:
        facts = {
            "source": source, "names": names, "levels": levels, "target_name": target_name,
            "classes": classes, "tally": tally, "weight": weight, "folds": folds,
            "X": None, "y": None, "metadata": {}, "_known": {}, "_coders": {},
        }  # fmt: skip
        for name, value in facts.items():
            object.__setattr__(self, name, value)

    in_memory: ClassVar[bool] = False

    source: TableSource
    target_name: str
    tally: Tally
    weight: str | None
    folds: str | None
    _known: dict[tuple[str, int], Information]
    _coders: dict[tuple[str, int], Coder]

    @property
    def sparse(self) -> None:
        """No rows, so no sparse ones."""
        return None

    @property
    def n_targets(self) -> int:
        """Return 1: one column is predicted."""
        return 1

    def _refuse(self) -> NoReturn:
        raise InputError(
            f"The rows of {self.source.title} stay where they are, but this step needs them in "
            "memory; load a sample of the rows, or use a measure that counts, such as mrmr."
        )

    @property
    def values(self) -> NDArray[np.float64]:  # type: ignore[override]
        """Raise an error: the rows are not in memory."""
        self._refuse()

    @property
    def target(self) -> NDArray[Any]:  # type: ignore[override]
        """Raise an error: the target is not in memory."""
        self._refuse()

    def take(self, rows: NDArray[Any]) -> Table:
        """Raise an error: the rows are not in memory."""
        self._refuse()

    @property
    def n_rows(self) -> int:
        """Number of rows (with a weight above 0)."""
        return self.tally.n_rows

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.names)

    @cached_property
    def fingerprint(self) -> str:
        """Short hash of names, levels, and how often each label goes with each class."""
        digest = hashlib.sha256(repr((self.names, self.levels, self.n_rows)).encode())
        for name, levels in zip(self.names, self.levels, strict=True):
            if levels is not None:
                digest.update(self._counts(name).tobytes())
        return digest.hexdigest()[:16]

    def check(self) -> Check:
        """Return what the first scan shows: one value only, or too many to count."""
        single = np.flatnonzero(self.constants())
        found = [finding("constant", (self.names[j],), "one value only") for j in single]
        found += [finding("not-counted", (name,), "not counted") for name in self.tally.too_many]
        found += self._unlearnable.values()
        return in_order(sorted(found, key=lambda one: one.columns), self.n_rows, self.n_features)

    def constants(self) -> NDArray[np.bool_]:
        """Return which features have one label only."""
        pairs = zip(self.names, self.levels, strict=True)
        single = [own is not None and len(self.tally.found[name]) < 2 for name, own in pairs]
        return np.array(single, dtype=bool)

    def set_aside(self) -> tuple[int, ...]:
        """Return the columns of labels that are identifiers or text."""
        return tuple(self._unlearnable)

    @cached_property
    def _unlearnable(self) -> dict[int, Finding]:
        many = [
            j for j, own in enumerate(self.levels) if own and len(own) >= HALF_UNIQUE * self.n_rows
        ]
        # Copies of rows would hide an identifier. To count them takes a scan of its own.
        copies = self._copies() if many and self.weight is None else 0
        found = {}
        for j in many:
            name, levels = self.names[j], self.levels[j] or ()
            unknown = float(np.sum(self.tally.found[name].get(None, 0.0))) / self.tally.total
            known = (self.n_rows - copies) * (1.0 - unknown)
            found[j] = unique_labels(name, some_texts(levels), len(levels), known)
        return {j: one for j, one in found.items() if one is not None}

    def _copies(self) -> int:
        """Return how many rows are copies of another."""
        from .checked_scan import CheckScan

        scan = CheckScan(self.names, self.target_name, self.source.schema)
        return int(self.source.reduce(scan).copies()[0])

    @cached_property
    def target_coding(self) -> Coding | None:
        """Coding of the class."""
        if self.classes is None:
            return None
        return Coding(self.target_name, tuple(self.classes.tolist()), None, False)

    def bare(self) -> StoredTable:
        """Return the same without its source, for workers that bring rows of their own."""
        facts = ("names", "levels", "target_name", "classes", "tally", "weight", "folds")
        return StoredTable(None, *(getattr(self, name) for name in facts))  # type: ignore[arg-type]

    def coder(self, method: str = "mdl", bins: int = 10) -> Coder:
        """Return every feature as codes, continuous ones cut by ``method``; the cuts are kept."""
        if (method, bins) not in self._coders:
            self._coders[method, bins] = self._coder(method, bins)
        return self._coders[method, bins]

    def _coder(self, method: str, bins: int) -> Coder:
        numbers = [n for n, levels in zip(self.names, self.levels, strict=True) if levels is None]
        cut: list[Coding] = []
        if numbers:
            of = (self.target_coding, self.weight, method, bins)
            cut = learn_cuts(self.source, numbers, *of)
        known = {coding.name: coding for coding in cut}
        features = tuple(
            known.get(name) or Coding(name, levels, None, None in self.tally.found[name])
            for name, levels in zip(self.names, self.levels, strict=True)
        )
        return Coder(features, self.target_coding, self.weight)

    def information(self, method: str = "mdl", bins: int = 10) -> Information:
        """Return entropies of the features, counted by scans; the answer is kept."""
        if self.classes is None:
            raise InputError("the target must be a class, but is a number; give class labels.")
        if (method, bins) not in self._known:
            self._known[method, bins] = self._information(self.coder(method, bins))
        return self._known[method, bins]

    def _information(self, coder: Coder) -> Information:
        assert self.classes is not None
        k = len(self.classes)
        source = ScannedEntropies(self.source, coder, self.total, self._alone())
        return Information(self.total, k, source.counts.sizes, self._class_entropy(), source)

    @property
    def total(self) -> float:
        """Number of rows, or the sum of their weights."""
        return self.n_rows if self.weight is None else self.tally.total

    @cached_property
    def patterns(self) -> PatternCounts:
        """Counts of the patterns of subsets, continuous features being cut by MDL."""
        return PatternCounts(self.source, self.coder())

    def _class_entropy(self) -> float:
        counts = self.tally.class_counts(self.classes)
        return entropy_of(counts if self.weight else counts.astype(np.int64))

    def _alone(self) -> Floats | None:
        """Return H(A_i) and H(A_i, C), where the first scan has counted all features."""
        if not self.nominal.all():
            return None
        out = np.zeros((2, self.n_features))
        for j, name in enumerate(self.names):
            counts = self._counts(name)[:, None, :]
            if self.weight is None:
                out[:, j] = dense_entropies(counts.astype(np.int64), self.n_rows)
            else:
                out[:, j] = dense_weighted_entropies(counts, float(counts.sum()))
        return out

    def label_counts(self, j: int) -> Floats:
        """Return how often each label of a feature occurs, by code; unknown values not counted."""
        counts = self._counts(self.names[j]).sum(axis=1)
        return np.asarray(counts[int(None in self.tally.found[self.names[j]]) :])

    def _counts(self, name: str) -> Floats:
        """Return counts by value and class, unknown values first, then the labels in order."""
        found = self.tally.found[name]
        levels = self.levels[self.names.index(name)] or ()
        order = [*([None] if None in found else []), *levels]
        return self.tally.rows([found[value] for value in order], self.classes)
