"""Evidence: how probable it is that each feature belongs to a linear model of the target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from .._errors import InputError, brief
from .._parameters import seed_of
from ..data._as_table import as_table
from ..data._dataset import features_and_target
from ..data._feature_names import Features, feature_positions
from ..data._rows import row_blocks
from ..data._table import Table, weighted_rows

Floats = NDArray[np.float64]
Unit = tuple[int, ...]

#: From this probability on a feature counts as real.
REAL = 0.95
#: Of a nominal feature or target, so many of the most frequent values have a column.
MOST_VALUES = 16
#: Of more columns, those of the features with most evidence alone are kept.
MOST_COLUMNS = 300
#: All models are enumerated up to so many operations; sampling takes about as many.
MOST_OPERATIONS = 3e8
#: Sweeps of the sampler, of which the first fifth does not count.
SWEEPS, FEWEST_SWEEPS = 2000, 200
#: A column or target whose spread is this small beside its values is constant.
CONSTANT = 1e-12


@dataclass(frozen=True, eq=False)
class FeatureEvidence:
    """Hold the posterior probability that each feature belongs to a linear model of the target.

    probability (features,): NaN for features that were left out.
    exact: whether all models were enumerated; otherwise they were sampled.
    """

    names: list[str]
    probability: Floats
    exact: bool

    def real(self, level: float = REAL) -> list[str]:
        """Return the features whose probability is at least ``level``, the highest first."""
        order = np.argsort(-self.probability, kind="stable")
        return [self.names[j] for j in order if self.probability[j] >= level]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        known = [None if np.isnan(p) else round(float(p), 6) for p in self.probability]
        return {"probability": known, "exact": self.exact}

    @classmethod
    def of(cls, plain: dict[str, Any], names: list[str]) -> FeatureEvidence:
        """Return the evidence that :meth:`to_dict` described, of features with these names."""
        probability = np.array(plain["probability"], dtype=np.float64)
        return cls(list(names), probability, bool(plain["exact"]))


def evidence(
    X: Any,
    y: Any = None,
    *,
    groups: Sequence[Features] = (),
    nominal: Features | None = None,
    sample_weight: Any = None,
    random_state: Any = None,
) -> FeatureEvidence:
    """Return the probability that each feature belongs to a linear model of the target.

    It answers which features are real, not which predict best. No feature at all is a possible
    answer. Effects that are not linear, such as pure interactions, are not found.

    Parameters
    ----------
    X, y : the data, as for :class:`fewest.SubsetSelector`
    groups : list of features
        Each entry is a list of features that belong to the model together or not at all.
    nominal : numeric columns to treat as categories
    sample_weight : array of shape (n_samples,), or the name of a column of a table outside memory
    random_state : int, Generator, RandomState or None
        Seeds the sampler where there are too many models to enumerate.

    Notes
    -----
    All sizes are equally probable before the data are seen, and all models of a size (Scott and
    Berger, 2010), which corrects for the number of features. The coefficients of a model have
    Zellner's g-prior with the information of one row, g = n. Classes are indicator columns of a
    model with several targets, nominal features blocks of dummies, unknown values the mean. Up to
    about 16 features all models are enumerated, else they are sampled. Of more than 300 columns,
    those with most evidence alone are looked at, and the others count as 0. Means and products of
    columns are sums over the rows, so a table outside memory takes two scans.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> fewest.evidence(data.X, data.y).real()
    ['bmi', 's5', 'bp', 'sex']
    """
    metadata = {} if sample_weight is None else {"sample_weight": sample_weight}
    table = as_table(*features_and_target(X, y), nominal=nominal, metadata=metadata)
    if isinstance(groups, str) or not isinstance(groups, Sequence):
        raise InputError(f"`groups` must be a list of lists of features, but is {brief(groups)}.")
    together = [feature_positions(group, table.names, "groups") for group in groups]
    grouped = {j for group in together for j in group}
    single = [(j,) for j in range(table.n_features) if j not in grouped]
    units = sorted([*(tuple(group) for group in together), *single])
    return table_evidence(table, units, seed_of(random_state))


def table_evidence(table: Table, units: Sequence[Unit], seed: int) -> FeatureEvidence:
    """Return the evidence of the units: features that come together."""
    probability = np.full(table.n_features, np.nan)
    features = [j for unit in units for j in unit]
    if table.in_memory:
        design: Any = _Design.of(table, features)
    else:
        from .scanned_design import ScannedDesign

        design = ScannedDesign.of(table, features)  # type: ignore[arg-type]
    right, varies = design.products()
    blocks = _blocks(units, design.values, varies)
    kept = _with_most_evidence(blocks, right, design.rows)
    found, exact = np.zeros(len(units)), True
    if kept and right.shape[1]:
        cross, starts = _cross(design, right, [blocks[u] for u in kept])
        found[kept], exact = _inclusion(cross, starts, design.rows, len(units), seed)
    for unit, value in zip(units, found, strict=True):
        probability[list(unit)] = value
    return FeatureEvidence(list(table.names), probability, exact)


def _inclusion(
    cross: Floats, starts: NDArray[np.int64], rows: float, n_units: int, seed: int
) -> tuple[Floats, bool]:
    """Return the probability of every block, and whether it is exact."""
    # Here, because results are read on machines that need not compile anything.
    from .._kernels.linear.inclusion import enumerated_inclusion, sampled_inclusion

    d, size, targets = len(starts) - 1, len(cross), len(cross) - starts[-1]
    sizes = np.arange(d + 1)
    prior = gammaln(sizes + 1.0) + gammaln(n_units - sizes + 1.0) - gammaln(n_units + 1.0)
    given = (cross, starts, rows, rows, prior, max(1, int(rows - 1) // 2))
    if 2.0 ** min(d, 60) * size**2 <= MOST_OPERATIONS:
        return np.asarray(enumerated_inclusion(*given)), True
    # About ten features are in a model at a time, and each tries to change places.
    sweep = 10.0 * (2.0 * size**2 + (starts[-1] + 10.0) * (5.0 + targets**2))
    sweeps = int(np.clip(MOST_OPERATIONS / sweep, FEWEST_SWEEPS, SWEEPS))
    uniform = np.random.default_rng([seed, 3]).random((sweeps, 3, d))
    return np.asarray(sampled_inclusion(*given, uniform, sweeps // 5)), False


def _with_most_evidence(blocks: list[list[int]], right: Floats, rows: float) -> list[int]:
    """Return the units with columns that vary; of very many, those with most evidence alone."""
    some = [u for u, block in enumerate(blocks) if len(block)]
    if sum(len(blocks[u]) for u in some) <= MOST_COLUMNS:
        return some
    explained = np.array([(right[blocks[u]] ** 2).sum() for u in some])
    price = np.array([len(blocks[u]) for u in some]) * np.log1p(rows)
    alone = -rows * np.log1p(-np.clip(explained, 0.0, 1.0 - 1e-9)) - price
    order = [some[i] for i in np.argsort(-alone, kind="stable")]
    width = np.cumsum([len(blocks[u]) for u in order])
    return sorted(order[: max(1, int(np.searchsorted(width, MOST_COLUMNS, side="right")))])


def _targets(table: Table) -> Floats:
    """Return the target as numbers: of classes, one column for each of the frequent ones."""
    if table.classes is None:
        return np.asarray(table.target, dtype=np.float64).reshape(table.n_rows, -1)
    values = frequent(np.bincount(table.target, minlength=table.n_classes))
    return np.asarray(table.target[:, None] == np.array(values, dtype=int), dtype=np.float64)


def _blocks(
    units: Sequence[Unit], values: list[tuple[int, int]], varies: NDArray[np.bool_]
) -> list[list[int]]:
    """Return the columns of every unit that vary."""
    place = {j: u for u, unit in enumerate(units) for j in unit}
    found: list[list[int]] = [[] for _ in units]
    for c in np.flatnonzero(varies).tolist():
        found[place[values[c][0]]].append(c)
    return found


def _cross(design: Any, right: Floats, blocks: list[list[int]]) -> tuple[Floats, NDArray[np.int64]]:
    """Return cross products of the columns of some blocks and of the targets."""
    chosen = [c for block in blocks for c in block]
    gram = design.gram(chosen)
    length = np.sqrt(np.diag(gram))
    both = [[gram / np.outer(length, length), right[chosen]], [right[chosen].T]]
    both[1].append(np.eye(right.shape[1]))
    starts = np.cumsum([0, *(len(block) for block in blocks)])
    return np.ascontiguousarray(np.block(both)), starts.astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Design:
    """Make the columns of the features in blocks of rows: a number is one, a label several."""

    table: Table
    values: list[tuple[int, int]]  # the feature of each column, and its value or -1
    mean: Floats
    largest: Floats
    weight: Floats
    rows: float

    @classmethod
    def of(cls, table: Table, features: list[int]) -> _Design:
        """Return the design of some features, with means and largest values of its columns."""
        table, weight = weighted_rows(table)
        rows = float(table.n_rows) if weight is None else weight.sum() ** 2 / (weight**2).sum()
        values: list[tuple[int, int]] = []
        for j in features:
            labels = table.levels[j] is not None
            values += [(j, v) for v in _frequent(table.column(j))] if labels else [(j, -1)]
        total, known, largest = np.zeros((3, len(values)))
        own = np.ones(table.n_rows) if weight is None else weight
        design = cls(table, values, total, largest, own, rows)
        for rows, columns in design._raw():
            total += own[rows] @ np.nan_to_num(columns)
            known += own[rows] @ ~np.isnan(columns)
            np.maximum(largest, np.nan_to_num(np.abs(columns)).max(axis=0), out=largest)
        total /= np.where(known > 0.0, known, 1.0)
        largest[largest == 0.0] = 1.0
        return design

    def products(self) -> tuple[Floats, NDArray[np.bool_]]:
        """Return products of columns of length 1 with the targets, and which columns vary."""
        targets = _orthonormal(_targets(self.table), self.weight)
        right, square = np.zeros((len(self.values), targets.shape[1])), np.zeros(len(self.values))
        for rows, away in self._centred():
            right += away.T @ targets[rows]
            square += self.weight[rows] @ away**2
        varies = np.sqrt(square) > CONSTANT * np.sqrt(self.weight.sum())
        right /= np.where(varies, np.sqrt(square), 1.0)[:, None]
        return right, varies

    def gram(self, chosen: list[int]) -> Floats:
        """Return products of some columns about their means."""
        gram = np.zeros((len(chosen), len(chosen)))
        for rows, away in self._centred():
            gram += (away[:, chosen] * self.weight[rows, None]).T @ away[:, chosen]
        return gram

    def _centred(self) -> Iterator[tuple[slice, Floats]]:
        """Yield the columns about their means, unknown values as 0, and at most about 1."""
        for rows, columns in self._raw():
            yield rows, np.nan_to_num((columns - self.mean) / self.largest)

    def _raw(self) -> Iterator[tuple[slice, Floats]]:
        """Yield the columns of some rows at a time, unknown values as NaN."""
        size = max(1, int(2**22 // max(1, len(self.values), self.table.n_features)))
        for rows in row_blocks(self.table.n_rows, size):
            yield rows, columns_of(self.table.block(rows), self.values)


def columns_of(rows: Floats, values: list[tuple[int, int]]) -> Floats:
    """Return the columns of some rows: numbers, and whether a label has a value; NaN if unknown."""
    own = rows[:, np.array([j for j, _ in values], dtype=np.intp)]
    codes = np.array([v for _, v in values], dtype=np.float64)
    return np.where(codes >= 0, np.where(np.isnan(own), np.nan, own == codes), own)


def _frequent(codes: Floats) -> list[int]:
    known = codes[~np.isnan(codes)].astype(np.intp)
    return frequent(np.bincount(known) if len(known) else np.zeros(0, dtype=np.intp))


def frequent(counts: NDArray[Any]) -> list[int]:
    """Return the values of a nominal feature but the most frequent, of very many the next ones."""
    order = np.argsort(-counts, kind="stable")[1 : MOST_VALUES + 1]
    return [int(v) for v in order if counts[v]]


def _orthonormal(targets: Floats, weight: Floats) -> Floats:
    """Return an orthonormal base of the targets about their means, with weights of rows."""
    if not targets.shape[1]:
        return targets
    root = np.sqrt(weight)[:, None]
    base, spread, _ = np.linalg.svd((targets - weight @ targets / weight.sum()) * root, False)
    # The weights enter once more where a column is multiplied with the targets.
    return np.asarray(base[:, spread > CONSTANT * max(1.0, spread.max(initial=0.0))] * root)
