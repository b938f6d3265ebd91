"""The cheapest set that hits all cuts, with and without OR-Tools."""

from __future__ import annotations

import pytest

from fewest._errors import InputError
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.search import Exact, FocusM, Subsets
from fewest.search._hitting_sets import Decision, HittingSets
from fewest.testing import drive
from tests.search.consistency.problems import corral, parity, random_table, size, wide_table

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")


def _hasty(prices, desk, threads, notice):
    """Hitting sets that hand over to the next way of solving at the first chance."""
    return HittingSets(prices, desk, threads, notice, nodes=1)


@pytest.fixture
def shared_proof(monkeypatch):
    """No OR-Tools and no patience: every proof is split over threads; counts its decisions."""
    together, decisions = Decision._together, []

    def counted(decision, parts, flag):
        decisions.append(len(parts))
        return together(decision, parts, flag)

    monkeypatch.setattr("fewest.search._hitting_sets.installed", lambda: False)
    monkeypatch.setattr("fewest.search._exact.HittingSets", _hasty)
    monkeypatch.setattr("fewest.search._hitting_sets.LEAST_COLUMNS_TO_SPLIT", 2)
    monkeypatch.setattr(Decision, "_together", counted)
    return decisions


def test_the_answer_does_not_depend_on_the_number_of_threads(shared_proof):
    table = random_table()
    scorer = Inconsistency().bind(table)
    answers, splits = [], []
    for threads in (1, 2, 4):
        answers.append(drive(Exact(threads=threads), Subsets(14), scorer).answer.tolist())
        splits.append(shared_proof.copy())
        shared_proof.clear()
    assert answers[0] == answers[1] == answers[2]
    assert sum(answers[0]) == size(FocusM(), table)
    assert splits[0] == splits[1] == splits[2]
    assert max(splits[0]) > 4


def test_it_works_without_or_tools(shared_proof):
    for seed in range(5):
        table = random_table(40, 10, seed)
        assert size(Exact(), table) == size(FocusM(), table)
    assert size(Exact(), corral()) == 4
    assert size(Exact(), parity()) == 3
    assert shared_proof


def test_a_hard_table_is_asked_for_all_cuts_once(shared_proof, monkeypatch):
    scorer = Inconsistency().bind(random_table())
    cuts, limits = scorer.cuts, []

    def counted(candidate, limit=1):
        limits.append(limit)
        return cuts(candidate, limit)

    monkeypatch.setattr(scorer, "cuts", counted)
    drive(Exact(), Subsets(14), scorer)
    assert limits.count(0) == 1


def without_or_tools(monkeypatch):
    monkeypatch.setattr("fewest.search._hitting_sets.installed", lambda: False)


def test_more_than_64_features_need_or_tools(monkeypatch):
    without_or_tools(monkeypatch)
    with pytest.raises(InputError, match="more than 64.*fewest\\[exact\\]"):
        size(Exact(), wide_table())
