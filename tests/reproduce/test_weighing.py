"""Chapter 7 of the thesis: a method on a domain."""

from __future__ import annotations

import pytest

from fewest._errors import InputError
from papers.experiment import Settings
from papers.paper import read_paper
from papers.runner import parts_of
from papers.weighing import SEARCHED, _halves, weighing

PAPER = read_paper("inza2002")
TESTED = ("FW-GA-o", "FW-EBNA", "FW-EGNA")


def run(domain, method):
    experiments = weighing(PAPER, Settings(quick=True), "weighting")
    return next(e for e in experiments if (e.domain, e.method) == (domain, method)).run()


def test_there_is_an_experiment_for_every_figure_of_the_table():
    found = {(e.domain, e.method) for e in weighing(PAPER, Settings(), "weighting")}
    rows = PAPER.tables["7.2"]["rows"]
    compared = {(domain, method) for domain, row in rows.items() for method in row}
    beside = {(domain, f"{m}, defaults") for domain, m in compared if m in TESTED}
    assert found == compared | beside
    assert (len(compared), len(beside)) == (48, 24)


def test_the_test_can_only_end_a_search_earlier():
    here, beside = run("Glass", "FW-EBNA")[1], run("Glass", "FW-EBNA, defaults")[1]
    assert (here.table, here.reading, beside.reading) == ("7.3", "", "defaults")
    assert 0 <= beside.here <= here.here


def test_generated_domains_are_drawn_anew_for_each_repetition():
    settings = Settings(quick=True)
    tables = [table for table, _ in _halves(PAPER, settings, "3-Weights")]
    assert len(tables) == 10
    assert all((a.values == b.values).all() for a, b in zip(tables[::2], tables[1::2], strict=True))
    assert len({float(table.values.sum()) for table in tables}) == 5
    assert len({float(t.values.sum()) for t, _ in _halves(PAPER, settings, "Glass")}) == 1


@pytest.mark.parametrize(("method", "tables"), [("no-FW", 1), ("IB4", 1), ("FW-EBNA", 4)])
def test_glass_comes_near_the_printed_accuracy(method, tables):
    cells = run("Glass", method)
    assert len(cells) == tables
    printed, _ = PAPER.figure("7.2", "Glass", method)
    assert abs(cells[0].here - printed) < 6
    assert len(cells[0].each) == 10


def test_generated_domains_need_no_files():
    (cell,) = run("3-Weights", "no-FW")
    assert cell.here == pytest.approx(76, abs=3)


def test_tables_name_their_part():
    assert parts_of(PAPER, ["7.2", "6.2"]) == ["weighting", "medium"]
    with pytest.raises(InputError, match="`--table` must be one of .*6.2, .*7.2"):
        parts_of(PAPER, ["9.9"])
    assert set(SEARCHED) < set(PAPER.tables["7.2"]["rows"]["Glass"])
