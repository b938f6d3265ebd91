"""The overview of the reproduction says what its pages say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from papers import manual
from papers.experiment import Cell, Settings
from papers.paper import read_paper
from papers.runner import Record
from papers.summary import summarize

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted((DOCS / "reproduction").glob("*.md"))
HEADLINE = re.compile(r"Of (\d+) figures .*?, (\d+) agree, (\d+) are near and (\d+) differ")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_overview_has_the_figures_of_the_page(page):
    headline = HEADLINE.search(page.read_text())
    row = next(
        line
        for line in (DOCS / "reproduction.md").read_text().splitlines()
        if line.startswith(f"| [{page.stem}]")
    )
    assert [cell.strip() for cell in row.split("|")[2:6]] == list(headline.groups())


@pytest.fixture
def copied(tmp_path, monkeypatch):
    (tmp_path / "reproduction").mkdir()
    for page in (DOCS / "reproduction.md", *PAGES):
        copy = tmp_path / page.relative_to(DOCS)
        copy.write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(manual, "DOCS", tmp_path)
    return tmp_path


def test_the_sums_of_the_overview_are_those_of_its_lines(copied):
    manual.overview({})
    assert (copied / "reproduction.md").read_text() == (DOCS / "reproduction.md").read_text()


def test_a_page_keeps_what_was_written_by_hand(copied, tmp_path):
    paper = read_paper("inza2002")
    record = Record(tmp_path / "r.jsonl", "inza2002", Settings())
    record.add("a", [Cell("7.2", "Glass", "no-FW", 70.0, 1.0)], 1.0)
    page = copied / "reproduction" / "inza2002-joint.md"
    own = manual.BY_HAND.search(page.read_text())[0]
    manual.write_page("inza2002-joint", "some title", summarize(paper, record, []))
    text = page.read_text()
    assert text.startswith("# some title: paper against here")
    assert f"{own}## Table 7.2" in text


def test_pages_with_experiments_that_are_missing_stay_as_they_are(copied, tmp_path, capsys):
    Record(tmp_path / "drugan2010.jsonl", "drugan2010", Settings())
    assert list(manual.summaries(tmp_path)) == []
    assert capsys.readouterr().out.startswith("drugan2010 is left as it is. oesoca: ")
