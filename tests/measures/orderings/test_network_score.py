"""The score of the network that K2 learns from an ordering."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from fewest.data.table import Table
from fewest.errors import InputError
from fewest.measures.orderings.network_score import OrderingScore
from fewest.testing import mixed_table


def chain(n=400):
    """b follows a, and c follows b."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, n)
    b = np.where(rng.random(n) < 0.9, a, 1 - a)
    c = np.where(rng.random(n) < 0.9, b, 1 - b)
    values = np.column_stack([a, b, c]).astype(float)
    return Table(tuple("abc"), values, ((0, 1),) * 3, a, np.array([0, 1]))


def test_an_ordering_that_needs_no_more_arcs_scores_best():
    orders = np.array(list(permutations(range(3))))
    value = OrderingScore(score="bic").bind(chain()).score(orders).value
    assert value[0] == pytest.approx(value.max())
    # a and c first: their arc is one too many.
    assert value[orders.tolist().index([0, 2, 1])] < value[0] - 1.0


def test_later_parents_turn_the_ordering_round():
    orders = np.array(list(permutations(range(3))))
    earlier = OrderingScore(parents="earlier").bind(chain()).score(orders).value
    later = OrderingScore(parents="later").bind(chain()).score(orders[:, ::-1]).value
    np.testing.assert_allclose(later, earlier)


def test_continuous_or_unknown_values_are_refused():
    with pytest.raises(InputError, match="nominal features without unknown values"):
        OrderingScore().bind(mixed_table())
