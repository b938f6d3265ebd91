"""The layout of rows, and weights as sums of terms."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fewest.classifiers.neighbours.blocks import Blocks, Terms
from fewest.testing import mixed_table, toy_table


@pytest.mark.parametrize("make", [mixed_table, lambda: toy_table(200, 3)])
def test_every_row_has_one_place(make):
    table = make()
    laid = Blocks.of(table.values, table.nominal)
    assert_array_equal(laid.row[laid.place], np.arange(table.n_rows))
    assert (laid.row >= 0).sum() == table.n_rows
    assert_array_equal(laid.values[laid.place], table.values)
    assert_array_equal(laid.spread(np.arange(table.n_rows), -1), laid.row)


@pytest.mark.parametrize("levels", [(1.0,), (0.5, 1.0), (0.2, 0.4, 0.9)])
@pytest.mark.parametrize("m", [3, 50])
def test_terms_add_up_to_the_weights(levels, m):
    weights = np.random.default_rng(0).choice([0.0, *levels], (m, 11))
    weights[0] = 0.0
    terms = Terms.of(weights)
    for s in range(m):
        total = np.zeros(11)
        for at, factor in zip(terms.chosen[s, : terms.count[s]], terms.factor[s], strict=False):
            t = int(at)
            while t >= 0:
                total[terms.feature[t]] += factor * terms.step[t]
                t = terms.parent[t]
        assert_allclose(total, weights[s], rtol=1e-6)
