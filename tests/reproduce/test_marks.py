"""Marks of significance: against a method, the highest or the lowest mean."""

import numpy as np
import pytest
from scipy.stats import ttest_ind

from papers.experiment import Cell
from papers.marks import significance


def _cell(method, each, domain="D", reading=""):
    return Cell("6.2", domain, method, float(np.mean(each)), each=each, reading=reading)


HIGH = [0.95, 0.96, 0.94, 0.95, 0.96, 0.95, 0.94, 0.95, 0.96, 0.95]
LOW = [0.70, 0.71, 0.70, 0.72, 0.71, 0.70, 0.70, 0.71, 0.71, 0.70]
ROUGH = [0.95, 0.70, 0.99, 0.91, 0.94, 0.93, 0.99, 0.90, 0.97, 0.92]


def test_a_clear_difference_is_marked_and_the_reference_is_not_listed():
    cells = [_cell("EBNA", HIGH), _cell("none", LOW), _cell("SFS", ROUGH)]
    found = significance(cells, "6.2", "EBNA")
    assert [(c.table, c.method, c.here) for c in found] == [
        ("6.2 marks", "none", 2.0),
        ("6.2 marks", "SFS", 0.0),
    ]
    assert found[0].note == "p = 0.00"


def test_the_best_of_a_domain_has_no_mark():
    cells = [_cell("EBNA", HIGH), _cell("none", LOW)]
    assert [c.here for c in significance(cells, "6.2", "highest")] == [0.0, 2.0]
    assert [c.here for c in significance(cells, "6.2", "lowest", into="m")] == [2.0, 0.0]


def test_other_tables_readings_and_single_values_are_left_out():
    cells = [
        _cell("EBNA", HIGH),
        _cell("none", LOW, reading="defaults"),
        Cell("6.2", "D", "x", 0.9),
    ]
    assert significance(cells, "6.2", "EBNA") == []
    assert significance([_cell("none", LOW)], "6.2", "EBNA") == []
    assert significance([_cell("none", LOW)], "6.4", "highest") == []


def test_independent_runs_are_compared_by_welch():
    a, b = [3.0, 4.0, 5.0, 4.0], [4.0, 6.0, 5.0, 5.5]
    found = significance([_cell("one", a), _cell("two", b)], "6.2", "lowest", independent=True)
    p = ttest_ind(a, b, equal_var=False).pvalue
    assert found[1].note == f"p = {p:.2f}"
    assert found[1].here == pytest.approx(2.0 if p < 0.05 else 1.0 if p < 0.1 else 0.0)
