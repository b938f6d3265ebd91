"""Smallest consistent subsets, and what they do to trees, on one domain."""

from itertools import combinations

from papers import dash2003
from papers.experiment import Settings
from papers.paper import read_paper


def run(part, domain, method):
    every = dash2003.experiments(read_paper("dash2003"), Settings(quick=True))
    return next(e for e in every if (e.part, e.domain, e.method) == (part, domain, method)).run()


def test_the_smallest_subset_of_parity_is_proven():
    (cell,) = run("sizes", "Par3+3", "exact")
    assert (cell.table, cell.here) == ("1", 3.0)
    assert cell.note.startswith("proven smallest in ")


def test_subsets_are_counted_as_the_listing_tries_them():
    every = [c for size in range(1, 6) for c in combinations(range(5), size)]
    assert [dash2003.subsets_tried(list(c), 5) for c in every] == list(range(1, 32))


def test_focus_m_tries_as_many_subsets_of_vote_as_the_paper_says():
    (cell,) = run("evaluations", "Vote", "FocusM")
    assert cell.here == 39967 == read_paper("dash2003").figure("text", "Vote", "FocusM")[0]


def test_trees_before_and_after():
    cells = {(c.table, c.method): c for c in run("trees", "Par3+3", "QBB")}
    assert cells["2 error", "after QBB"].note == "3.0 features"
    assert cells["2 size", "after QBB"].here <= 15  # a full tree of three bits
    assert set(cells) == {
        (table, method)
        for table in ("2 error", "2 size")
        for method in ("before", "after QBB", "p-value")
    }
    assert 0 <= cells["2 error", "p-value"].here <= 1
