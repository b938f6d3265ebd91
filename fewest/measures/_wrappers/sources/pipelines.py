"""Numbers by fold as a model gets them, and the column-wise steps of a pipeline before it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)

from ....classifiers._encoder import TableEncoder
from ....data._table import Table
from ..feature_slices import listed_columns
from ..splits import Splits

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ColumnDensity:
    """How full the columns of a fold are, where a pipeline makes some of them sparse."""

    owner: NDArray[np.intp]  #: (columns,)
    #: (columns,): values of the training rows that are stored: those other than 0 if the column is
    #: sparse.
    stored: NDArray[np.int64]
    rows: int  #: Number of training rows.
    always: Bools  #: (features,): features that make every candidate sparse.
    #: (features,): features that make a candidate sparse if fewer of its values are stored than a
    #: share.
    sparse: Bools
    threshold: float  #: That share.

    def stay_sparse(self, candidates: Bools) -> Bools:
        """Return which candidates are sparse, as a ColumnTransformer decides it."""
        masks = candidates[:, self.owner]
        stored = masks @ self.stored / np.maximum(1, self.rows * masks.sum(axis=1))
        few = (candidates & self.sparse).any(axis=1) & (stored < self.threshold)
        return np.asarray(few | (candidates & self.always).any(axis=1))


@dataclass(frozen=True, eq=False)
class FoldColumns:
    """All rows of a table as the last step of an estimator sees them in one fold.

    A feature is a block of columns: a number is one column, a nominal feature after a
    OneHotEncoder has one column per level.
    """

    values: Floats  #: (rows, columns)
    owner: NDArray[np.intp]  #: (columns,): the feature that each column belongs to.
    #: (features,): features that hold what a matrix of numbers cannot: labels without an encoder,
    #: unknown or infinite values. Their columns are zero or absent; candidates with one of them go
    #: to the referee.
    unusable: Bools
    #: Says which candidates reach the model as a sparse matrix; None where none does.
    density: ColumnDensity | None = None

    def expand(self, candidates: Bools) -> Bools:
        """Return masks over the columns from masks over the features."""
        return np.ascontiguousarray(candidates[:, self.owner])

    def unsure(self, candidates: Bools) -> Bools:
        """Return which candidates only the estimator can answer for.

        Those with an unusable feature, and those without any column.
        """
        lost = (candidates & self.unusable).any(axis=1)
        return np.asarray(lost | ~candidates[:, self.owner].any(axis=1))

    def stay_sparse(self, candidates: Bools) -> Bools:
        """Return which candidates reach the model as a sparse matrix."""
        if self.density is None:
            return np.zeros(len(candidates), dtype=bool)
        return self.density.stay_sparse(candidates)


class Source(ABC):
    """The columns that the last step of an estimator sees, in every fold.

    Attributes
    ----------
    table : Table
    splits : Splits
    precision : float
        Relative rounding error of the type in which the estimator calculates: that of float64,
        or of float32 where the columns are float32.
    branches : sequence of Branch, or None
        What comes before the model; None where it gets the table as it is.
    """

    table: Table
    splits: Splits
    precision: float
    branches: Sequence[Branch] | None = None

    @property
    def shared(self) -> bool:
        """Return whether all folds see the same numbers: nothing before the model learns."""
        return self.branches is None

    @property
    def dummies(self) -> bool:
        """Return whether some step makes dummies, which a class may never show."""
        steps = [step for branch in self.branches or () for step in branch.steps]
        return any(isinstance(step, (OneHotEncoder, TableEncoder)) for step in steps)

    @abstractmethod
    def columns(self, fold: int) -> FoldColumns:
        """Return all rows as fold ``fold`` sees them.

        Made anew at every call unless ``shared``: ask once per fold, while binding.
        """

    def refused(self, candidates: Any) -> Bools:
        """Return which candidates a step before the model refuses, though it takes others."""
        return np.zeros(len(candidates), dtype=bool)


def truth_values(table: Table) -> Bools:
    """Return which features are truth values."""
    return np.array([np.array(levels).dtype.kind == "b" for levels in table.levels])


#: Transformers that make one column of each column.
ONE_TO_ONE = (
    MaxAbsScaler, MinMaxScaler, OrdinalEncoder, RobustScaler, SimpleImputer, StandardScaler,
)  # fmt: skip


@dataclass(frozen=True)
class Branch:
    """Some features and the column-wise transformers that they pass, in order.

    Where the last of them makes a sparse matrix, a ColumnTransformer keeps it if a smaller share
    of all values than ``threshold`` is stored; without a ColumnTransformer it stays sparse.
    """

    features: tuple[int, ...]
    steps: tuple[Any, ...]
    threshold: float = np.inf


@dataclass(frozen=True)
class Parts:
    """An estimator taken apart: what comes before the model, the model, and what stands against.

    ``branches`` is None where nothing comes before the model. ``refusal`` says why the pipeline
    cannot be taken apart; None if it can.
    """

    model: Any
    branches: tuple[Branch, ...] | None = None
    refusal: str | None = None


def model_of(estimator: Any) -> Any:
    """Return the last step of a pipeline, or the estimator itself.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> model_of(make_pipeline(StandardScaler(), GaussianNB()))
    GaussianNB()
    """
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    return estimator


def take_apart(estimator: Any, table: Table) -> Parts:
    """Separate the column-wise steps of a pipeline from its model."""
    steps = _steps(estimator)
    if len(steps) == 1:
        return Parts(steps[0])
    branches = [Branch(tuple(range(table.n_features)), ())]
    for step in steps[:-1]:
        found = _split(step, table) if type(step) is ColumnTransformer else None
        if found is not None and all(not branch.steps for branch in branches):
            branches = found
            continue
        refusal = _refusal(step)
        if refusal is not None:
            return Parts(steps[-1], (), refusal)
        branches = [Branch(branch.features, (*branch.steps, step)) for branch in branches]
    refusals = [_refusal(step) for branch in branches for step in branch.steps]
    return Parts(steps[-1], tuple(branches), next((r for r in refusals if r is not None), None))


def _steps(estimator: Any) -> list[Any]:
    """Return the steps of a pipeline, nested ones laid out, without those that do nothing."""
    if not isinstance(estimator, Pipeline):
        return [estimator]
    inner = [step for _, step in estimator.steps if step is not None]
    return [part for step in inner if not _passes(step) for part in _steps(step)]


def _passes(step: Any) -> bool:
    return isinstance(step, str) and step == "passthrough"


def _refusal(step: Any) -> str | None:
    """Return why a transformer is not column by column, or None if it is."""
    name = type(step).__name__
    if type(step) is SimpleImputer and step.add_indicator:
        return "SimpleImputer(add_indicator=True) adds columns"
    if type(step) in (*ONE_TO_ONE, OneHotEncoder, TableEncoder):
        return None
    return f"{name} before the model is not known to treat every column on its own"


def _split(transformer: ColumnTransformer, table: Table) -> list[Branch] | None:
    """Return the branches of a ColumnTransformer; None where it cannot be laid out."""
    X = table.values if table.X is None else table.X
    branches, rest = [], set(range(table.n_features))
    for _, step, chosen in transformer.transformers:
        columns = chosen(X) if callable(chosen) else chosen
        try:
            features = tuple(_positions(columns, table.names))
        except (ValueError, IndexError):
            # A column that is not there: the estimator will say so.
            return None
        rest -= set(features)
        branches.append((step, features))
    branches.append((transformer.remainder, tuple(sorted(rest))))
    kept = [(s, f) for s, f in branches if f and not (isinstance(s, str) and s == "drop")]
    share = float(transformer.sparse_threshold)
    return [Branch(f, () if _passes(s) else tuple(_steps(s)), share) for s, f in kept]


def _positions(columns: Any, names: Sequence[str]) -> list[int]:
    listed = [columns] if isinstance(columns, str) else listed_columns(columns, list(names))
    return [names.index(c) if isinstance(c, str) else int(c) % len(names) for c in listed]


def density_of(
    branches: Sequence[Branch], owner: NDArray[np.intp], train: Floats, n_features: int
) -> ColumnDensity | None:
    """Return how full the columns of training rows are; None where no branch makes them sparse."""
    always, some = np.zeros((2, n_features), dtype=bool)
    threshold = 0.0
    for branch in branches:
        last = len(branch.steps) - 1
        for place, step in enumerate(branch.steps):
            if isinstance(step, OneHotEncoder) and step.sparse_output:
                # What further steps do to zeros is left to the estimator.
                known = place == last and branch.threshold < np.inf
                (some if known else always)[list(branch.features)] = True
                threshold = branch.threshold if known else threshold
    if not (always | some).any():
        return None
    stored = np.where(some[owner], np.count_nonzero(train, axis=0), len(train))
    return ColumnDensity(owner, stored, len(train), always, some, threshold)


def owners(fitted: Any, width: int) -> NDArray[np.intp]:
    """Return which of ``width`` input columns each output column of a transformer comes from.

    >>> encoder = prepared(OneHotEncoder()).fit([["a", "x"], ["b", "x"]])
    >>> owners(encoder, 2).tolist()
    [0, 0, 1]
    """
    if isinstance(fitted, TableEncoder):
        return fitted.owner_
    if isinstance(fitted, OneHotEncoder):
        inputs = getattr(fitted, "feature_names_in_", [str(j) for j in range(width)])
        place = {name: j for j, name in enumerate(inputs)}
        return np.array([place[name] for name in fitted.get_feature_names_out(inputs)], np.intp)
    if isinstance(fitted, SimpleImputer) and not fitted.keep_empty_features:
        known = [not (isinstance(v, float) and np.isnan(v)) for v in fitted.statistics_]
        return np.flatnonzero(known)
    return np.arange(width)


def prepared(step: Any) -> Any:
    """Return a clone whose output columns can be traced to its input columns."""
    own = clone(step)
    return own.set_params(feature_name_combiner=_input_name) if type(own) is OneHotEncoder else own


def _input_name(name: str, _: Any) -> str:
    return str(name)
