"""A reproduction as Markdown: escaped cells, averages, claims, curves."""

from papers.markdown import markdown


def test_the_tables_and_what_stands_around_them(summary):
    text = markdown(summary)
    assert "**Of 4 figures that can be compared, 1 agree, 0 are near and 3 differ.**" in text
    assert "|  | NB | p-value | new method |\n|---|---:|---:|---:|\n" in text
    assert "| A\\|B | 80.00 ± 2.00 → 90.00 ± 2.00 ▲ | 0.01 → 0.50 ▲ | 91.00 |" in text
    assert "1 of 3 agree, 0 are near, 2 differ." in text
    assert "| Average | 75.00 → 80.50 |  |  |" in text
    assert "|  | C |\n|---|---:|\n| all | 22 → 22 |\n| M | 8 → 9 ▲ |" in text
    assert "- See the data that differ. (C, M)" in text
    assert "- No reason was found. (A\\|B, NB; A\\|B, p-value)" in text
    assert "- C: &lt;other> rows." in text
    assert "seed 3, in 75.0 s of computing" in text
    assert "The run was cut short" in text
    assert text.endswith("by `python -m papers toy --seed 3`.\n")


def test_what_a_text_states_and_what_develops(curved):
    text = markdown(curved)
    assert "## Figure 7: Inside and outside" in text
    assert "| 100 rows | > 2 → 12.50 = |" in text
    assert "| 800 rows | ≤ 1 → 1.50 ▲ |" in text
    assert "| 100 rows | internal | 80.0 | 90.0 |" in text


def test_two_readings_stand_below_each_other(beside):
    text = markdown(beside)
    assert "| C | 70.00 ± 2.00 → 71.00 ± 1.00 = |\n| C, our defaults | 90.00 ± 1.00 ▲ |" in text
    assert "| D | 60.00 ± 0.10 → – |\n| D, our defaults | 60.00 ± 1.00 = |" in text
    assert "Our defaults: Of 2 figures that can be compared, 1 agree" in text
    assert "## Not reproduced\n\n- Figure 9: it is a drawing.\n\n## How it was made" in text


def test_arcs_are_one_sentence(summary):
    arcs = [{"table": "f", "method": "A → B", "here": 35.4, "verdict": ""}]
    table = {**summary["tables"][0], "number": "f", "kind": "network"}
    text = markdown({**summary, "tables": [table], "cells": arcs})
    assert "\n\nA → B (35 %).\n\n" in text
