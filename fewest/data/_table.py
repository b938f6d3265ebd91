"""Table: typed columns, a target, and what belongs to its rows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from .._errors import InputError
from ._rows import row_blocks
from ._sparse_values import SparseValues

if TYPE_CHECKING:
    from ._checking.finding import Check
    from ._information import Information


@dataclass(frozen=True, eq=False)
class Table:
    """Features, target and their kinds, to which a measure is bound.

    Parameters
    ----------
    names : tuple of str
        One name per feature.
    values : float64 or float32 array of shape (rows, features)
        A continuous value, or the code of a nominal one (its index in ``levels``);
        NaN where the value is unknown. It may be the user's own array, of any layout: read
        ``doubles``, ``column`` or ``block`` where float64 is needed. For a sparse table, a
        :class:`~fewest.data._sparse_values.SparseValues` that looks like it.
    levels : tuple
        For each feature its nominal values in the order of their codes, or None if continuous.
    target : array of shape (rows,)
        int64 codes into ``classes``, or float64 where the target is a number; for several targets
        float64 of shape (rows, targets).
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
    values: NDArray[np.floating[Any]]
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
    def n_targets(self) -> int:
        """Number of columns to predict."""
        return 1 if self.target.ndim == 1 else int(self.target.shape[1])

    @property
    def n_classes(self) -> int:
        """Number of classes; 0 for a numeric target."""
        return 0 if self.classes is None else len(self.classes)

    @property
    def sparse(self) -> SparseValues | None:
        """Values, if the table is sparse."""
        values: object = self.values
        return values if isinstance(values, SparseValues) else None

    @property
    def doubles(self) -> NDArray[np.float64]:
        """Return all values as float64, row by row; a copy where they are stored in another way."""
        return np.require(self.values, np.float64, ["C", "W"])

    def column(self, j: int) -> NDArray[np.float64]:
        """Return one column as float64."""
        return np.asarray(self.values[:, j], dtype=np.float64)

    def block(self, rows: slice | NDArray[np.intp]) -> NDArray[np.float64]:
        """Return some rows as float64."""
        return np.ascontiguousarray(self.values[rows], dtype=np.float64)

    @cached_property
    def nominal(self) -> NDArray[np.bool_]:
        """Mask of the nominal features."""
        return np.array([level is not None for level in self.levels], dtype=bool)

    @cached_property
    def cardinalities(self) -> NDArray[np.int64]:
        """Number of levels of each nominal feature; 0 for a continuous one."""
        return np.array([0 if v is None else len(v) for v in self.levels], dtype=np.int64)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Mask of the unknown values, shape (rows, features)."""
        return np.asarray(np.isnan(self.values))

    @cached_property
    def missing_counts(self) -> NDArray[np.intp]:
        """Number of unknown values of each feature."""
        if self.sparse is None:
            parts = (np.isnan(self.values[rows]).sum(axis=0) for rows in row_blocks(self.n_rows))
            return np.asarray(np.add.reduce(list(parts)))
        matrix = self.sparse.csc
        column = np.repeat(np.arange(self.n_features), np.diff(matrix.indptr))
        return np.bincount(column[np.isnan(matrix.data)], minlength=self.n_features)

    @property
    def incomplete(self) -> NDArray[np.bool_]:
        """Mask of the features with unknown values, shape (features,)."""
        return self.missing_counts > 0

    def codes(self, missing: int = -1) -> NDArray[np.int32]:
        """Return codes of an all-nominal table, unknown values as ``missing``."""
        codes = np.empty(self.values.shape, dtype=np.int32)
        for rows in row_blocks(self.n_rows):
            part = self.block(rows)
            codes[rows] = np.where(np.isnan(part), missing, part)
        return codes

    def information(self, method: str = "mdl", bins: int = 10) -> Information:
        """Return entropies of the features, continuous ones cut by ``method`` (into ``bins``)."""
        if self.sparse is not None and "sample_weight" not in self.metadata:
            from ._information import sparse_information

            return sparse_information(self, method, bins)
        from ._information import count_nominal

        return count_nominal(self, method, bins)

    def check(self) -> Check:
        """Return what is wrong with the table, in order of harm."""
        from ._checking.table_check import check_table

        return check_table(self)

    def constants(self) -> NDArray[np.bool_]:
        """Return which features have one value only, or none."""
        from ._checking.column_findings import constant_columns

        return constant_columns(self)

    def set_aside(self) -> tuple[int, ...]:
        """Return the features that look like identifiers or free text."""
        from ._checking.column_findings import set_aside

        return set_aside(self)

    def take(self, rows: NDArray[Any]) -> Table:
        """Return the same table with these rows only (the levels and classes stay)."""
        from ._rows import take_rows

        values = self._rows(rows)
        own = values
        if self.X is not None and self.X is not self.values:
            own = take_rows(self.X, rows)
        return replace(
            self,
            values=values,
            target=self.target[rows],
            X=None if self.X is None else own,
            y=None if self.y is None else take_rows(self.y, rows),
            metadata={k: take_rows(v, rows) for k, v in self.metadata.items()},
        )

    def keep(self, features: NDArray[np.intp]) -> Table:
        """Return the same table with these features only."""
        from ._rows import take_columns

        sparse = self.sparse
        values: Any = self.values if sparse is None else sparse.csc
        values = own = values[:, features]
        if self.X is not None and self.X is not self.values:
            own = take_columns(self.X, features)
        return replace(
            self,
            names=tuple(self.names[j] for j in features),
            values=values if sparse is None else cast(Any, SparseValues(values)),
            levels=tuple(self.levels[j] for j in features),
            X=None if self.X is None else own,
        )

    def sampled(self, rows: NDArray[np.intp], most: int, seed: int) -> NDArray[np.intp]:
        """Return at most so many of these rows, in which classes keep their shares.

        They are ordered by class and at random within it, and taken at equal distances.
        """
        if len(rows) <= most:
            return rows
        order = np.random.default_rng(seed).permutation(rows)
        if self.classes is not None:
            order = order[np.argsort(self.target[order], kind="stable")]
        return np.sort(order[np.arange(most) * len(rows) // most])

    def _rows(self, rows: NDArray[Any]) -> Any:
        return self.values[rows] if self.sparse is None else self.sparse.take_rows(rows)

    @cached_property
    def fingerprint(self) -> str:
        """Short hash of names, kinds, values and target: the same data, the same string."""
        digest = hashlib.sha256(repr((self.names, self.levels)).encode())
        if self.sparse is not None:
            digest.update(self.sparse.digest())
        else:
            for rows in row_blocks(self.n_rows):
                digest.update(self.block(rows).data)
        digest.update(np.ascontiguousarray(self.target).tobytes())
        return digest.hexdigest()[:16]


Floats = NDArray[np.float64]


def checked_weights(sample_weight: Any, n_rows: int) -> Floats:
    """Return the weights as numbers, one per row and not all 0; ones where there are none."""
    if sample_weight is None:
        return np.ones(n_rows)
    try:
        weight: Floats = check_array(
            sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
        )
    except Exception as error:  # objects of a stranger may raise anything
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"`sample_weight` must hold one number per row: {reason}") from None
    if weight.shape != (n_rows,) or (weight < 0.0).any():
        raise InputError(
            f"`sample_weight` must hold {n_rows} numbers of at least 0 (one per row), but has "
            f"the shape {weight.shape} and the smallest entry {weight.min():g}."
        )
    if not weight.any():
        raise InputError(
            "`sample_weight` must be above 0 somewhere (Sample weights must contain at least "
            "one non-zero number), but is 0 in every row."
        )
    return weight


def weighted_rows(table: Table) -> tuple[Table, Floats | None]:
    """Return the rows with a weight above 0, and their weights; None where every weight is 1."""
    given = table.metadata.get("sample_weight")
    if given is None:
        return table, None
    weight = checked_weights(given, table.n_rows)
    if (weight == 1.0).all():
        return table, None
    if not weight.all():
        table, weight = table.take(weight > 0.0), weight[weight > 0.0]
    return table, weight


def whole_weights(weight: Floats, measure: str) -> NDArray[np.int32]:
    """Return the weights as whole numbers, for a measure that counts rows."""
    if (weight % 1.0).any() or weight.sum() >= 2.0**31:
        odd = float(weight[int(np.argmax(weight % 1.0))])
        raise InputError(
            f"`sample_weight` must hold whole numbers for the measure `{measure}`, which counts "
            f"rows (below 2^31 in all), but holds {odd:g}; round the weights, or use a measure "
            "such as mdl-fs."
        )
    return weight.astype(np.int32)
