"""A few cells of Drugan and Wiering (2010), on few splits."""

import json

import pytest
from typer.testing import CliRunner

from papers import drugan2010
from papers.__main__ import app
from papers.experiment import Cell, Settings
from papers.paper import read_paper
from papers.record import Record

#: Percent selected and accuracy as published, for naive Bayes and TAN.
PUBLISHED = {
    ("votes", "MDL-FS"): ((14, 97), (9, 97)),
    ("votes", "MDL"): ((87.5, 93), (93, 93)),
    ("car", "MDL-FS"): ((81, 85), (33, 77)),
    ("chess", "MDL-FS"): ((13, 94), (42, 93)),
    ("mush", "accuracy wrapper"): ((14, 100), (14, 100)),
}


@pytest.mark.parametrize(("domain", "method"), PUBLISHED)
def test_selected_and_accuracy_are_near_the_published(data_folder, monkeypatch, domain, method):
    monkeypatch.setenv("FEWEST_DATA", str(data_folder))
    every = drugan2010.experiments(read_paper("drugan2010"), Settings(quick=True))
    (one,) = [e for e in every if (e.domain, e.method) == (domain, method)]
    cells = {cell.table: cell for cell in one.run()}
    for short, (selected, accuracy) in zip(("NB", "TAN"), PUBLISHED[domain, method], strict=True):
        assert cells[f"3 {short} selected"].here == pytest.approx(selected, abs=4)
        assert cells[f"3 {short} accuracy"].here == pytest.approx(accuracy, abs=2.5)
        assert len(cells[f"3 {short} CALL"].each) == 5


def test_figures_do_not_depend_on_the_number_of_jobs(tmp_path):
    summaries = []
    for jobs in ("1", "2"):
        words = ["drugan2010", "--quick", "-d", "artif", "-o", tmp_path / jobs, "--jobs", jobs]
        result = CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)
        assert result.exit_code == 0
        summary = json.loads((tmp_path / jobs / "drugan2010.json").read_text())
        summaries.append((summary["cells"], summary["tables"]))
        assert len(summary["cells"]) == 6 + 5 * 6
    assert summaries[0] == summaries[1]


def _every_cell(paper):
    """MDL-FS has half of the features, the others all; nothing else differs."""
    for domain in paper.domains:
        for short in drugan2010.CLASSIFIERS:
            for what in drugan2010.FIGURES:
                for method in drugan2010.METHODS:
                    values = [50.0 if (method, what) == ("MDL-FS", "selected") else 100.0] * 50
                    yield Cell(f"3 {short} {what}", domain, method, 0.0, each=values)
                yield Cell(f"2 {what}", domain, short, 0.0, each=[100.0] * 50)


def test_table_4_follows_once_all_domains_are_there(tmp_path):
    paper = read_paper("drugan2010")
    record = Record(tmp_path / "r.jsonl", "drugan2010", Settings())
    record.add("all", [c for c in _every_cell(paper) if c.domain != "oesoca"], 1.0)
    again = Record(tmp_path / "r.jsonl", "drugan2010", Settings()).cells()
    cells = {(c.table, c.domain, c.method): c.here for c in drugan2010.derived(paper, again)}
    assert cells["4 NB wins", "MDL", "selected, wins"] == 14
    assert cells["4 NB wins", "MDL", "selected, losses"] == 0
    assert cells["4 NB wins", "all features", "accuracy, wins"] == 0
    assert cells["4 TAN rank", "MDL-FS", "selected"] == 1
    assert cells["4 TAN rank", "CFS", "selected"] == 2
    assert cells["4 NB mean", "MDL-FS", "selected"] == 50
    assert ("4 NB wins", "MDL-FS", "selected, wins") not in cells
    published = {
        (table, row, what)
        for table, entry in paper.tables.items()
        if table.startswith("4")
        for row, figures in entry["rows"].items()
        for what in figures
    }
    assert set(cells) == published
    assert drugan2010.derived(paper, [c for c in again if c.domain != "credit"]) == []


def test_a_genetic_search_leaves_the_local_optimum_of_car(monkeypatch):
    monkeypatch.setitem(drugan2010.SPLITS, True, 1)
    every = drugan2010.experiments(read_paper("drugan2010"), Settings(quick=True))
    (one,) = [e for e in every if e.part == "genetic"]
    cells = {cell.method: cell.here for cell in one.run()}
    assert cells["TAN selected"] >= 80
    assert cells["TAN accuracy"] > 90
