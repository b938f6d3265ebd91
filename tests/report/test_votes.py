"""Votes and stand-ins, in words and tables."""

from dataclasses import replace

import fewest
from fewest._report.page import result_page
from fewest._report.text import describe_result
from fewest._report.units import unit
from fewest._report.votes import TOGETHER, feature_tables, real, stand_ins, votes
from fewest.testing._results import toy_result

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
    (table,) = feature_tables(toy_result(), unit("accuracy"))
    assert table["head"] == ["feature", "kept", "selected in"]


def test_the_page_and_the_terminal_show_both():
    page = result_page(agreed())
    assert "Votes: of 20, by samples of the rows." in page
    assert "Votes: of 20, by the best subset of each size." in result_page(agreed("archive"))
    assert "Which features can stand in" in page
    assert '<td>f0</td><td class="number">f3</td><td class="number">−0.1 points</td>' in page
    text = " ".join(describe_result(agreed()).split())
    assert "Next would be f2 6" in text
    assert "f3 can replace f0" in text


def test_long_tables_are_cut():
    result = agreed()
    result.extra["stand_ins"] = [ENTRY] * 50
    table = feature_tables(result, unit("accuracy"))[1]
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
    table = feature_tables(result, unit("accuracy"))[0]
    evidence = {row[0]: row[table["head"].index("evidence")] for row in table["rows"]}
    told = ["0.99", "0.20", "0.70", "0.10", "", "0.00"]
    assert evidence == dict(zip(result.names, told, strict=True))
    result.extra["evidence"]["probability"][0] = 0.5
    assert real(result)[0].sentence().startswith("none. No feature belongs to a linear model")


def test_the_table_of_features_has_what_is_known_of_each():
    result = replace(toy_result(honest=False), settings={"rows": 200})
    copy = {"kind": "affine-copy", "columns": ["f3", "f0"], "evidence": "", "severity": "note"}
    result.extra.update(
        ranking=[1, 0, 3, 2], missing={"f3": 25}, costs=[1.0, 2.5, 1, 1, 1, 1],
        check={"findings": [copy]},
    )  # fmt: skip
    table = feature_tables(result, unit("accuracy"))[0]
    assert table["head"] == ["feature", "kept", "rank", "missing", "copy of", "cost"]
    assert table["rows"] == [
        ["f1", "kept", "1", "0.0 %", "", "2.5"],
        ["f0", "kept", "2", "0.0 %", "", "1"],
        ["f3", "", "3", "12.5 %", "f0", "1"],
        ["f2", "", "4", "0.0 %", "", "1"],
        ["f4", "", "", "0.0 %", "", "1"],
        ["f5", "", "", "0.0 %", "", "1"],
    ]


def test_the_table_of_features_is_filled_by_a_run():
    data = fewest.load("wine")
    frame = data.X.assign(double=2 * data.X["ash"])
    frame.loc[:8, "hue"] = None
    selector = fewest.SubsetSelector("naive-bayes", costs={"ash": 3.0}, random_state=0)
    result = selector.fit(frame, data.y).result_
    table = feature_tables(result, unit("accuracy"))[0]
    rows = {row[0]: dict(zip(table["head"], row, strict=True)) for row in table["rows"]}
    assert len(rows) == 14
    assert {row["rank"] for row in rows.values()} == {str(i + 1) for i in range(14)}
    assert rows["hue"]["missing"] == "5.1 %"
    assert rows["ash"]["cost"] == "3"
    assert {rows["ash"]["copy of"], rows["double"]["copy of"]} == {"", "ash"}
    assert {name for name, row in rows.items() if row["kept"]} == set(result.features)
