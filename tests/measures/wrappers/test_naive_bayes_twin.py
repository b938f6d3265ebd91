"""The twin of NaiveBayes on mixed tables."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import (
    StratifiedKFold,
)

from fewest.classifiers.bayes.naive_bayes import NaiveBayes
from fewest.data.build import as_table
from fewest.measures.wrappers.cross_validated import CrossValidated
from tests.measures.wrappers.cases import check_twin, some_masks
from tests.naive.naive_bayes import fold_accuracies


def _mixed(seed, n=90):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    frame = pandas.DataFrame(
        {
            "a": rng.normal(y),
            "b": pandas.Categorical(rng.choice(list("uvw"), n), categories=list("tuvw")),
            "c": np.where(rng.random(n) < 0.6, np.array(["x", "y", "z"])[y], "other"),
            "d": rng.random(n) < 0.3 + 0.2 * y,
            "e": rng.normal(size=n).round(1),
            "f": np.full(n, 0.1),
        }
    )
    frame.loc[rng.random(n) < 0.2, ["a", "c"]] = None
    frame.loc[3, "c"] = "seldom"
    frame.loc[y == 1, "e"] = 0.3
    return frame, y


@pytest.mark.parametrize("seed", range(2))
def test_mixed_tables(seed):
    frame, y = _mixed(seed)
    scores = check_twin(NaiveBayes(), frame, y, some_masks(6, seed=seed))
    slow = CrossValidated(NaiveBayes(), cv=5, fast=False).bind(as_table(frame, y))
    assert not slow.fast
    assert_array_equal(slow.score(some_masks(6, seed=seed)).folds, scores.folds)
    check_twin(NaiveBayes(alpha=0.5, variance_floor=0.01), frame, y, some_masks(6, m=3, seed=seed))


def test_mixed_tables_against_the_slow_twin():
    frame, y = _mixed(9, n=40)
    rows = frame.astype(object).where(frame.notna(), None)
    for name in ("b", "d"):
        rows[name] = [str(v) for v in rows[name]]
    rows = rows.values.tolist()
    folds = list(StratifiedKFold(3).split(rows, y))
    scorer = CrossValidated(NaiveBayes(), cv=folds).bind(as_table(frame, y))
    masks = some_masks(6, m=6)
    for mask, got in zip(masks, scorer.score(masks).folds, strict=True):
        columns = np.flatnonzero(mask)
        assert_allclose(got, fold_accuracies(rows, y, folds, columns, floor=0.1))
