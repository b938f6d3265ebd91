"""What the continuous EDAs share: the search ends where all are the same."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import Better, Box, resolve_search
from fewest.search.continuous.base import same_weights
from fewest.testing import TableMeasure, toy_table


def test_equal_individuals_end_the_search():
    space = Box(2, include=(0, 1), least=1.0)
    steps = (
        resolve_search("egna")
        .set_params(population=10)
        .propose(space, Better(space), np.random.default_rng(0))
    )
    batch = next(steps)
    with pytest.raises(StopIteration) as end:
        steps.send(TableMeasure(np.sum).bind(toy_table(n_features=2)).score(batch))
    assert "the same" in end.value.value.reason
    assert same_weights(batch)


def test_weights_that_differ_are_not_the_same():
    rows = np.full((3, 2), 0.5)
    assert same_weights(rows)
    rows[1, 1] += 1e-9
    assert not same_weights(rows)
    assert same_weights(np.zeros((4, 0)))


def test_each_generation_has_one_less_than_the_population():
    space = Box(3)
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=3))
    search = resolve_search("umda-c").set_params(population=12)
    steps = search.propose(space, Better(space), np.random.default_rng(0))
    first = next(steps)
    second = steps.send(scorer.score(first))
    assert (len(first), len(second)) == (12, 11)
