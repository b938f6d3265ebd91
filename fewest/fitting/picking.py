"""Pick a search by what a candidate costs, and use the time that there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..data.table import Table
from ..measures.base import Measure, Scorer
from ..run.journal import has_lines, read_lines
from ..run.stop import seconds_of
from ..run.versions import spelled
from ..search.auto import affordable, recommend_search, scores_batches
from ..search.base import Search
from ..search.restarts import Restarts
from ..search.spaces.subsets import Subsets
from .timing import seconds_per_candidate

#: Said with a search that uses its time budget.
USED = (
    "The time budget is used: after 10 generations without an improvement `{}` starts again with "
    "twice the population, until 5 starts in a row find nothing better."
)


def picked_search(
    measure: Measure,
    table: Table,
    space: Subsets,
    scorer: Scorer,
    seconds: float | None,
    journal: Any = None,
) -> tuple[Search, str]:
    """The search of ``search="auto"`` and why.

    Before a search that scores thousands of subsets, a few are timed. A run that is continued
    takes the search of its journal, however busy the machine is now.
    """
    both = {
        fast: recommend_search(measure, table.n_rows, space, seconds, fast=fast)
        for fast in (True, False)
    }
    if not scores_batches(measure) or both[True][0].name == both[False][0].name:
        return both[scores_batches(measure)]
    recorded = _recorded(journal)
    for search, why in both.values():
        if recorded is not None and recorded in (spelled(search), spelled(Restarts(search))):
            return search, why
    each = seconds_per_candidate(scorer, space)
    if affordable(each, seconds):
        return both[True]
    search, _ = both[False]
    return search, (
        f"`{search.name}` was picked: a subset takes {each:.2g} s, too long for a search that "
        "scores thousands."
    )


def _recorded(journal: Any) -> str | None:
    """The search of a journal that is to be continued."""
    if journal is None or not has_lines(journal):
        return None
    return str(read_lines(journal)[0][0].get("search"))


def with_restarts(search: Search, stop: object, notes: list[str]) -> tuple[Search, list[str]]:
    """The search with restarts, where a time budget goes with ``stop="auto"``; and a note."""
    several = isinstance(stop, Sequence) and not isinstance(stop, str)
    auto = several and any(isinstance(part, str) and part == "auto" for part in stop)  # type: ignore[union-attr, attr-defined]
    endless = search.generational and not search.ends
    if not (auto and endless and seconds_of(stop) is not None):
        return search, notes
    return Restarts(search), [*notes, USED.format(search.name)]
