import json

import pytest

import fewest
from fewest._validation.comparison import Comparison

DATA = fewest.load("iris")


@pytest.fixture(scope="module")
def comparison():
    selectors = {name: fewest.SubsetSelector("naive-bayes", search=name) for name in ("sfs", "sbe")}
    return fewest.compare(selectors, DATA, scheme="1x3cv", random_state=0)


def test_a_validation_is_shown_in_a_few_lines(comparison):
    validation = comparison.validations["sfs"]
    assert len(repr(validation)) < 120
    assert str(validation) == validation.summary()
    assert len(str(validation).splitlines()) < 20
    assert f"{100 * validation.score:.1f} %" in str(validation)
    assert "Honest accuracy" in validation._repr_html_()
    frame = validation.to_frame()
    assert frame["score"].tolist() == validation.scores.tolist()
    assert frame["size"].tolist() == validation.sizes


def test_a_comparison_is_shown_in_a_few_lines(comparison):
    assert repr(comparison) == "<Comparison of sfs, sbe and all features>"
    assert "sfs against sbe: p = " in str(comparison)
    assert comparison.to_frame("polars")["method"].to_list() == ["sfs", "sbe", "all features"]


def test_names_of_a_notebook_are_no_markup(comparison):
    text = json.dumps(comparison.to_dict()).replace('"sfs"', '"<b>"')
    named = Comparison.from_dict(json.loads(text))
    assert "<b>" not in named._repr_html_()
    assert "&lt;b&gt;" in named._repr_html_()


def test_a_result_has_two_lengths():
    result = fewest.SubsetSelector("naive-bayes", search="sfs").fit(DATA).result_
    assert len(result.summary().splitlines()) < len(result.summary(details=True).splitlines())
