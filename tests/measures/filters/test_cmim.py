"""CMIM: what a feature still tells when its turn comes."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data._information import Information
from fewest.data._table import Table
from fewest.measures._filters.rankings import CMIM, cmim_scores
from tests.naive.entropies import information


def table(seed, n=120):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (n, 5)).astype(float)
    target = ((values[:, 0] + values[:, 1] + (rng.random(n) < 0.2)) % 2).astype(int)
    values[:, 2] = values[:, 0]
    return Table(tuple("abcde"), values, ((0, 1, 2),) * 5, target, np.array([0, 1]))


def naive_scores(table):
    columns = table.values.T.tolist()
    target = table.target.tolist()
    left = {j: information(columns[j], target) for j in range(5)}
    scores = {}
    while left:
        chosen = max(left, key=lambda j: (round(left[j], 12), -j))
        scores[chosen] = left.pop(chosen)
        for j in left:
            left[j] = min(left[j], information(columns[j], target, columns[chosen]))
    return [scores[j] for j in range(5)]


@pytest.mark.parametrize("seed", range(3))
def test_scores_are_those_of_the_naive_order(seed):
    found = cmim_scores(Information.of(table(seed)))
    np.testing.assert_allclose(found, naive_scores(table(seed)), atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_pairs_of_one_feature_at_a_time_give_the_same_scores(seed, monkeypatch):
    whole = cmim_scores(Information.of(table(seed)))
    monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)
    bits = Information.of(table(seed))
    np.testing.assert_array_equal(cmim_scores(bits), whole)
    assert "_pairs" not in bits.__dict__


def test_a_copy_tells_nothing_more():
    value = CMIM().bind(table(0)).score(np.array([[1, 0, 0, 0, 0], [1, 0, 1, 0, 0]], bool)).value
    assert value[1] == pytest.approx(value[0])


def test_the_threshold_is_taken_from_every_feature():
    subsets = np.array([[1, 1, 0, 0, 1]], dtype=bool)
    plain, strict = (CMIM(threshold=t).bind(table(0)).score(subsets).value for t in (0.0, 0.1))
    assert strict == pytest.approx(plain - 0.3)
