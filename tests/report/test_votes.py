"""Votes and stand-ins, in words and tables."""

from fewest.report.page import result_page
from fewest.report.text import describe_result
from fewest.report.units import unit
from fewest.report.votes import TOGETHER, real, stand_ins, vote_tables, votes
from fewest.testing.results import toy_result

ENTRY = {"feature": "f0", "by": "f3", "difference": -0.001, "redundancy": 0.93}


def agreed(kind="resamples"):
    result = toy_result()
    result.extra["consensus"] = {
        "kind": kind, "resamples": 20, "frequency": [1.0, 0.9, 0.3, 0.0, 0.1, 0.0],
        "winners": [], "evaluations": 100,
    }  # fmt: skip
    result.extra["stand_ins"] = [ENTRY] * 5
    return result


def test_the_sentence_names_kept_features_and_the_next():
    (fact,) = votes(agreed())
    assert fact.text == (
        "The search ran on 20 samples of 70 % of the rows. Votes for the kept features: f0 20, "
        "f1 18. Next would be f2 6, f4 2."
    )
    (replayed,) = votes(agreed("replay"))
    assert "was replayed 20 times without a part of the rows" in replayed.text
    (sizes,) = votes(agreed("archive"))
    assert sizes.text == (
        "The best subsets of 20 sizes ranked the features. So many of them hold the kept ones: "
        "f0 20, f1 18. Next would be f2 6, f4 2."
    )


def test_a_ranking_that_was_set_aside_is_told():
    result = toy_result()
    result.extra["votes_set_aside"] = True
    assert [fact.text for fact in votes(result)] == [TOGETHER]
    assert "of use only together" in " ".join(describe_result(result).split())


def test_stand_ins_have_the_unit_of_the_score():
    (fact,) = stand_ins(agreed(), unit("accuracy"))
    assert fact.text.startswith("f3 can replace f0 (−0.1 points); ")
    assert fact.text.endswith(", and 2 more.")


def test_a_plain_result_says_nothing():
    assert votes(toy_result()) == []
    assert stand_ins(toy_result(), unit("accuracy")) == []
    assert vote_tables(toy_result(), unit("accuracy")) == []


def test_the_page_and_the_terminal_show_both():
    page = result_page(agreed())
    assert "How often the samples chose each feature" in page
    assert "How often the best subsets of all sizes hold each feature" in result_page(
        agreed("archive")
    )
    assert "Which features can stand in" in page
    assert '<td>f0</td><td class="number">f3</td><td class="number">−0.1 points</td>' in page
    text = " ".join(describe_result(agreed()).split())
    assert "Next would be f2 6" in text
    assert "f3 can replace f0" in text


def test_long_tables_are_cut():
    result = agreed()
    result.extra["stand_ins"] = [ENTRY] * 50
    table = vote_tables(result, unit("accuracy"))[1]
    assert len(table["rows"]) == 40
    assert "The first 40 of 50." in table["note"]


def test_real_features_come_with_those_in_doubt_and_those_kept_without_evidence():
    result = toy_result()
    assert real(result) == []
    result.extra["evidence"] = {"probability": [0.99, 0.2, 0.7, 0.1, None, 0.0], "exact": True}
    (fact,) = real(result)
    assert fact.sentence() == (
        "1. They belong to a linear model with probability 0.95 or more: f0. In doubt: f2 0.70. "
        "Kept with less than 0.5: f1 0.20."
    )
    table = vote_tables(result, unit("accuracy"))[0]
    assert table["rows"][:3] == [["f0", "0.99", "kept"], ["f2", "0.70", ""], ["f1", "0.20", "kept"]]
    assert len(table["rows"]) == 5
    result.extra["evidence"]["probability"][0] = 0.5
    assert real(result)[0].sentence().startswith("none. No feature belongs to a linear model")
