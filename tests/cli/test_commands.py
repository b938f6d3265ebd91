"""The command line as a person uses it: what it prints, writes, and how it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from typer.testing import CliRunner

from fewest.cli.main import app
from tests.signals import hear_interrupts

from ..keys import RESULT_KEYS


def fewest(*arguments, **options):
    command = [sys.executable, "-m", "fewest", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def within(*arguments):
    """The same inside this process: no start-up for every case."""
    return CliRunner().invoke(app, [str(a) for a in arguments])


@pytest.fixture(scope="module")
def iris(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "iris.csv"
    frame = load_iris(as_frame=True)
    X = frame.data.rename(columns=lambda c: c.removesuffix(" (cm)"))
    X.assign(kind=frame.target_names[frame.target]).to_csv(path, index=False)
    return path


def test_select_prints_the_answer_and_writes_it(iris, tmp_path):
    out = fewest("select", iris, "--search", "sfs", "--seed", 1, "--json", tmp_path / "r.json")
    assert out.returncode == 0, out.stderr
    for words in (
        "150 rows",
        "Chosen:",
        "Selection score",
        "Honest accuracy",
        "All features",
        "F test",
        "Stopped",
    ):
        assert words in out.stdout
    result = json.loads((tmp_path / "r.json").read_text())
    assert set(result) >= RESULT_KEYS
    assert result["features"][0] in out.stdout
    assert 0.9 < result["honest"]["accuracy"] <= 1


def test_constraints_and_options_reach_the_selector(iris, tmp_path):
    done = within(
        "select",
        iris,
        "-s",
        "ebna",
        "--set",
        "population=12",
        "--include",
        "sepal width",
        "--exclude",
        "petal width",
        "--max-features",
        2,
        "--no-validate",
        "--json",
        tmp_path / "r.json",
        "--max-generations",
        3,
    )
    assert done.exit_code == 0, done.output
    features = json.loads((tmp_path / "r.json").read_text())["features"]
    assert "sepal width" in features
    assert "petal width" not in features
    assert len(features) <= 2


def test_the_same_seed_gives_the_same_file(iris, tmp_path):
    files = []
    for name, jobs in (("a", 1), ("b", 2)):
        path = tmp_path / f"{name}.json"
        within(
            "select",
            iris,
            "-s",
            "ebna",
            "--set",
            "population=10",
            "--seed",
            4,
            "--json",
            path,
            "--jobs",
            jobs,
            "--no-validate",
        )
        files.append(without_times(path))
    assert files[0] == files[1]


def without_times(path):
    plain = json.loads(Path(path).read_text())
    plain.pop("seconds")
    for entry in plain["history"]:
        for key in ("seconds", "scoring_seconds", "search_seconds"):
            entry.pop(key)
    plain["settings"].pop("command")
    return plain


SLOW = [
    "--measure",
    "nearest-neighbor",
    "--search",
    "ebna",
    "--set",
    "population=40",
    "--max-generations",
    "3",
    "--seed",
    "2",
    "--no-validate",
]


@pytest.mark.unix
def test_killed_and_resumed_it_ends_with_the_same_file(iris, tmp_path):
    whole, journal = tmp_path / "whole.json", tmp_path / "run.jsonl"
    assert fewest("select", iris, *SLOW, "--json", whole).returncode == 0
    part = tmp_path / "part.json"
    command = ["select", iris, *SLOW, "--journal", journal, "--json", part]
    process = subprocess.Popen([sys.executable, "-m", "fewest", *map(str, command)])
    while not journal.exists() or journal.read_bytes().count(b"\n") < 4:
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    out = fewest("resume", journal)
    assert out.returncode == 0, out.stderr
    assert without_times(part) == without_times(whole)


@pytest.mark.unix
def test_an_interrupt_writes_a_partial_result_and_exits_with_130(iris, tmp_path):
    path, journal = tmp_path / "part.json", tmp_path / "run.jsonl"
    command = [
        "select",
        iris,
        "--measure",
        "nearest-neighbor",
        "--search",
        "random",
        "--json",
        path,
        "--journal",
        journal,
        "--set",
        "draws=1000000000",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "fewest", *map(str, command)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    )
    while not journal.exists() or journal.read_bytes().count(b"\n") < 3:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    plain = json.loads(path.read_text())
    assert plain["partial"]
    assert plain["stopped"] == "interrupted"


def test_a_time_budget_ends_in_time(iris, tmp_path):
    done = within(
        "select",
        iris,
        "-m",
        "nearest-neighbor",
        "-s",
        "random",
        "--set",
        "draws=1000000",
        "--max-time",
        "2s",
        "--json",
        tmp_path / "r.json",
    )
    assert done.exit_code == 0, done.output
    assert json.loads((tmp_path / "r.json").read_text())["partial"]


def test_score_and_compare(iris, tmp_path):
    done = within("score", iris, "--features", "petal width,petal length", "--cv", "5")
    assert done.exit_code == 0, done.output
    assert "all features" in done.output
    path = tmp_path / "c.json"
    done = within("compare", iris, "--search", "sfs,sbe", "--json", path)
    assert done.exit_code == 0, done.output
    assert "sfs against sbe: p = " in done.output
    assert [row["method"] for row in json.loads(path.read_text())["table"]] == [
        "sfs",
        "sbe",
        "all features",
    ]


@pytest.mark.parametrize("what", ["searches", "measures"])
def test_the_capability_tables(what):
    done = within(what)
    assert done.exit_code == 0
    assert {"searches": "ebna", "measures": "naive-bayes"}[what] in done.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["select", "no-such-file.csv"], "no-such-file"),
        (["select", "IRIS", "--target", "knd"], "kind"),
        (["select", "IRIS", "--search", "ebnb"], "Did you mean ebna"),
        (["select", "IRIS", "--measure", "naive"], "naive-bayes"),
        (["select", "IRIS", "--max-features", "9"], "must be between 1 and 4"),
        (["select", "IRIS", "--max-time", "soon"], "must be like 60s"),
        (["select", "IRIS", "--include", "petal"], "no such feature"),
        (["select", "IRIS", "--set", "population"], "must be like population=500"),
        (["select", "IRIS", "-s", "ebna", "--set", "size=3"], "does not have; it has: "),
        (["select", "IRIS", "--costs", "a"], "must be like A=3"),
        (["select", "IRIS", "--classifier", "tan"], "goes with mdl"),
        (["resume", "IRIS"], "is not a journal"),
        (["report", "IRIS"], "is not a result"),
        (["score", "IRIS", "--features", "x"], "no such feature"),
    ],
)
def test_mistakes_get_one_sentence_and_exit_code_1(iris, arguments, words):
    out = fewest(*[iris if a == "IRIS" else a for a in arguments])
    assert out.returncode == 1
    assert out.stderr.startswith("fewest: ")
    assert words in out.stderr
    assert "Traceback" not in out.stderr
    assert len(out.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["select", "FOLDER"], "is a folder; give the path of a file in it"),
        (["select", "IRIS", "--scoring", "acuracy"], "Did you mean accuracy"),
        (["select", "IRIS", "--jobs", "0"], "`n_jobs` must be None, a whole number of workers"),
        (["select", "IRIS", "--cv", "1"], "a number of folds from 2 on"),
        (["select", "IRIS", "--report", "FOLDER"], "`--report` must be a file that can be written"),
        (["select", "IRIS", "--json", "FOLDER/no/r.json"], "in a folder that does not exist"),
        (["compare", "IRIS", "--json", "FOLDER"], "`--json` must be a file that can be written"),
        (["compare", "IRIS", "--search", ","], "`--search` must name searches"),
    ],
)
def test_mistakes_are_told_before_any_work(iris, tmp_path, arguments, words):
    given = [str(iris) if a == "IRIS" else a.replace("FOLDER", str(tmp_path)) for a in arguments]
    done = within(*given)
    assert words in str(done.exception)
    assert "Chosen" not in done.output


def test_wrong_usage_exits_with_2(iris):
    assert fewest("select").returncode == 2
    assert fewest("select", iris, "--nonsense").returncode == 2


def test_an_interrupted_validation_leaves_the_selection_and_exits_with_130(
    iris, tmp_path, monkeypatch
):
    def interrupted(*given, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr("fewest.validation.external.validate", interrupted)
    done = within("select", iris, "--search", "sfs", "--json", tmp_path / "r.json")
    assert done.exit_code == 130
    assert "no honest accuracy this time" in done.stderr
    assert json.loads((tmp_path / "r.json").read_text())["honest"] is None


def test_a_journal_from_python_says_how_to_go_on(iris, tmp_path):
    from fewest import SubsetSelector

    X, y = load_iris(return_X_y=True)
    SubsetSelector(search="sfs", cv=3, journal=tmp_path / "run.jsonl", random_state=0).fit(X, y)
    done = within("resume", tmp_path / "run.jsonl")
    assert "was written from Python" in str(done.exception)


def test_pure_noise_is_called_an_illusion(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "noise.csv"
    header = ",".join([*(f"x{i}" for i in range(500)), "label"])
    rows = [",".join([*(f"{v:.4f}" for v in rng.normal(size=500)), "ab"[i % 2]]) for i in range(60)]
    path.write_text("\n".join([header, *rows]) + "\n")
    out = fewest(
        "select",
        path,
        "--search",
        "sfs",
        "--measure",
        "gaussian-nb",
        "--json",
        tmp_path / "r.json",
        env={**os.environ, "COLUMNS": "200"},
    )
    assert out.returncode == 0, out.stderr
    result = json.loads((tmp_path / "r.json").read_text())
    assert result["score"] > 0.75
    assert abs(result["honest"]["accuracy"] - 0.5) < 0.1
    assert "Do not believe the selection score. It is an illusion of the search" in " ".join(
        out.stdout.split()
    )
