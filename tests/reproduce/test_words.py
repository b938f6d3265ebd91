"""Sentences and numbers as a reader sees them."""

import pytest

from papers.words import duration, facts, heading, headline, number, rows, signed


def test_the_headline_counts():
    counts = {"same": 5, "near": 2, "higher": 1, "lower": 3}
    assert headline({"verdicts": counts}) == (
        "Of 11 figures that can be compared, 5 agree, 2 are near and 4 differ."
    )
    assert headline({"verdicts": {}}).startswith("Nothing has been run yet")


def test_facts_name_the_command(summary):
    made, readings = facts(summary)
    assert "`python -m papers toy --seed 3`" in made[1]
    assert "cut short" in readings[-1]
    made, readings = facts({**summary, "quick": True, "partial": False})
    assert "quick settings" in made[0]
    assert "toy --quick --seed 3" in made[1]
    assert readings == ["2 figures that differ have no sentence yet."]


@pytest.mark.parametrize(
    ("mean", "std", "kind", "expected"),
    [
        (None, None, "accuracy", "–"),
        (92.4, 2.04, "accuracy", "92.40 ± 2.04"),
        (92.4, None, "accuracy", "92.40"),
        (301.0, None, "count", "301"),
        (0.00123, 0.1, "seconds", "0.00123"),
    ],
)
def test_numbers(mean, std, kind, expected):
    assert number(mean, std, kind) == expected


def test_signs_times_and_headings():
    assert [signed(d, k) for d, k in ((1.0, "exact"), (-0.125, "error"), (None, "error"))] == [
        "+1",
        "-0.12",
        "",
    ]
    assert [duration(s) for s in (119.9, 120, 7200)] == ["119.9 s", "2.0 min", "2.0 h"]
    numbers = ("3", "fig. 7", "text")
    assert [heading({"number": n, "title": "T"}) for n in numbers] == [
        "Table 3: T",
        "Figure 7: T",
        "From the text: T",
    ]


def test_rows_end_with_the_averages(summary):
    lines = rows(summary, summary["tables"][0])
    assert lines[0] == ["A|B", "NB", "80.00 ± 2.00", "90.00 ± 2.00", "+10.00", "▲", "a|b"]
    assert lines[-1] == ["Average", "NB", "75.00", "80.50", "+5.50", "", "over 2 domains"]
