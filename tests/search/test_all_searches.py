"""Every search by name passes the shipped suite."""

from __future__ import annotations

from fewest.search import SEARCHES, resolve_search
from fewest.testing import parametrize_with_search_checks


@parametrize_with_search_checks([resolve_search(name) for name in SEARCHES])
def test_search(search, check):
    check(search)
