"""fewest weigh from the command line."""

from __future__ import annotations

import json

from .calls import within, write_iris


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
    assert plain["honest"]["accuracy"] > 0.8
    page = (tmp_path / "r.html").read_text()
    assert "How much each feature counts" in page
    assert "NearestNeighbor(k=1, weights=None)" in page


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
