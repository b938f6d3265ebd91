"""How figures of the documents are compared and written."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_ind

from fewest._errors import InputError
from fewest.classifiers import MLCNaiveBayes, NaiveBayes
from fewest.data._generators import generate
from fewest.search._network_models import EBNA
from papers import inza2002
from papers.dash2003 import network_errors, tree_figures
from papers.drugan2010 import mean_ranks, wins_and_losses
from papers.experiment import Cell, Experiment, Settings, mean_std
from papers.inza2002 import significance
from papers.markdown import duration, facts, heading, headline, markdown, number, rows, signed
from papers.page import page, write
from papers.paper import PAPERS, read_paper
from papers.runner import Record
from papers.summary import claim_verdict, summarize, verdict
from papers.validated import LAPLACE, MLC, READINGS
from tests.reproduce.conftest import PAPER


# Errors of two classifiers on some of the features.
def test_trees_before_and_after_on_parity():
    data = generate("parity3+3")
    relevant = list(data.relevant)
    errors, nodes = tree_figures(data, [relevant], 0)
    assert len(errors) == len(nodes) == 10
    assert max(nodes) <= 15  # a full tree of three bits
    assert len(network_errors(data, relevant, 6, 0)) == 5


# Verdicts: from the standard deviations, by hand.
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


@pytest.mark.parametrize(
    ("claim", "here", "expected"),
    [
        ((2, None), 2.1, "same"),
        ((2, None), 2.0, "lower"),
        ((None, 1), 1.0, "same"),
        ((None, 1), 1.1, "higher"),
        ((1, 2), 0.5, "lower"),
    ],
)
def test_claims_of_a_text(claim, here, expected):
    assert claim_verdict(claim, here) == expected


# Cells, keys and means.
def test_means_and_deviations():
    assert mean_std([1.0, 2.0, 6.0], 10) == pytest.approx((30.0, 10 * 7**0.5))
    assert mean_std([3.0]) == (3.0, None)


def test_the_key_tells_part_domain_and_method():
    assert Experiment("id3", "Chess", "FSS", list).key == "id3 / Chess / FSS"


# A reproduction as Markdown: escaped cells, averages, claims, curves.
def test_the_tables_and_what_stands_around_them(summary):
    text = markdown(summary)
    assert "**Of 4 figures that can be compared, 1 agree, 0 are near and 3 differ.**" in text
    assert "|  | NB | p-value | new method |\n|---|---:|---:|---:|\n" in text
    assert "| A\\|B | 80.00 ± 2.00 → 90.00 ± 2.00 ▲ | 0.01 → 0.50 ▲ | 91.00 |" in text
    assert "1 of 3 agree, 0 are near, 2 differ." in text
    assert "| Average | 75.00 → 80.50 |  |  |" in text
    assert "|  | C |\n|---|---:|\n| all | 22 → 22 |\n| M | 8 → 9 ▲ |" in text
    assert "- See the data that differ. (C, M)" in text
    assert "- No reason was found. (A\\|B, NB; A\\|B, p-value)" in text
    assert "- C: &lt;other> rows." in text
    assert "seed 3, in 75.0 s of computing" in text
    assert "The run was cut short" in text
    assert text.endswith("by `python -m papers toy --seed 3`.\n")


def test_what_a_text_states_and_what_develops(curved):
    text = markdown(curved)
    assert "## Figure 7: Inside and outside" in text
    assert "| 100 rows | > 2 → 12.50 = |" in text
    assert "| 800 rows | ≤ 1 → 1.50 ▲ |" in text
    assert "| 100 rows | internal | 80.0 | 90.0 |" in text


def test_two_readings_stand_below_each_other(beside):
    text = markdown(beside)
    assert "| C | 70.00 ± 2.00 → 71.00 ± 1.00 = |\n| C, our defaults | 90.00 ± 1.00 ▲ |" in text
    assert "| D | 60.00 ± 0.10 → – |\n| D, our defaults | 60.00 ± 1.00 = |" in text
    assert "Our defaults: Of 2 figures that can be compared, 1 agree" in text
    assert "## Not reproduced\n\n- Figure 9: it is a drawing.\n\n## How it was made" in text


def test_one_method_of_two_readings_has_two_columns(tmp_path):
    record = Record(tmp_path / "toy.jsonl", "toy", Settings())
    cells = [Cell("1", "C", method, 71.0) for method in ("NB", "SFS")]
    record.add("both", [*cells, Cell("1", "C", "NB", 90.0, 1.0, reading="defaults")], 1.0)
    text = markdown(summarize(PAPER, record, []))
    assert "| NB, our defaults | 90.00 ± 1.00 ▲ |" in text
    assert "C, our defaults" not in text


def test_arcs_are_one_sentence(summary):
    arcs = [{"table": "f", "method": "A → B", "here": 35.4, "verdict": ""}]
    table = {**summary["tables"][0], "number": "f", "kind": "network"}
    text = markdown({**summary, "tables": [table], "cells": arcs})
    assert "\n\nA → B (35 %).\n\n" in text


# Marks of significance: against a method, the highest or the lowest mean.
def _cell(method, each, domain="D", reading=""):
    return Cell("6.2", domain, method, float(np.mean(each)), each=each, reading=reading)


HIGH = [0.95, 0.96, 0.94, 0.95, 0.96, 0.95, 0.94, 0.95, 0.96, 0.95]
LOW = [0.70, 0.71, 0.70, 0.72, 0.71, 0.70, 0.70, 0.71, 0.71, 0.70]
ROUGH = [0.95, 0.70, 0.99, 0.91, 0.94, 0.93, 0.99, 0.90, 0.97, 0.92]


def test_a_clear_difference_is_marked_and_the_reference_is_not_listed():
    cells = [_cell("EBNA", HIGH), _cell("none", LOW), _cell("SFS", ROUGH)]
    found = significance(cells, "6.2", "EBNA")
    assert [(c.table, c.method, c.here) for c in found] == [
        ("6.2 marks", "none", 2.0),
        ("6.2 marks", "SFS", 0.0),
    ]
    assert found[0].note == "p = 0.00"


def test_the_best_of_a_domain_has_no_mark():
    cells = [_cell("EBNA", HIGH), _cell("none", LOW)]
    assert [c.here for c in significance(cells, "6.2", "highest")] == [0.0, 2.0]
    assert [c.here for c in significance(cells, "6.2", "lowest", into="m")] == [2.0, 0.0]


def test_other_tables_readings_and_single_values_are_left_out():
    cells = [
        _cell("EBNA", HIGH),
        _cell("none", LOW, reading="defaults"),
        Cell("6.2", "D", "x", 0.9),
    ]
    assert significance(cells, "6.2", "EBNA") == []
    assert significance([_cell("none", LOW)], "6.2", "EBNA") == []
    assert significance([_cell("none", LOW)], "6.4", "highest") == []


def test_independent_runs_are_compared_by_welch():
    a, b = [3.0, 4.0, 5.0, 4.0], [4.0, 6.0, 5.0, 5.5]
    found = significance([_cell("one", a), _cell("two", b)], "6.2", "lowest", independent=True)
    p = ttest_ind(a, b, equal_var=False).pvalue
    assert found[1].note == f"p = {p:.2f}"
    assert found[1].here == pytest.approx(2.0 if p < 0.05 else 1.0 if p < 0.1 else 0.0)


# A reproduction as a page: what comes from outside is text, and nothing is fetched.
def test_the_page_is_text_only_where_it_should_be(summary):
    html = page(summary)
    assert "A &lt;b&gt;toy&lt;/b&gt;" in html
    assert "D: no &lt;data&gt;." in html
    assert "<code>python -m papers toy --seed 3</code>" in html
    assert "<script" not in html  # there is no figure
    assert "http://" not in html
    assert "https://" not in html
    assert html.count('<tr class="off">') == 3


def test_a_figure_has_a_place_and_its_data(curved):
    html = page(curved)
    assert '<div id="fig-7-100-rows"></div>' in html
    assert '<script id="data" type="application/json">' in html


def test_a_table_of_two_readings_and_what_is_missing(beside):
    html = page(beside)
    assert '<table class="wide">' in html
    assert "<td>70.00 ± 2.00</td><td>71.00 ± 1.00</td><td>+1.00</td><td>=</td>" in html
    assert "<h2>Not reproduced</h2>" in html


# The published figures: papers and domains by name.
def test_domains_by_either_name_and_unknown_ones():
    paper = read_paper("inza2000")
    assert paper.chosen(["chess-kr-vs-kp", "IMAGE"]) == ["Image", "Chess"]
    with pytest.raises(InputError, match="`--domain` must be one of Ionosphere, .* 'moon'"):
        paper.chosen(["moon"])


def test_unknown_papers():
    with pytest.raises(InputError, match="`paper` must be one of inza2000, .* but is 'x'"):
        read_paper("x")


def test_figures_and_claims():
    paper = read_paper("inza2000")
    assert paper.figure("3", "Chess", "NB & FSS-EBNA") == (94.23, 0.35)
    assert paper.figure("3", "Chess", "nobody") is None
    assert paper.claim("3", "Chess", "NB & FSS-EBNA") == (None, None)


@pytest.mark.parametrize("name", PAPERS)
def test_every_figure_has_a_domain_with_data_or_a_reason(name):
    paper = read_paper(name)
    for table in paper.tables.values():
        for domain, row in table["rows"].items():
            if not table.get("derived"):
                assert {"data", "generate", "network", "absent"} & set(paper.domains[domain])
            assert all(len(figure) == 2 for figure in row.values())


# Generations until a search is as good as the subset that made the data.
def test_generations_until_the_generating_subset_is_matched(monkeypatch):
    monkeypatch.setitem(inza2002.DRAWS, True, 1)
    search = EBNA(population=20)
    settings = Settings(quick=True)
    args = ("6.5", "Redundant-order-7", "FSS-EBNA", "redundant-order-7", search, settings)
    at_once, never = inza2002.generations_needed(*args, 40), inza2002.generations_needed(*args, 0)
    assert 0 < at_once.here < 40
    assert at_once.note == ""
    assert never.here == 0
    assert never.note == "1 of 1 had not reached it after 0 generations"


# The two readings of the papers' naive Bayes.
def test_the_compared_reading_is_the_program_of_the_papers_on_its_own_halves():
    assert (MLC.model, LAPLACE.model) == (MLCNaiveBayes, NaiveBayes)
    splits = list(MLC.scheme(Settings(seed=4)).split(np.zeros(21)))
    assert [len(test) for _, test in splits] == [11, 10] * 5
    again = list(MLC.scheme(Settings(seed=4)).split(np.zeros(21)))
    assert all((a == b).all() for (a, _), (b, _) in zip(splits, again, strict=True))


def test_only_the_defaults_test_an_improvement():
    assert (MLC.level, LAPLACE.level) == (1.0, 0.1)


def test_the_defaults_stand_beside_it():
    assert LAPLACE.scheme(Settings()) == "5x2cv"
    assert [reading.of("FSS-EBNA") for reading in READINGS] == ["FSS-EBNA", "FSS-EBNA, defaults"]


# The file of finished experiments: continued, torn, refused.
@pytest.fixture
def path(tmp_path):
    return tmp_path / "out" / "inza2000.jsonl"


def record(path, **settings):
    return Record(path, "inza2000", Settings(**settings))


def test_cells_read_back(path):
    cells = [
        Cell("3", "Image", "NB", 90.0, 1.0, "as expected", [1.0, 2.0], []),
        Cell("3", "Image", "ID3", 80.0, each=[79.0, 81.0]),
    ]
    record(path).add("naive-bayes / Image", cells, 2.5, ["few rows"])
    again = record(path)
    assert again.cells() == cells
    assert again.seconds == 2.5
    assert again.warnings == ["naive-bayes / Image: few rows"]


def test_another_seed_needs_another_folder(path):
    record(path)
    with pytest.raises(InputError, match="is from a run with seed 0, but here it is 1"):
        record(path, seed=1)


def test_a_file_of_something_else_is_refused(path):
    path.parent.mkdir()
    path.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="not a record of `python -m papers`"):
        record(path)


def test_a_damaged_line_is_told(path):
    kept = record(path)
    kept.add("one", [], 1.0)
    kept.add("two", [], 1.0)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + "{\n" + lines[2])
    with pytest.raises(InputError, match="is damaged: .* delete the file to start anew"):
        record(path)


# The plain data of a reproduction: order, verdicts, averages.
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
    everywhere = replace(PAPER, why={"*": {"A|B": "Rows.", "*, NB": "Of the method."}})
    notes = [cell["note"] for cell in summarize(everywhere, record, [])["cells"]]
    assert notes == ["n. Of the method.", "Rows.", "Of the method.", ""]


def test_a_printed_average_is_kept(tmp_path):
    record = Record(tmp_path / "toy.jsonl", "toy", Settings())
    record.add("a", [Cell("1", "C", "NB", 71.0), Cell("1", "D", "NB", 61.0)], 1.0)
    tables = {"1": {**PAPER.tables["1"], "averages": {"NB": 66.6}}}
    (mean,) = summarize(replace(PAPER, tables=tables), record, [])["tables"][0]["averages"]
    assert (mean["paper"], mean["here"], mean["printed"]) == (65.0, 66.0, 66.6)


# Methods against each other over many domains, by hand.
def test_a_loss_is_where_the_other_is_better_in_the_direction_of_the_figure():
    mine = {"a": np.zeros((50, 2)), "b": np.zeros((50, 2))}
    to_and_fro = np.where(np.arange(50) % 2 == 0, 1.0, -1.0)[:, None] * np.ones(2)
    theirs = {"a": np.ones((50, 2)), "b": to_and_fro}
    counts = wins_and_losses(mine, theirs, np.array([1.0, -1.0]))
    assert counts.tolist() == [[0, 1], [1, 0]]
    assert mean_ranks([mine, theirs], np.array([1.0, -1.0])).tolist() == [[1.5, 1.0], [1.0, 1.5]]


# Sentences and numbers as a reader sees them.
def test_the_headline_counts():
    counts = {"same": 5, "near": 2, "higher": 1, "lower": 3}
    assert headline({"verdicts": counts}) == (
        "Of 11 figures that can be compared, 5 agree, 2 are near and 4 differ."
    )
    assert headline({"verdicts": {}}).startswith("Nothing has been run yet")


def test_facts_name_the_command(summary):
    made, readings = facts(summary)
    assert "`python -m papers toy --seed 3`" in made[1]
    assert "cut short" in readings[-1]
    made, readings = facts({**summary, "quick": True, "partial": False})
    assert "quick settings" in made[0]
    assert "toy --quick --seed 3" in made[1]
    assert readings == ["2 figures that differ have no sentence yet."]


@pytest.mark.parametrize(
    ("mean", "std", "kind", "expected"),
    [
        (None, None, "accuracy", "–"),
        (92.4, 2.04, "accuracy", "92.40 ± 2.04"),
        (92.4, None, "accuracy", "92.40"),
        (301.0, None, "count", "301"),
        (0.00123, 0.1, "seconds", "0.00123"),
    ],
)
def test_numbers(mean, std, kind, expected):
    assert number(mean, std, kind) == expected


def test_signs_times_and_headings():
    assert [signed(d, k) for d, k in ((1.0, "exact"), (-0.125, "error"), (None, "error"))] == [
        "+1",
        "-0.12",
        "",
    ]
    assert [duration(s) for s in (119.9, 120, 7200)] == ["119.9 s", "2.0 min", "2.0 h"]
    numbers = ("3", "fig. 7", "text")
    assert [heading({"number": n, "title": "T"}) for n in numbers] == [
        "Table 3: T",
        "Figure 7: T",
        "From the text: T",
    ]


def test_rows_end_with_the_averages(summary):
    lines = rows(summary, summary["tables"][0])
    assert lines[0] == ["A|B", "NB", "80.00 ± 2.00", "90.00 ± 2.00", "+10.00", "▲", "a|b"]
    assert lines[-1] == ["Average", "NB", "75.00", "80.50", "+5.50", "", "over 2 domains"]


# Three files side by side.
def test_the_files_are_the_renderings(summary, tmp_path):
    paths = write(summary, tmp_path / "new")
    assert [path.name for path in paths] == ["toy.md", "toy.json", "toy.html"]
    text, data, html = (path.read_text(encoding="utf-8") for path in paths)
    assert text == markdown(summary)
    assert json.loads(data) == summary
    assert html == page(summary)
