"""Chapter 7 of the thesis: a method on a domain, and the marks of the table."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.errors import InputError
from fewest.reproduce.experiment import Cell, Settings
from fewest.reproduce.paper import read_paper
from fewest.reproduce.runner import parts_of
from fewest.reproduce.weighing import SEARCHED, marks, weighing

PAPER = read_paper("inza2002")


def run(domain, method):
    experiments = weighing(PAPER, Settings(quick=True), "weighting")
    return next(e for e in experiments if (e.domain, e.method) == (domain, method)).run()


def test_there_is_an_experiment_for_every_figure_of_the_table():
    found = {(e.domain, e.method) for e in weighing(PAPER, Settings(), "weighting")}
    rows = PAPER.tables["7.2"]["rows"]
    assert found == {(domain, method) for domain, row in rows.items() for method in row}
    assert len(found) == 48


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


def test_marks_tell_who_differs_from_the_best():
    rng = np.random.default_rng(0)
    best = 0.9 + 0.005 * rng.normal(size=10)
    scores = {"FW-EBNA": best, "no-FW": best - 0.3, "IB4": best - 0.001 * rng.normal(size=10)}
    cells = [Cell("7.2", "Glass", m, 100 * v.mean(), each=v.tolist()) for m, v in scores.items()]
    found = {c.method: c.here for c in marks(cells)}
    assert found == {"FW-EBNA": 0.0, "no-FW": 2.0, "IB4": 0.0}


def test_tables_name_their_part():
    assert parts_of(PAPER, ["7.2", "6.2"]) == ["weighting", "medium"]
    with pytest.raises(InputError, match="`--table` must be one of 6.2"):
        parts_of(PAPER, ["9.9"])
    assert set(SEARCHED) < set(PAPER.tables["7.2"]["rows"]["Glass"])
