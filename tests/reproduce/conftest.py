"""A paper that nobody wrote, and a run of its experiments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from papers.experiment import Cell, Settings
from papers.paper import Paper
from papers.runner import Record
from papers.summary import summarize

PAPER = Paper(
    name="toy",
    title="A <b>toy</b>",
    source="Nobody (2000)",
    tables={
        "1": {
            "title": "Accuracy",
            "kind": "accuracy",
            "rows": {
                "A|B": {"NB": [80.0, 2.0], "p-value": [0.01, None]},
                "C": {"NB": [70.0, 2.0]},
                "D": {"NB": [60.0, 0.1]},
            },
        },
        "2": {
            "title": "Size",
            "kind": "exact",
            "given": ["all"],
            "rows": {"C": {"all": [22, None], "M": [8, None]}},
        },
    },
    domains={
        "A|B": {"generate": "led24"},
        "C": {"generate": "xor", "differs": "C: <other> rows."},
        "D": {"generate": "xor", "differs": "D: not run here."},
    },
)


@pytest.fixture
def summary(tmp_path):
    record = Record(tmp_path / "toy.jsonl", "toy", Settings(seed=3))
    sizes = [Cell("2", "C", "all", 22.0), Cell("2", "C", "M", 9.0, None, "proven")]
    record.add("second", sizes, 30.0)
    record.add(
        "first",
        [
            Cell("1", "C", "NB", 71.0, 2.0),
            Cell("1", "A|B", "NB", 90.0, 2.0, "a|b"),
            Cell("1", "A|B", "p-value", 0.5),
            Cell("1", "A|B", "new method", 91.0),
        ],
        45.0,
    )
    return summarize(PAPER, record, ["D: no <data>."], partial=True)


@pytest.fixture
def beside(tmp_path):
    """Two readings of one figure, of which one other figure has only the second."""
    record = Record(tmp_path / "toy.jsonl", "toy", Settings())
    record.add("defaults", [Cell("1", "C", "NB", 90.0, 1.0, reading="defaults")], 1.0)
    record.add("own", [Cell("1", "C", "NB", 71.0, 1.0, "near")], 1.0)
    record.add("alone", [Cell("1", "D", "NB", 60.0, 1.0, reading="defaults")], 1.0)
    paper = replace(PAPER, reading="Two readings.", missing=("Figure 9: it is a drawing.",))
    return summarize(paper, record, [])


CURVED = Paper(
    name="toy",
    title="Curves",
    source="Nobody (2000)",
    tables={
        "fig. 7": {"title": "Inside and outside", "kind": "accuracy", "rows": {}},
        "text": {
            "title": "Apart",
            "kind": "ratio",
            "claims": {"W": {"100 rows": [2, None], "800 rows": [None, 1]}},
            "rows": {},
        },
    },
    domains={"W": {"generate": "xor"}},
)


@pytest.fixture
def curved(tmp_path):
    def record():
        return Record(tmp_path / "toy.jsonl", "toy", Settings())

    cells = [
        Cell("fig. 7", "W", "100 rows, internal", 90.0, 1.0, "", [80.0, 90.0]),
        Cell("fig. 7", "W", "100 rows, external", 75.0, 1.0, "", [74.0, 75.0]),
        Cell("text", "W", "100 rows", 12.5),
        Cell("text", "W", "800 rows", 1.5),
    ]
    record().add("one", cells, 1.0)
    return summarize(CURVED, record(), [])  # read back from the file
