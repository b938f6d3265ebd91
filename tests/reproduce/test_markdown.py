"""A reproduction as Markdown: escaped cells, averages, claims, curves."""

from papers.markdown import markdown


def test_the_tables_and_what_stands_around_them(summary):
    text = markdown(summary)
    assert "**Of 4 figures that can be compared, 1 agree, 0 are near and 3 differ.**" in text
    assert "| A\\|B | NB | 80.00 ± 2.00 | 90.00 ± 2.00 | +10.00 | ▲ | a\\|b |" in text
    assert "| A\\|B | new method | – | 91.00 |  |  |  |" in text
    assert "| C | M | 8 | 9 | +1 | ▲ | proven. See the data that differ. |" in text
    assert "| Average | NB | 75.00 | 80.50 | +5.50 |  | over 2 domains |" in text
    assert "- C: &lt;other> rows." in text
    assert "seed 3, in 75.0 s of computing" in text
    assert "The run was cut short" in text
    assert "by `python -m papers toy --seed 3`" in text


def test_what_a_text_states_and_what_develops(curved):
    text = markdown(curved)
    assert "## Figure 7: Inside and outside" in text
    assert "| W | 100 rows | > 2 | 12.50 |  | = |  |" in text
    assert "| W | 800 rows | ≤ 1 | 1.50 |  | ▲ |  |" in text
    assert "| 100 rows | internal | 80.0 | 90.0 |" in text


def test_two_readings_have_the_paper_between_them(beside):
    text = markdown(beside)
    assert "| domain | method | our defaults |  | paper | here | difference |  | note |" in text
    assert "|---|---|---:|:-:|---:|---:|---:|:-:|---|" in text
    assert "| C | NB | 90.00 ± 1.00 | ▲ | 70.00 ± 2.00 | 71.00 ± 1.00 | +1.00 | = | near |" in text
    assert "| D | NB | 60.00 ± 1.00 | = | 60.00 ± 0.10 | – |  |  |  |" in text
    assert "Our defaults: Of 2 figures that can be compared, 1 agree" in text
    assert text.endswith("## Not reproduced\n\n- Figure 9: it is a drawing.\n")
