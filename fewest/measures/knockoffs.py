"""Knockoffs: copies of the features that cannot know the target, to be compared with them."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from ..data.table import Table
from ..errors import InputError
from .advice import KNOCKOFFS
from .l1_path import standardised

Floats = NDArray[np.float64]

#: Their covariances fill the memory beyond this.
MOST_COLUMNS = 2_000


def knockoff_statistics(table: Table, subset: NDArray[np.bool_], seed: int) -> Floats:
    """Return by how much each feature beats its copies, below 0 where a copy beats it.

    The largest absolute coefficient of the lasso, with a penalty chosen by cross-validation,
    among a feature and its copies, minus the median of the others. 0 where all are 0.
    """
    rng = np.random.default_rng(seed)
    columns, owner = _columns(table, subset)
    told = np.where(subset, 0.0, np.nan)
    if not len(owner):
        return told
    together = np.hstack([columns, *_copies(columns, rng)])
    order = rng.permutation(together.shape[1])
    weights = np.empty(together.shape[1])
    weights[order] = _coefficients(together[:, order], table)
    by_copy = weights.reshape(KNOCKOFFS + 1, len(owner))
    each = np.array([np.bincount(owner, row, minlength=table.n_features) for row in by_copy])
    lead = each.max(axis=0) - np.median(np.sort(each, axis=0)[:-1], axis=0)
    told[subset] = np.where(each[0] >= each.max(axis=0), lead, -lead)[subset]
    return told


def _columns(table: Table, subset: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.intp]]:
    """Return standardised columns without the last dummy of each feature, which follows."""
    columns, owner = standardised(table)
    several = np.bincount(owner, minlength=table.n_features)[owner] > 1
    last = np.append(owner[1:] != owner[:-1], True)
    kept = subset[owner] & ~(several & last)
    if kept.sum() > MOST_COLUMNS:
        raise InputError(
            f"knockoffs take at most {MOST_COLUMNS:,} columns, but there are {kept.sum():,}; "
            "choose some by `screen`."
        )
    return columns[:, kept], owner[kept]


def _copies(columns: Floats, rng: np.random.Generator) -> list[Floats]:
    """Return copies with the covariances of the columns, drawn given the columns.

    Second-order knockoffs (Candès et al., 2018, section 3.4.2), equicorrelated, several at once
    (Gimenez and Zou, 2019), for correlations shrunken as Ledoit and Wolf (2004) do.
    """
    from sklearn.covariance import ledoit_wolf

    n, d = columns.shape
    shape, count = ledoit_wolf(columns, assume_centered=True)[0], KNOCKOFFS
    lowest = float(np.linalg.eigvalsh(shape)[0])
    s = 0.99 * min(1.0, (count + 1) / count * lowest)
    pull = s * np.linalg.inv(shape)
    mean = columns - columns @ pull
    spread = (count + 1) / count * s * np.eye(d) - s * pull
    values, vectors = np.linalg.eigh((spread + spread.T) / 2)
    common = rng.standard_normal((n, d)) @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
    own = np.sqrt(s) * rng.standard_normal((count, n, d))
    return [mean + common + part for part in own - own.mean(axis=0)]


def _coefficients(columns: Floats, table: Table) -> Floats:
    """Return absolute coefficients of the lasso; classes are indicators, added up."""
    from sklearn.linear_model import LassoCV

    targets = list(np.asarray(table.target, dtype=np.float64).reshape(len(columns), -1).T)
    if table.classes is not None:
        present = np.unique(table.target)
        targets = [(table.target == c).astype(np.float64) for c in present[len(present) == 2 :]]
    total = np.zeros(columns.shape[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a penalty so small that it does not converge
        for target in targets:
            model = LassoCV(alphas=30, eps=1e-2, cv=5).fit(columns, target)
            total += np.abs(model.coef_)
    return total
