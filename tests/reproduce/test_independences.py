"""Counts of independences over domains and splits, by hand."""

from __future__ import annotations

from papers.experiment import Cell
from papers.independences import independences
from papers.paper import Paper, read_paper


def small_paper():
    rows = {"DT": {"half of the arcs": [2.0, None]}, "ST": {"half of the arcs": [1.0, None]}}
    rows["DR"] = {"half of the arcs": [0.0, None]}
    tables = {"5.4.2": {"rows": rows, "kind": "networks"}}
    return Paper("p", "t", "s", tables, {})


def test_counts_are_summed_over_domains_split_by_split():
    # Two domains, two splits, three families each; -1 was not asked for.
    cells = [
        Cell("5.4", "a", "inside, half of the arcs", 1.5, each=[1, 0, -1, 1, 1, -1]),
        Cell("5.4", "b", "inside, half of the arcs", 1.5, each=[1, 1, 0, 1, 0, 0]),
    ]
    found = independences(small_paper(), cells)
    lists = {cell.domain: cell for cell in found if cell.table == "5.4.2"}
    assert [lists[name].here for name in ("DT", "ST", "DR")] == [2.0, 1.0, 0.0]
    assert lists["DT"].note == "2 to 2 of 2 networks"
    assert lists["DR"].note == "0 to 0 of 1 networks"
    (ranks,) = (cell for cell in found if cell.table == "5.4 ranks")
    assert (ranks.domain, ranks.method, ranks.here) == ("5.4.2", "half of the arcs", 1.0)


def test_nothing_was_run():
    assert independences(read_paper("inza2002"), []) == []
