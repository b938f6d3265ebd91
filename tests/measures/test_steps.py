"""Steps: what they stand for, and that every scorer gives them the scores of the subsets."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data._as_table import as_table
from fewest.measures._measure import score_batch
from fewest.measures._measure_names import resolve_measure
from fewest.measures._steps import Steps


def steps(d=12, seed=0, inside=4):
    rng = np.random.default_rng(seed)
    base = np.zeros(d, dtype=bool)
    base[rng.choice(d, inside, replace=False)] = True
    return Steps(base, np.arange(d), (~base).astype(np.int64))


def test_the_matrix_has_one_change_per_row():
    some = steps()
    rows = np.asarray(some)
    assert rows.shape == some.shape == (12, 12)
    assert ((rows != some.base).sum(axis=1) == 1).all()
    assert some.sizes().tolist() == rows.sum(axis=1).tolist()
    assert some.frequency() == pytest.approx(rows.mean(axis=0))
    np.testing.assert_array_equal(some[5], rows[5])
    np.testing.assert_array_equal(np.asarray(some[[7, 2]]), rows[[7, 2]])
    np.testing.assert_array_equal(np.asarray(some[rows[:, 0]]), rows[rows[:, 0]])
    np.testing.assert_array_equal(np.concatenate([np.asarray(p) for p in some.parts()]), rows)


def test_levels_count_where_they_are_above_zero():
    some = Steps(
        np.array([0, 1, 2], dtype=np.uint8), np.array([0, 1, 1, 2]), np.array([1, 0, 2, 1])
    )
    assert some.gains.tolist() == [1, -1, 0, 0]
    assert some.sizes().tolist() == np.count_nonzero(np.asarray(some), axis=1).tolist()


MEASURES = ["naive-bayes", "information-gain", "gain-ratio", "mrmr", "jmi", "cfs", "cmim"]
MEASURES += ["inconsistency", "id3", "gaussian-nb", "mdl", "mdl-fs", "log-likelihood"]


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("name", MEASURES)
def test_steps_score_as_the_subsets_they_stand_for(name, wide, monkeypatch):
    if wide:
        monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)
        monkeypatch.setattr("fewest.measures._description_length.ALL_PAIRS_UP_TO", 0)
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 90)
    X = rng.normal(size=(90, 12)) + 0.8 * y[:, None] * (np.arange(12) < 5)
    scorer = resolve_measure(name).bind(as_table(X, y), np.random.default_rng(0))
    for some in (steps(), steps(inside=1), steps(inside=0), steps()[steps().gains > 0]):
        expected = scorer.score(np.asarray(some))
        found = score_batch(scorer, some)
        assert found.value.tolist() == expected.value.tolist()
        if expected.folds is not None:
            assert found.folds.tolist() == expected.folds.tolist()
