"""The overview of the reproduction says what its pages say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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
