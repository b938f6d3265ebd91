"""Arcs column by column, and trees over some features, against whole matrices."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fewest.data._information import Information
from fewest.data._table import Table
from fewest.measures._description_length import MDLFS, Arcs, SpanningTree
from fewest.measures._steps import Steps
from tests.naive.entropies import information


def table(d=18, n=150):
    rng = np.random.default_rng(0)
    values = rng.integers(0, 3, (n, d)).astype(float)
    for j in range(1, d):
        copied = rng.random(n) < 0.5
        values[copied, j] = values[copied, rng.integers(0, j)]
    target = (values[:, 0] + values[:, 3] > 2).astype(int)
    return Table(tuple(map(str, range(d))), values, ((0, 1, 2),) * d, target, np.array([0, 1]))


def test_columns_are_those_of_the_definition():
    some = table(5)
    columns, target = some.values.T.tolist(), some.target.tolist()
    arcs = Arcs(Information.of(some), conditional=3.0, mutual=-2.0, parameters=0.5)
    for j in range(5):
        expected = [
            3.0 * information(columns[i], columns[j], target)
            - 2.0 * information(columns[i], columns[j])
            + 0.5 * 4.0
            for i in range(5)
        ]
        assert np.delete(arcs.column(j), j) == pytest.approx(np.delete(expected, j))
        assert_array_equal(arcs.column(j), arcs.everything()[:, j])
    assert_array_equal(arcs.scaled(2.0).column(1), 2.0 * arcs.column(1))


@pytest.mark.parametrize("classifier", ["naive-bayes", "tan"])
@pytest.mark.parametrize("auxiliary", ["tree", "tan", "empty"])
@pytest.mark.parametrize("inside", [0, 1, 5, 14])
def test_steps_grow_the_trees_of_their_subsets(classifier, auxiliary, inside, monkeypatch):
    measure = MDLFS(classifier=classifier, auxiliary=auxiliary)
    whole = measure.bind(table())
    base = np.arange(18) % 17 < inside
    units = np.flatnonzero(~base)
    steps = Steps(base, units, np.ones(len(units), dtype=np.int64))
    expected = whole.score(np.asarray(steps)).value
    monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)
    monkeypatch.setattr("fewest.measures._description_length.ALL_PAIRS_UP_TO", 17)
    monkeypatch.setattr("fewest.measures._description_length.STEPS_PER_BATCH", 3)
    wide = measure.bind(table())
    assert_array_equal(wide.score_steps(steps).value, expected)
    assert_array_equal(wide.score(np.asarray(steps)[:2]).value, expected[:2])


def test_only_columns_that_are_reached_are_counted(monkeypatch):
    monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)
    bits = Information.of(table())
    tree = SpanningTree(Arcs(bits, mutual=1.0).values(), Arcs(bits, mutual=1.0).values())
    tree.sums(Steps(np.arange(18) == 4, np.array([2, 9]), np.ones(2, dtype=np.int64)))
    assert "_pairs" not in bits.__dict__
    assert list(tree.weights._known) == [4]
