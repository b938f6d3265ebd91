"""A reproduction as a page: what comes from outside is text, and nothing is fetched."""

from papers.page import page


def test_the_page_is_text_only_where_it_should_be(summary):
    html = page(summary)
    assert "A &lt;b&gt;toy&lt;/b&gt;" in html
    assert "D: no &lt;data&gt;." in html
    assert "<code>python -m papers toy --seed 3</code>" in html
    assert "<script" not in html  # there is no figure
    assert "http://" not in html
    assert "https://" not in html
    assert html.count('<tr class="off">') == 3


def test_a_figure_has_a_place_and_its_data(curved):
    html = page(curved)
    assert '<div id="fig-7-100-rows"></div>' in html
    assert '<script id="data" type="application/json">' in html


def test_a_table_of_two_readings_and_what_is_missing(beside):
    html = page(beside)
    assert '<table class="wide">' in html
    assert "<td>70.00 ± 2.00</td><td>71.00 ± 1.00</td><td>+1.00</td><td>=</td>" in html
    assert "<h2>Not reproduced</h2>" in html
