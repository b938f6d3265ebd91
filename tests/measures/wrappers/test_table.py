"""The table of models, metrics and storages in the manual is what the registry says."""

from __future__ import annotations

from fewest.measures._wrappers.paths import RULES
from tests.docs.speed import CLASSES, NUMBERS, PAGE, models, page, tables


def test_the_page_shows_what_the_registry_says():
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, "run python -m tests.docs.speed and review the difference"


def test_every_model_and_every_cell_is_there():
    rows = [line.split(" | ") for table in tables().values() for line in table.splitlines()[2:]]
    assert sorted(row[0].removeprefix("| ") for row in rows) == sorted(models())
    assert len(rows) == len(RULES)
    assert {len(row) for row in rows} <= {len(CLASSES) + 2, len(NUMBERS) + 2}
    words = ("fast", "trained", "no")
    assert all(cell.startswith(words) for row in rows for cell in row[1:-1])
