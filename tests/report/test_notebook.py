"""A result in a notebook."""

from dataclasses import replace

import pytest

from fewest._report.first_screen import answer
from fewest._report.page import answer_html, notebook_html, result_page
from fewest.testing._results import toy_result

pytest.importorskip("jinja2")


def test_it_is_the_first_screen_of_the_page():
    result = toy_result()
    html = notebook_html(result)
    section = answer_html(answer(result))
    assert section in result_page(result)
    assert section.replace(' id="answer"', "") in html
    assert 'id="' not in html
    assert "<script" not in html


def test_names_are_escaped():
    result = toy_result()
    result = replace(result, features=["<b>bold</b>"])
    assert "<b>" not in notebook_html(result)
