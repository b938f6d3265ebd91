"""Hitting sets by CP-SAT."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data.build import as_table
from fewest.measures.consistency.inconsistency import Inconsistency
from fewest.search import Exact, FocusM, Subsets
from fewest.search.consistency.hitting_sets import HittingSets
from fewest.testing import (
    drive,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")


def size(search, table, space=None):
    space = space or Subsets(table.n_features)
    done = drive(search, space, Inconsistency().bind(table), max_batches=100_000)
    return int(space.expand(done.answer[None]).sum())


def random_table(rows=60, d=14, seed=3):
    rng = np.random.default_rng(seed)
    return as_table(rng.integers(0, 2, (rows, d)).astype(str), rng.integers(0, 2, rows))


def _hasty(prices, desk, threads, notice):
    """Hitting sets that hand over to the next way of solving at the first chance."""
    return HittingSets(prices, desk, threads, notice, nodes=1)


def wide_table():
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, (40, 80)).astype(str)
    return as_table(X, ((X[:, 70] == "1") ^ (X[:, 3] == "1")).astype(int))


def test_more_than_64_features_by_cp_sat():
    pytest.importorskip("ortools")
    done = drive(Exact(), Subsets(80), Inconsistency().bind(wide_table()))
    assert done.verdict.optimal
    assert done.answer.sum() == 2


def test_a_short_search_hands_over_to_cp_sat(monkeypatch):
    pytest.importorskip("ortools")
    monkeypatch.setattr("fewest.search.consistency.proof.HittingSets", _hasty)
    table = random_table()
    assert size(Exact(), table) == size(FocusM(), table)
