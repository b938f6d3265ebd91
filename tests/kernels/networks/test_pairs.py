"""Trees, chains and groups from pairs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from fewest._kernels.networks.pairs import (
    MUTUAL_INFORMATION,
    group_variables,
    grow_chain,
    grow_forest,
)
from tests.kernels.networks.rows import CARDS, some_rows
from tests.naive import structures


def test_tree_chain_and_groups():
    rows = some_rows()
    listed, d = rows.tolist(), len(CARDS)
    weights = {(u, v): structures.information(listed, u, v) for u, v in combinations(range(d), 2)}
    parents = grow_forest(rows, CARDS, MUTUAL_INFORMATION, np.full(10, -np.inf))
    total = sum(weights[min(v, p), max(v, p)] for v, p in enumerate(parents) if p >= 0)
    assert total == pytest.approx(structures.heaviest_forest(weights, d)[0])
    assert grow_chain(rows, CARDS).tolist() == structures.chain(listed, d)
    number = group_variables(rows, CARDS)
    found = sorted(tuple(np.flatnonzero(number == g).tolist()) for g in np.unique(number))
    assert found == structures.groups(listed, CARDS.tolist())
