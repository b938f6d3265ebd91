"""ReliefF weights: the naive ones, and those of Weka."""

from __future__ import annotations

import numpy as np

from fewest.data._table import Table
from fewest.measures._filters.relief import ReliefF
from tests.measures.networks.xor_example import xor_example
from tests.naive import filters
from tests.oracles.weka import ask_weka, needs_weka, write_arff


def test_relieff_weights_equal_the_naive_ones():
    rng = np.random.default_rng(6)
    n = 40
    values = np.column_stack([rng.random(n), rng.random(n), rng.integers(0, 3, n)])
    target = (values[:, 0] + 0.3 * rng.random(n) > 0.6).astype(int) + (values[:, 2] == 2)
    levels = (None, None, (0, 1, 2))
    table = Table(("u", "v", "w"), values.copy(), levels, target, np.array([0, 1, 2]))
    values[:, :2] -= values[:, :2].min(axis=0)
    values[:, :2] /= values[:, :2].max(axis=0)
    expected = filters.relief(values.tolist(), [False, False, True], target.tolist(), 5)
    found = ReliefF(neighbours=5).bind(table).score(np.eye(3, dtype=bool)).value
    np.testing.assert_allclose(found, expected, atol=1e-12)


@needs_weka
def test_relieff_weights_equal_weka(tmp_path):
    rng = np.random.default_rng(7)
    values = rng.random((60, 4))
    target = (values[:, 0] + values[:, 1] > 1).astype(int)
    values[rng.random(values.shape) < 0.05] = np.nan
    table = Table(tuple("abcd"), values, (None,) * 4, target, np.array(["n", "y"]))
    path = write_arff(tmp_path / "relief.arff", table)
    weights = [float(line) for line in ask_weka("relieff", path, 10)]
    found = ReliefF(neighbours=10).bind(table).score(np.eye(4, dtype=bool)).value
    np.testing.assert_allclose(found, weights, atol=1e-9)


def test_relieff_finds_the_exclusive_or_that_the_pairs_hide():
    example = xor_example()
    weights = ReliefF(neighbours=3).bind(example).score(np.eye(8, dtype=bool)).value
    assert min(weights[0], weights[3]) > max(weights[4], weights[6])


def test_many_rows_are_sampled_and_the_notes_say_so(monkeypatch):
    monkeypatch.setattr("fewest.measures._filters.relief.MOST_ROWS", 50)
    monkeypatch.setattr("fewest.measures._filters.relief.SAMPLED_ROWS", 20)
    rng = np.random.default_rng(0)
    target = rng.integers(0, 2, 60)
    values = rng.random((60, 3)) + target[:, None] * [1.0, 0.0, 0.0]
    table = Table(tuple("abc"), values, (None,) * 3, target, np.array([0, 1]))
    measures = {
        "auto": ReliefF(),
        "asked": ReliefF(samples=20),
        "exact": ReliefF(exact=True),
        "all": ReliefF(samples=60),
    }
    found = {key: m.bind(table, np.random.default_rng(1)) for key, m in measures.items()}
    assert found["auto"].notes == (
        "ReliefF compared 20 of the 60 rows, drawn at random, with all others; `exact=True` "
        "compares every row.",
    )
    assert not any(found[key].notes for key in ("asked", "exact", "all"))
    np.testing.assert_array_equal(found["auto"].worth, found["asked"].worth)
    np.testing.assert_array_equal(found["exact"].worth, found["all"].worth)
    assert found["auto"].worth.tolist() != found["exact"].worth.tolist()
