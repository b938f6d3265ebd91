"""Hitting sets by CP-SAT."""

from __future__ import annotations

import pytest

from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.search import Exact, FocusM, Subsets
from fewest.search._hitting_sets import HittingSets
from fewest.testing import drive
from tests.search.consistency.problems import random_table, size, wide_table

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")


def _hasty(prices, desk, threads, notice):
    """Hitting sets that hand over to the next way of solving at the first chance."""
    return HittingSets(prices, desk, threads, notice, nodes=1)


def test_more_than_64_features_by_cp_sat():
    pytest.importorskip("ortools")
    done = drive(Exact(), Subsets(80), Inconsistency().bind(wide_table()))
    assert done.verdict.optimal
    assert done.answer.sum() == 2


def test_a_short_search_hands_over_to_cp_sat(monkeypatch):
    pytest.importorskip("ortools")
    monkeypatch.setattr("fewest.search._exact.HittingSets", _hasty)
    table = random_table()
    assert size(Exact(), table) == size(FocusM(), table)
