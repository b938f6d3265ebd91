"""LVF and QBB by draws and budgets, and the race of FocusM and ABB."""

import math

import pytest

from fewest.data._generators.by_name import generate
from papers import random_subsets
from papers.experiment import Cell, Settings


@pytest.fixture(scope="module")
def parity():
    return generate("parity3+3")


def test_lvf_comes_to_small_subsets_in_few_draws(parity):
    cells = random_subsets.intermediate(parity, "Par3+3", 25, Settings(quick=True))
    (cell,) = cells
    assert (cell.table, cell.method) == ("1 LVF", "M'")
    assert 3 <= cell.here <= 8  # the paper has 5
    assert cell.note.startswith("after 25 draws, 5 runs, ")


def test_figure_3_falls_from_all_features(parity):
    cells = random_subsets.intermediate(parity, "Mushroom", 25, Settings(quick=True))
    curve = cells[1].curve
    assert curve[0] == 12
    assert len(curve) == 21
    # The draws of a longer run begin with those of a shorter one.
    assert all(a >= b for a, b in zip(curve, curve[1:], strict=False))


def test_qbb_is_never_larger_with_the_smallest_budget_here(parity):
    lvf, qbb = random_subsets.by_budget(parity, "Par3+3", Settings(quick=True))
    assert (lvf.method, qbb.method) == ("Par3+3, LVF", "Par3+3, QBB")
    assert qbb.curve == [3.0] * 5
    assert min(lvf.curve) >= 3.0


def test_averages_wait_for_all_domains():
    one = Cell("fig. 4a", "A", "A, QBB", 3.0, None, "", [5.0, 3.0])
    assert random_subsets.averaged([one], ["A", "B"]) == []
    assert random_subsets.averaged([one], ["A"])[0].curve == [5.0, 3.0]


def test_the_race_counts_what_theory_says(monkeypatch):
    monkeypatch.setattr(random_subsets, "N_BITS", 5)
    found = {c.method: c.here for c in random_subsets.race("race", "D")}
    for needed in range(1, 5):
        # The complete levels below the answer, and some of its own.
        least = sum(math.comb(5, k) for k in range(needed))
        assert least < found[f"FocusM, M = {needed}"] <= least + math.comb(5, needed) + 1
        # Every superset of the answer, and each with one needed feature less at most.
        supersets = 2 ** (5 - needed)
        assert supersets <= found[f"ABB, M = {needed}"] <= supersets * (1 + needed)
