"""Results and validations show themselves, by what the package provides."""

from __future__ import annotations

import pytest

import fewest
from fewest._run import views
from fewest.testing._results import toy_result


def test_a_result_in_a_notebook_is_the_first_screen_of_its_page():
    assert "2 of 6 features are kept" in toy_result()._repr_html_()


def test_results_and_validations_plot_their_main_figure():
    assert toy_result().plot().axes[0].get_title(loc="left") == "What to expect on new data"
    data = fewest.load("wine")
    selector = fewest.SubsetSelector("gaussian-nb", search="sfs", cv=3, max_features=2)
    honest = fewest.validate(selector, data.X, data.y, scheme="1x3cv", random_state=0)
    assert honest.plot().axes[0].get_title(loc="left") == "What to expect on new data"


def test_what_is_provided_is_used(monkeypatch):
    monkeypatch.setattr(views, "_VIEWERS", {})
    views.provide("length", lambda subject, more: len(subject) + more)
    assert views.view("length", "abc", more=1) == 4
    with pytest.raises(KeyError):
        views.view("html", "abc")
