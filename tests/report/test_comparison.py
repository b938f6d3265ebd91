"""A comparison of methods in numbers and words."""

from __future__ import annotations

from fewest._report.method_comparison import comparison_answer, summarize_comparison
from fewest._validation.significance import Overlap, interval
from fewest.testing._results import toy_comparison


def test_intervals_use_the_overlap_of_the_splits():
    compared = toy_comparison(["a"])
    compared.validations["a"].overlap = Overlap(0.25)
    row = summarize_comparison(compared)["rows"][0]
    assert (row["low"], row["high"]) == interval(compared.validations["a"].scores, Overlap(0.25))


def test_not_significant_is_not_told_as_equal():
    compared = toy_comparison(["a", "b"])
    compared.p_values["a", "b"] = 0.5
    text = " ".join(said["text"] for said in comparison_answer(compared)["sentences"])
    assert "This does not show that they are equal." in text


def test_comparison_says_whether_the_best_is_told_apart():
    compared = toy_comparison(["a", "b"])
    compared.p_values["a", "b"] = 0.5
    assert "but not significantly" in comparison_answer(compared)["headline"]
    compared.p_values["a", "b"] = 0.001
    assert "is best on new data" in comparison_answer(compared)["headline"]


def test_comparison_names_methods_that_did_the_same():
    done = toy_comparison(["a", "b"])
    done.validations["b"].supports = done.validations["a"].supports
    said = [sentence["text"] for sentence in comparison_answer(done)["sentences"]]
    assert "a and b selected the same features in every fold." in said


def test_of_methods_that_tie_the_smaller_wins():
    compared = toy_comparison(["a", "b"])
    compared.p_values["a", "b"] = 0.5
    for row, size in zip(compared.table, (5.0, 2.0), strict=False):
        row["size"] = size
    compared.table[1]["accuracy"] = compared.table[0]["accuracy"] - 0.005
    assert comparison_answer(compared)["headline"].startswith("b wins on new data with ")
    assert "and keeps fewer features (2.0 against 5.0)" in comparison_answer(compared)["headline"]
    # Two points are more than the margin, and significant is no tie.
    compared.table[1]["accuracy"] = compared.table[0]["accuracy"] - 0.02
    assert comparison_answer(compared)["headline"].startswith("a leads")
    compared.table[1]["accuracy"] = compared.table[0]["accuracy"] - 0.005
    compared.p_values["a", "b"] = 0.01
    assert comparison_answer(compared)["headline"].startswith("a is best")
