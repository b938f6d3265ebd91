"""``fewest network`` as a person types it."""

import json

from typer.testing import CliRunner

from fewest.cli.main import app
from fewest.models.networks.bif import read_bif


def run(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


def test_a_table_drawn_from_a_network_gives_it_back(tmp_path):
    table = tmp_path / "asia.csv"
    assert run("data", "make", "asia", "--rows", 3000, "-o", table).exit_code == 0
    bif, result = tmp_path / "asia.bif", tmp_path / "result.json"
    report = tmp_path / "page.html"
    done = run("network", table, "--bif", bif, "--json", result, "--report", report)
    assert done.exit_code == 0, done.output
    assert "8 variables, 3000 rows" in done.output
    assert "proven: no network scores more" in done.output
    assert ("smoke", "lung") in read_bif(bif).arcs or ("lung", "smoke") in read_bif(bif).arcs
    assert "Arcs by influence" in report.read_text()
    told = json.loads(result.read_text())
    assert told["optimal"] is True
    assert len(told["extra"]["ordering"]) == 8


def test_searches_and_scores_can_be_chosen(tmp_path):
    table = tmp_path / "cancer.csv"
    run("data", "make", "cancer", "--rows", 500, "-o", table)
    journal = tmp_path / "run.jsonl"
    done = run("network", table, "-s", "ga-order", "--set", "population=10", "--score", "k2",
               "--journal", journal, "--max-parents", 2)  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "Search ga-order" in done.output
    assert "not proven: the search gives no bound" in done.output
    assert journal.stat().st_size > 0
