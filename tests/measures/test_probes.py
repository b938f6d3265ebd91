"""Features against shuffled copies of themselves."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import f_oneway

from fewest.data import as_table
from fewest.measures.advice import Question
from fewest.measures.probes import probe_importances


def probed(X, y, seed=0, subset=None):
    table = as_table(X, y)
    inside = np.ones(table.n_features, dtype=bool) if subset is None else subset
    return probe_importances(table, Question(inside, kind="probes", seed=seed))


def test_noise_seldom_beats_its_copies_and_the_test_keeps_its_level():
    p_values, kept = [], []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        found = probed(rng.normal(size=(80, 10)), rng.integers(2, size=80), seed)
        p_values.append(found.score)
        kept.append((found.values > 0).mean())
    assert np.mean(kept) < 0.3
    assert np.mean(np.array(p_values) <= 0.1) <= 0.25
    assert np.mean(p_values) == pytest.approx(0.5, abs=0.2)


def test_a_related_feature_beats_its_copies_as_the_f_test_says():
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=150)
    X = rng.normal(size=(150, 5))
    X[:, 2] += 0.8 * y
    found = probed(X, y)
    assert f_oneway(*(X[y == k, 2] for k in range(3))).pvalue < 0.001
    assert found.values[2] > 0
    assert found.score <= 0.01


def test_an_interaction_is_seen_by_the_trees():
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(300, 4)).astype(float)
    found = probed(X, (X[:, 0] != X[:, 1]).astype(int))
    assert found.values[0] > 0
    assert found.values[1] > 0


def test_a_feature_that_matters_only_beside_another_is_seen_by_the_lines():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    # Alone, the first is not related to the difference that it is part of.
    target = X[:, 1].copy()
    X[:, 1] += X[:, 0]
    assert abs(np.corrcoef(X[:, 0], target)[0, 1]) < 0.1
    assert probed(X, target).values[0] > 0


def test_labels_numbers_and_unknown_values():
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green"], size=100)
    number = np.where(rng.random(100) < 0.3, np.nan, rng.normal(size=100))
    X = np.array([colour, number.astype(object)], dtype=object).T
    target = (colour == "red") + 0.1 * rng.normal(size=100)
    found = probed(X, target)
    assert found.values[0] > 0
    assert found.score <= 0.01


def test_features_outside_the_subset_are_not_looked_at():
    rng = np.random.default_rng(0)
    y = np.arange(100) % 2
    X = rng.normal(size=(100, 4))
    X[:, 0] += 3.0 * y
    found = probed(X, y, subset=np.array([False, True, True, True]))
    assert np.isnan(found.values[0])
    assert found.score > 0.02
