"""Orderings of Asia: both readings of the reference, on a small run."""

import pytest

from papers import variable_ordering
from papers.experiment import Settings
from papers.paper import read_paper
from papers.variable_ordering import GOLD, experiments, orderings


@pytest.mark.parametrize(("reference", "low", "high"), [
    ("gold posteriors", 95, 100), ("observed values", 90, 100),
])  # fmt: skip
def test_figures_and_curves_of_a_reading(monkeypatch, reference, low, high):
    monkeypatch.setattr(variable_ordering, "LENGTHS", (2, 4))
    monkeypatch.setattr(variable_ordering, "TRIALS", {True: 2})
    cells = orderings(Settings(quick=True), reference)
    table = {c.method: c for c in cells if c.table == "3"}
    runs = {f"{n} generations, {what}" for n in (2, 4) for what in ("average", "best")}
    assert set(table) == runs | {"optimum"}
    assert {c.reading for c in table.values()} == {reference if reference == GOLD else ""}
    assert all(low < c.here <= high for c in cells)
    assert all(table[m].here <= table[m.replace("average", "best")].here for m in table)
    curves = [c.curve for c in cells if c.table == "fig. 4"]
    assert [len(curve) for curve in curves] == [4, 4]
    best = curves[1]
    assert best == sorted(best)


def test_the_paper_has_a_place_for_every_figure():
    paper = read_paper("hsu2004")
    assert {e.domain for e in experiments(paper, Settings())} <= set(paper.domains)
    printed = paper.figure("3", "Asia", "100 generations, best")
    assert printed == (93.16, None)
    assert {"3", "fig. 3", "fig. 4"} <= set(paper.tables)
