"""Paper against here: verdicts, Markdown, JSON, page."""

import json

import pytest

from fewest.reproduce.curves import charts
from fewest.reproduce.difference import verdict
from fewest.reproduce.experiment import Cell, Settings
from fewest.reproduce.paper import Paper
from fewest.reproduce.record import Record
from fewest.reproduce.summary import summarize
from fewest.reproduce.write import write

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


@pytest.mark.parametrize(
    ("kind", "method", "paper", "here", "std", "expected"),
    [
        ("accuracy", "NB", (80.0, 3.0), 75.1, 4.0, "same"),
        ("accuracy", "NB", (80.0, 3.0), 74.9, 4.0, "near"),
        ("accuracy", "NB", (80.0, 3.0), 69.9, 4.0, "lower"),
        ("accuracy", "NB", (80.0, 3.0), 90.1, 4.0, "higher"),
        ("accuracy", "NB", (80.0, 0.0), 80.4, 0.0, "same"),
        ("exact", "M", (8.0, None), 8.0, None, "same"),
        ("exact", "M", (8.0, None), 7.0, None, "lower"),
        ("accuracy", "p-value", (0.01, None), 0.04, None, "same"),
        ("accuracy", "p-value", (0.01, None), 0.06, None, "higher"),
        ("accuracy", "p-value", (0.9, None), 0.2, None, "same"),
        ("accuracy", "NB", None, 80.0, 1.0, ""),
        ("accuracy", "NB", (80.0, 1.0), float("nan"), None, ""),
    ],
)
def test_verdicts(kind, method, paper, here, std, expected):
    assert verdict(kind, method, paper, here, std) == expected


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


def test_markdown(summary, tmp_path):
    text = write(summary, tmp_path)[0].read_text(encoding="utf-8")
    assert "**Of 4 figures that can be compared, 1 agree, 0 are near and 3 differ.**" in text
    assert "| A\\|B | NB | 80.00 ± 2.00 | 90.00 ± 2.00 | +10.00 | ▲ | a\\|b |" in text
    assert "| A\\|B | new method | – | 91.00 |  |  |  |" in text
    assert "| C | M | 8 | 9 | +1 | ▲ | proven |" in text
    assert "| Average | NB | 75.00 | 80.50 | +5.50 |  | over 2 domains |" in text
    assert "- C: &lt;other> rows." in text
    assert "seed 3, in 75.0 s of computing" in text
    assert "The run was cut short" in text
    assert "by `fewest reproduce toy --seed 3`" in text


def test_the_page_is_text_only_where_it_should_be(summary, tmp_path):
    html = write(summary, tmp_path)[2].read_text(encoding="utf-8")
    assert "A &lt;b&gt;toy&lt;/b&gt;" in html
    assert "D: no &lt;data&gt;." in html
    assert "<code>fewest reproduce toy --seed 3</code>" in html
    assert "<script" not in html  # there is no figure
    assert "http://" not in html
    assert "https://" not in html
    assert html.count('<tr class="off">') == 3


def test_json_reads_back(summary, tmp_path):
    assert json.loads(write(summary, tmp_path)[1].read_text(encoding="utf-8")) == summary


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


def test_what_a_text_states_is_checked_too(curved, tmp_path):
    assert [c["verdict"] for c in curved["cells"]] == ["", "", "same", "higher"]
    text = write(curved, tmp_path)[0].read_text(encoding="utf-8")
    assert "## Figure 7: Inside and outside" in text
    assert "| W | 100 rows | > 2 | 12.50 |  | = |  |" in text
    assert "| W | 800 rows | ≤ 1 | 1.50 |  | ▲ |  |" in text


def test_curves_are_a_table_and_a_figure(curved, tmp_path):
    markdown, _, html = write(curved, tmp_path)
    assert "| 100 rows | internal | 80.0 | 90.0 |" in markdown.read_text(encoding="utf-8")
    assert '<div id="fig-7-100-rows"></div>' in html.read_text(encoding="utf-8")
    (chart,) = charts(curved)
    assert [(m.role, m.dashed, m.y) for m in chart.marks] == [
        ("selection", True, [80.0, 90.0]),
        ("honest", False, [74.0, 75.0]),
    ]
