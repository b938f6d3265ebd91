"""A comparison of methods in numbers and words."""

from __future__ import annotations

from dataclasses import replace

from fewest._report.method_comparison import comparison_answer, summarize_comparison
from fewest._validation.significance import Overlap
from fewest.testing._results import toy_comparison


def test_intervals_use_the_overlap_of_the_splits():
    compared = toy_comparison(["a"])
    before = compared.validations["a"]
    compared.validations["a"] = after = replace(before, overlap=Overlap(0.25))
    row = summarize_comparison(compared)["rows"][0]
    assert (row["low"], row["high"]) == after.interval
    assert after.interval != before.interval


def test_there_is_no_winner_where_methods_cannot_be_told_apart():
    compared = toy_comparison(["a", "b"])
    compared.p_values["a", "b"] = 0.5
    told = comparison_answer(compared)
    assert told["headline"] == "No winner: all methods cannot be told apart on new data"
    text = " ".join(said["text"] for said in told["sentences"])
    assert "which does not show that they are equal. Of these, " in text
    compared.p_values["a", "b"] = 0.001
    assert "is best on new data" in comparison_answer(compared)["headline"]
    text = " ".join(said["text"] for said in comparison_answer(compared)["sentences"])
    assert "Significantly worse than " in text


def test_no_method_wins_on_noise():
    compared = toy_comparison(["a", "b"])
    for name, found in compared.validations.items():
        compared.validations[name] = replace(found, guessing=found.score)
    assert comparison_answer(compared)["headline"].startswith("No method is better on new data")


def test_comparison_names_methods_that_did_the_same():
    done = toy_comparison(["a", "b"])
    done.validations["b"] = replace(done.validations["b"], supports=done.validations["a"].supports)
    said = [sentence["text"] for sentence in comparison_answer(done)["sentences"]]
    assert "a and b selected the same features in every fold." in said
