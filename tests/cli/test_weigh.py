"""fewest weigh from the command line."""

from __future__ import annotations

import json
import signal

import pytest

from tests.cli.calls import started, wait_for_lines, within, without_times, write_iris


def test_weighs_writes_and_tells(tmp_path):
    iris = write_iris(tmp_path / "iris.csv")
    command = [
        "weigh", iris, "--values", "continuous", "--set", "population=30", "-s", "egna",
        "--max-generations", 2, "--json", tmp_path / "r.json", "--report", tmp_path / "r.html",
    ]  # fmt: skip
    done = within(*command)
    assert done.exit_code == 0, done.output
    assert "Equal weights" in done.output
    plain = json.loads((tmp_path / "r.json").read_text())
    assert len(plain["extra"]["weights"]) == 4
    assert plain["honest"]["score"] > 0.8
    page = (tmp_path / "r.html").read_text()
    assert "How much each feature counts" in page
    assert "NearestNeighbor(k=1, weights=None" in page


def test_goes_on_from_its_journal(tmp_path):
    iris = write_iris(tmp_path / "iris.csv")
    command = [
        "weigh", iris, "--values", "0,0.2,1", "-k", 3, "-s", "ebna", "--set", "population=30",
        "--max-generations", 2, "--no-validate", "--journal", tmp_path / "run.jsonl",
    ]  # fmt: skip
    assert within(*command).exit_code == 0
    lines = (tmp_path / "run.jsonl").read_bytes().count(b"\n")
    assert within(*command, "--json", tmp_path / "r.json").exit_code == 0
    assert (tmp_path / "run.jsonl").read_bytes().count(b"\n") == lines
    assert set(json.loads((tmp_path / "r.json").read_text())["extra"]["weights"]) <= {0, 0.2, 1}


def test_wrong_values_are_a_sentence(tmp_path):
    iris = write_iris(tmp_path / "iris.csv")
    done = within("weigh", iris, "--values", "some")
    assert done.exit_code == 1
    assert "`values` must be" in str(done.exception)


NEVER_ENDS = ["--values", "continuous", "-s", "random", "--set", "draws=1000000000"]
LONG = ["--values", "continuous", "-s", "egna", "--set", "population=30", "--max-generations", 30]


@pytest.mark.unix
def test_an_interrupt_keeps_the_weights_and_exits_with_130(tmp_path):
    iris, journal = write_iris(tmp_path / "iris.csv"), tmp_path / "run.jsonl"
    path = tmp_path / "part.json"
    process = started(
        "weigh", iris, *NEVER_ENDS, "--max-generations", 10**9, "--journal", journal, "--json", path
    )
    wait_for_lines(process, journal)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    plain = json.loads(path.read_text())
    assert plain["partial"]
    assert plain["settings"]["command"]["verb"] == "weigh"


@pytest.mark.unix
def test_killed_and_resumed_it_ends_with_the_same_weights(tmp_path):
    iris, journal = write_iris(tmp_path / "iris.csv"), tmp_path / "run.jsonl"
    given = ["weigh", iris, *LONG, "--seed", 3, "--no-validate"]
    assert within(*given, "--json", tmp_path / "whole.json").exit_code == 0
    process = started(*given, "--journal", journal)
    wait_for_lines(process, journal)
    process.kill()
    process.communicate()
    done = within("resume", journal, "--json", tmp_path / "part.json")
    assert done.exit_code == 0, done.output
    assert without_times(tmp_path / "part.json") == without_times(tmp_path / "whole.json")
