"""The table: typed columns, a target, and what belongs to its rows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .information import Information
    from .screening import Screening


@dataclass(frozen=True, eq=False)
class Table:
    """What a measure is bound to: the features, the target, and their kinds.

    Parameters
    ----------
    names : tuple of str
        One name per feature.
    values : float64 array of shape (rows, features)
        A continuous value, or the code of a nominal one (its index in ``levels``);
        NaN where the value is unknown.
    levels : tuple
        For each feature its nominal values in the order of their codes, or None if continuous.
    target : array of shape (rows,)
        int64 codes into ``classes``, or float64 where the target is a number.
    classes : array or None
        The class labels, sorted; None for a numeric target.
    X, y : the frame or array and the target as they were given
        What an arbitrary scikit-learn estimator is trained on: names and dtypes survive.
    metadata : mapping
        Row-aligned arrays handed to ``fit`` (``groups``, ``sample_weight``, ...).

    Examples
    --------
    >>> from fewest.data import load
    >>> table = load("corral").table()
    >>> table.n_rows, table.n_features, table.n_classes
    (32, 6, 2)
    """

    #: Whether the rows are in memory; a table that stays elsewhere has counts and sums only.
    in_memory: ClassVar[bool] = True

    names: tuple[str, ...]
    values: NDArray[np.float64]
    levels: tuple[tuple[object, ...] | None, ...]
    target: NDArray[Any]
    classes: NDArray[Any] | None
    X: Any = None
    y: Any = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.values.shape[0])

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.values.shape[1])

    @property
    def n_classes(self) -> int:
        """Number of classes; 0 for a numeric target."""
        return 0 if self.classes is None else len(self.classes)

    @cached_property
    def nominal(self) -> NDArray[np.bool_]:
        """Which features are nominal."""
        return np.array([level is not None for level in self.levels], dtype=bool)

    @cached_property
    def cardinalities(self) -> NDArray[np.int64]:
        """Number of levels of each nominal feature; 0 for a continuous one."""
        return np.array([0 if v is None else len(v) for v in self.levels], dtype=np.int64)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which values are unknown, shape (rows, features)."""
        return np.isnan(self.values)

    def codes(self, missing: int = -1) -> NDArray[np.int32]:
        """Codes of an all-nominal table, unknown values as ``missing``."""
        filled = np.where(self.missing, missing, self.values)
        return filled.astype(np.int32)

    def information(self, method: str = "mdl", bins: int = 10) -> Information:
        """Entropies of the features, continuous ones cut by ``method`` (into ``bins``)."""
        from .information import count_nominal

        return count_nominal(self, method, bins)

    def screening(self) -> Screening:
        """What a look at the columns shows."""
        from .screening import screen

        return screen(self)

    def take(self, rows: NDArray[Any]) -> Table:
        """The same table with these rows only (the levels and classes stay)."""
        from .rows import take_rows

        return replace(
            self,
            values=self.values[rows],
            target=self.target[rows],
            X=None if self.X is None else take_rows(self.X, rows),
            y=None if self.y is None else take_rows(self.y, rows),
            metadata={k: take_rows(v, rows) for k, v in self.metadata.items()},
        )

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of names, kinds, values and target: the same data, the same string."""
        digest = hashlib.sha256(repr((self.names, self.levels)).encode())
        digest.update(np.ascontiguousarray(self.values).tobytes())
        digest.update(np.ascontiguousarray(self.target).tobytes())
        return digest.hexdigest()[:16]
