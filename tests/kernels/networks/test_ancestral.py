"""Tables and samples of networks."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.networks.draws import (
    count_families,
    log_families,
    sample_families,
    smooth_families,
)
from tests.kernels.networks.rows import CARDS, some_rows
from tests.naive import discrete_models


def test_tables_and_samples():
    rows = some_rows()
    weights = np.random.default_rng(1).random(70)
    first, parents = np.array([0, 0, 1, 3, 3, 3]), np.array([0, 1, 0])
    starts = np.cumsum([0, 2, 6, 12, 4, 2])
    tables = np.zeros(26)
    count_families(rows, weights, CARDS, first, parents, starts, tables)
    smooth_families(tables, CARDS, starts, 1.0)
    graph = ((), (0,), (1, 0), (), ())
    learned = discrete_models.tables(rows.tolist(), weights, CARDS.tolist(), graph, 1.0)
    logs = log_families(rows, CARDS, first, parents, starts, np.log(tables))
    for row, found in zip(rows.tolist(), logs, strict=True):
        assert np.exp(found) == pytest.approx(discrete_models.probability(row, graph, learned))
    uniform = np.random.default_rng(2).random((50, 5))
    drawn = sample_families(uniform, np.arange(5), CARDS, first, parents, starts, tables)
    for row, draws in zip(drawn.tolist(), uniform, strict=True):
        for i, ps in enumerate(graph):
            cells = learned[i].get(tuple(row[p] for p in ps), [1 / CARDS[i]] * CARDS[i])
            assert row[i] == sum(draws[i] >= c for c in np.cumsum(cells)[:-1])
