"""``fewest network`` as a person types it."""

import json
import re
import signal
import time

import pytest

from fewest.networks._bif import read_bif
from tests.cli.calls import started, within, without_times
from tests.cli.test_select import wait_for_lines


def test_a_table_drawn_from_a_network_gives_it_back(tmp_path):
    table = tmp_path / "asia.csv"
    assert within("data", "make", "asia", "--rows", 3000, "-o", table).exit_code == 0
    bif, result = tmp_path / "asia.bif", tmp_path / "result.json"
    report = tmp_path / "page.html"
    done = within("network", table, "--bif", bif, "--json", result, "--report", report)
    assert done.exit_code == 0, done.output
    assert "8 variables, 3000 rows" in done.output
    assert "proven: no network scores more" in done.output
    assert ("smoke", "lung") in read_bif(bif).arcs or ("lung", "smoke") in read_bif(bif).arcs
    assert "Arcs by influence" in report.read_text()
    told = json.loads(result.read_text())
    assert told["optimal"] is True
    assert len(told["extra"]["ordering"]) == 8


def test_the_inferential_loss_can_be_the_score(tmp_path):
    table = tmp_path / "cancer.csv"
    within("data", "make", "cancer", "--rows", 200, "-o", table)
    done = within("network", table, "--score", "inferential-loss", "--evidence", "Smoker,Xray",
               "--queries", 20, "--set", "population=4", "-s", "ga-order")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "inferential loss 0." in done.output
    assert "Fit of the answers by number of rows: 0." in done.output


def test_searches_and_scores_can_be_chosen(tmp_path):
    table = tmp_path / "cancer.csv"
    within("data", "make", "cancer", "--rows", 500, "-o", table)
    journal = tmp_path / "run.jsonl"
    done = within("network", table, "-s", "ga-order", "--set", "population=10", "--score", "k2",
               "--journal", journal, "--max-parents", 2)  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "Search ga-order" in done.output
    assert "not proven: the search gives no bound" in done.output
    assert journal.stat().st_size > 0


def test_the_last_column_is_a_variable_as_the_others(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("a,b\n" + "x,u\ny,\ny,v\n" * 20)
    done = within("network", path)
    assert done.exit_code == 0, done.output
    assert "2 variables, 60 rows: 1 arcs" in done.output


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--evidence", "asia"], "`--evidence` goes with --score inferential-loss"),
        (["--queries", 5], "`--queries` goes with --score inferential-loss"),
        (["--inference", "ais-bn"], "`--inference` goes with --score inferential-loss"),
        (["--set", "patience=5"], "`--set` goes with a search that is named"),
        (["--score", "bci"], "`score` must be one of .* is 'bci'. Did you mean bic"),
    ],
)
def test_options_that_would_be_ignored_are_refused(table, given, sentence):
    done = within("network", table, *given)
    assert done.exit_code != 0
    assert re.search(sentence, str(done.exception))


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "asia.csv"
    assert within("data", "make", "asia", "--rows", 500, "-o", path).exit_code == 0
    return path


def torn(journal, kept):
    """The journal as a killed run leaves it: some whole lines and a part of the next."""
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:kept]) + lines[kept][:15])


@pytest.mark.parametrize(
    "search",
    [
        ["tabu", "--set", "patience=20"],
        ["annealing", "--set", "steps=2000"],
        ["genetic", "--set", "generations=6"],
        ["hill-climbing"],
        ["exact"],
        ["ga-order", "--set", "population=10"],
        ["plackett-luce", "--set", "population=10"],
    ],
    ids=lambda search: search[0],
)
def test_a_killed_run_is_resumed_by_its_journal(table, tmp_path, search):
    whole, journal, again = (tmp_path / n for n in ("whole.json", "run.jsonl", "again.json"))
    given = ["network", table, "-s", *search, "--score", "bdeu", "--seed", 4, "--max-parents", 3]
    assert within(*given, "--json", whole).exit_code == 0
    assert within(*given, "--journal", journal, "--bif", tmp_path / "a.bif").exit_code == 0
    torn(journal, 2)
    done = within("resume", journal, "--json", again, "--bif", tmp_path / "b.bif")
    assert done.exit_code == 0, done.output
    assert without_times(again) == without_times(whole)
    assert (tmp_path / "a.bif").read_text() == (tmp_path / "b.bif").read_text()


def test_the_journal_decides_nothing_that_is_written(table, tmp_path):
    journal, bif = tmp_path / "run.jsonl", tmp_path / "old.bif"
    assert within("network", table, "-s", "tabu", "--journal", journal, "--bif", bif).exit_code == 0
    bif.write_text("mine")
    done = within("resume", journal)
    assert done.exit_code == 0, done.output
    assert bif.read_text() == "mine"
    assert f"--bif {bif}" in done.output


def test_other_data_are_refused(table, tmp_path):
    journal, other = tmp_path / "run.jsonl", tmp_path / "cancer.csv"
    within("network", table, "-s", "tabu", "--journal", journal)
    within("data", "make", "cancer", "--rows", 50, "-o", other)
    done = within("resume", journal, "--data", other)
    assert "does not hold the data of this journal" in str(done.exception)


def test_a_proof_may_get_another_time_limit(table, tmp_path):
    journal = tmp_path / "run.jsonl"
    given = ["network", table, "-s", "exact", "--max-time", "5s", "--journal", journal]
    assert within(*given).exit_code == 0
    done = within("resume", journal, "--max-time", "50s")
    assert done.exit_code == 0, done.output
    assert "proven" in done.output


@pytest.mark.parametrize(
    ("search", "sentences"),
    [
        ("tabu", ["graphs scored in", "arcs\n", " -> "]),
        ("genetic", ["graphs scored in", "arcs in the population, generations 0 to"]),
        ("ga-order", ["orderings scored in", "asia", "dysp"]),
    ],
)
def test_the_journal_of_a_network_can_be_watched(table, tmp_path, search, sentences):
    journal = tmp_path / "run.jsonl"
    within("network", table, "-s", search, "--max-time", "1s", "--journal", journal)
    shown = within("watch", journal, "--once")
    assert shown.exit_code == 0, shown.output
    assert all(sentence in shown.output for sentence in sentences), shown.output


@pytest.mark.unix
@pytest.mark.parametrize(("name", "times"), [("SIGINT", 1), ("SIGTERM", 1), ("SIGTERM", 2)])
def test_an_interrupt_writes_a_partial_result_and_exits_with_130(table, tmp_path, name, times):
    path, journal = tmp_path / "part.json", tmp_path / "run.jsonl"
    given = ["network", table, "-s", "annealing", "--set", "steps=1000000000"]
    process = started(
        *given, "--report", tmp_path / "page.html", "--json", path, "--journal", journal
    )
    wait_for_lines(process, journal)
    for _ in range(times):
        process.send_signal(getattr(signal, name))
        time.sleep(0.02)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "Internal error" not in err
    assert "there is no report" in err
    plain = json.loads(path.read_text())
    assert plain["partial"]
    assert plain["stop_kind"] == "interrupt"
