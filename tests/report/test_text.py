"""Results on the terminal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import fewest
from fewest._report.facts import validation_of
from fewest._report.method_comparison import comparison_answer, summarize_comparison
from fewest._report.network_report import certainty
from fewest._report.text import (
    describe_comparison,
    describe_dataset,
    describe_result,
    describe_scores,
)
from fewest._validation.significance import Overlap
from fewest.measures._measure import Scores
from fewest.testing._results import toy_comparison, toy_result


def test_the_answer_comes_first():
    lines = describe_result(toy_result()).splitlines()
    assert lines[1] == "Chosen: 2 of 6 features"
    labels = [line[:18].strip() for line in lines if line[:1].strip() and line[:18].strip()]
    wanted = ["Selection score", "Honest accuracy", "All features", "Difference", "Stability"]
    assert [label for label in labels if label in wanted] == wanted
    assert max(map(len, lines)) <= 96


def test_a_warning_comes_before_the_figures():
    text = describe_result(toy_result(illusion=True))
    warning = text.index("Warning: Do not believe the selection score.")
    assert warning < text.index("Selection score  ")


def test_features_left_out_are_explained_up_to_five():
    result = toy_result()
    result = replace(result, left_out={f"f{j}": "it adds nothing" for j in range(8)})
    text = describe_result(result)
    assert text.count("it adds nothing") == 5
    assert "and 3 more (in the result file)" in text


def test_a_data_set_is_described_without_encoding_it(monkeypatch):
    data = fewest.load("iris")

    def fail(*_, **__):
        raise AssertionError("the table was encoded")

    monkeypatch.setattr(type(data), "table", fail)
    assert describe_dataset(data).endswith(
        "iris: 150 rows, 4 features (4 continuous, 0 nominal), 3 classes"
    )


def test_missing_values_are_counted():
    data = fewest.load("iris")
    data.X.iloc[:3, 0] = np.nan
    assert "0 nominal, 0.5% missing" in describe_dataset(data)


def test_a_comparison_says_what_may_be_said():
    compared = toy_comparison(["ebna", "sfs"])
    text = describe_comparison(compared)
    assert "ebna against sfs: p =" in text
    assert "accuracy on new data" in text
    assert "than all 6 features" in " ".join(text.split())
    compared.p_values["ebna", "sfs"] = 0.5
    assert "\nNo winner: all methods cannot be told apart" in describe_comparison(compared)


def test_scores_of_a_subset_stand_beside_all_features():
    scores = Scores(np.array([0.5, 0.75]), np.array([[0.4, 0.6], [0.7, 0.8]]))
    assert describe_scores("naive-bayes", [], scores).splitlines() == [
        "naive-bayes  0.5000 ± 0.1414  no feature",
        "naive-bayes  0.7500 ± 0.0707  all features",
    ]


def test_no_feature_is_said_in_words_and_a_rare_class_gets_advice():
    found = toy_result()
    nothing = replace(found, features=[], support=np.zeros(6, dtype=bool))
    text = describe_result(nothing, details=False)
    assert "Chosen: 0 of 6 features: none predicts the target better than guessing\n" in text
    assert "scoring=" not in text
    rare = {"kind": "imbalance", "columns": [], "evidence": "9 % yes", "severity": "warning"}
    check = {"n_rows": 100, "n_features": 6, "findings": [rare]}
    text = describe_result(replace(nothing, extra={"check": check}), details=False)
    assert 'scoring="roc_auc", which a rare class needs' in text


def test_the_first_screen_says_why_the_metric_is_not_accuracy():
    found = toy_result()
    why = "Subsets are scored by roc_auc because 95% of the rows are of class no: a model"
    text = describe_result(replace(found, notes=[why]), details=False)
    assert "95% of the rows are of class no, so accuracy says little" in text
    assert "accuracy says little" not in describe_result(found, details=False)


def test_an_undecided_difference_comes_with_the_rows_that_would_decide():
    result = toy_result()
    scores = [b + 0.03 * (-1) ** i for i, b in enumerate(result.honest["baseline_scores"])]
    result.honest.update(scores=scores, settings={"rows": 200})
    more = validation_of(result).difference.more_rows
    assert more > 0
    text = describe_result(result, details=False)
    assert f"about {more:,} more rows would decide" in " ".join(text.split())


@pytest.mark.parametrize(
    ("optimal", "gap", "words"),
    [
        (True, 0.0, "proven: no network scores more."),
        (False, 0.25, "not proven: another network could score 0.2500 more at most."),
        (False, None, "not proven: the search gives no bound."),
    ],
)
def test_what_is_proven_is_said(optimal, gap, words):
    result = toy_result()
    result = replace(result, optimal=optimal, gap=gap)
    assert certainty(result) == words


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
