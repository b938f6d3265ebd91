"""The plain data of a reproduction: order, verdicts, averages."""

from __future__ import annotations

from dataclasses import replace

from papers.experiment import Cell, Settings
from papers.record import Record
from papers.summary import summarize
from tests.reproduce.conftest import PAPER


def test_the_summary_is_in_the_order_of_the_paper(summary):
    assert [(c["table"], c["domain"], c["method"], c["verdict"]) for c in summary["cells"]] == [
        ("1", "A|B", "NB", "higher"),
        ("1", "A|B", "p-value", "higher"),
        ("1", "A|B", "new method", ""),
        ("1", "C", "NB", "same"),
        ("2", "C", "all", ""),
        ("2", "C", "M", "higher"),
    ]
    assert summary["verdicts"] == {"higher": 3, "same": 1}
    assert summary["differs"] == ["C: <other> rows."]
    assert summary["seconds"] == 75.0


def test_averages_are_over_the_domains_of_both(summary):
    (mean,) = summary["tables"][0]["averages"]
    assert (mean["method"], mean["domains"], mean["paper"], mean["here"]) == ("NB", 2, 75.0, 80.5)


def test_what_a_text_states_is_checked_too(curved):
    assert [c["verdict"] for c in curved["cells"]] == ["", "", "same", "higher"]


def test_another_reading_stands_beside_and_is_counted_apart(beside):
    first, second = beside["cells"]
    assert (first["here"], first["verdict"], first["note"]) == (71.0, "same", "near")
    assert (first["beside"]["here"], first["beside"]["verdict"]) == (90.0, "higher")
    assert (second["here"], second["verdict"], second["beside"]["here"]) == (None, "", 60.0)
    assert beside["verdicts"] == {"same": 1}
    assert beside["beside_verdicts"] == {"higher": 1, "same": 1}


def test_figures_that_differ_have_a_sentence(tmp_path):
    record = Record(tmp_path / "toy.jsonl", "toy", Settings())
    cells = [Cell("1", "A|B", "NB", 90.0, 0.1, "n"), Cell("1", "A|B", "p-value", 0.5)]
    record.add("a", [*cells, Cell("1", "D", "NB", 90.0), Cell("2", "C", "M", 8.0)], 1.0)
    why = {"1": {"A|B, NB": "Because.", "A|B": "Rows."}}
    summary = summarize(replace(PAPER, why=why), record, [])
    notes = [cell["note"] for cell in summary["cells"]]
    assert notes == ["n. Because.", "Rows.", "See the data that differ.", ""]
    assert summary["unexplained"] == 0
    assert summarize(PAPER, record, [])["unexplained"] == 2


def test_a_printed_average_is_kept(tmp_path):
    record = Record(tmp_path / "toy.jsonl", "toy", Settings())
    record.add("a", [Cell("1", "C", "NB", 71.0), Cell("1", "D", "NB", 61.0)], 1.0)
    tables = {"1": {**PAPER.tables["1"], "averages": {"NB": 66.6}}}
    (mean,) = summarize(replace(PAPER, tables=tables), record, [])["tables"][0]["averages"]
    assert (mean["paper"], mean["here"], mean["printed"]) == (65.0, 66.0, 66.6)
