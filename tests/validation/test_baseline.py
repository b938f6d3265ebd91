"""The baseline is what the user allows: excluded columns are in no comparison."""

from __future__ import annotations

import numpy as np
import pytest

import fewest


def leaking(rows=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 5))
    y = (X[:, 0] + rng.normal(size=rows) > 0).astype(int)
    X[:, 4] = y + 0.01 * rng.normal(size=rows)
    return X, y


def test_an_excluded_leak_is_not_in_the_baseline():
    X, y = leaking()
    selector = fewest.SubsetSelector("lda", search="sfs", exclude=[4], random_state=0)
    found = fewest.validate(selector, X, y, random_state=0)
    assert found.baseline < 0.9
    without = fewest.SubsetSelector("lda", search="sfs", random_state=0)
    expected = fewest.validate(without, X[:, :4], y, random_state=0)
    assert found.baseline == pytest.approx(expected.baseline)
    assert selector.fit(X, y).allowed_.tolist() == [True] * 4 + [False]
    assert selector.result_.n_allowed == 4


def test_nor_in_the_replayed_baseline():
    X, y = leaking()
    selector = fewest.SubsetSelector("lda", search="sfs", exclude=[4], random_state=0).fit(X, y)
    corrected = fewest.corrected_score(selector, X, y)
    assert np.mean(corrected.all_scores) < 0.9
