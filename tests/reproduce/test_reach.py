"""Generations until a search is as good as the subset that made the data."""

from fewest.search._network_models import EBNA
from papers import reach
from papers.experiment import Settings


def test_generations_until_the_generating_subset_is_matched(monkeypatch):
    monkeypatch.setitem(reach.DRAWS, True, 1)
    search = EBNA(population=20)
    settings = Settings(quick=True)
    args = ("6.5", "Redundant-order-7", "FSS-EBNA", "redundant-order-7", search, settings)
    at_once, never = reach.generations_needed(*args, 40), reach.generations_needed(*args, 0)
    assert 0 < at_once.here < 40
    assert at_once.note == ""
    assert never.here == 0
    assert never.note == "1 of 1 had not reached it after 0 generations"
