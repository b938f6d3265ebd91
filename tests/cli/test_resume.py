"""``fewest resume``: the same end, and a journal that decides nothing."""

import json
import signal

import pytest
from sklearn.datasets import load_iris

from fewest._run.journal_format import Chain
from tests.cli.calls import fewest, started, wait_for_lines, within, without_times, write_iris

SLOW = ["-m", "decision-tree(max_depth=3)", "-s", "sffs", "--no-validate"]


@pytest.mark.unix
@pytest.mark.parametrize("workers", [(), ("--jobs", 2)])
def test_killed_and_resumed_it_ends_with_the_same_file(iris, tmp_path, workers):
    whole, journal = tmp_path / "whole.json", tmp_path / "run.jsonl"
    assert fewest("select", iris, *SLOW, "--json", whole).returncode == 0
    process = started("select", iris, *SLOW, *workers, "--journal", journal)
    wait_for_lines(process, journal, 4)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    part = tmp_path / "part.json"
    out = fewest("resume", journal, "--json", part)
    assert out.returncode == 0, out.stderr
    undisturbed, resumed = without_times(whole), without_times(part)
    for result in (undisturbed, resumed):
        result["settings"].pop("n_jobs", None)
    assert resumed == undisturbed


def test_a_journal_from_python_says_how_to_go_on(iris, tmp_path):
    from fewest import SubsetSelector

    X, y = load_iris(return_X_y=True)
    journal = tmp_path / "run.jsonl"
    SubsetSelector("naive-bayes", search="sfs", cv=3, journal=journal, random_state=0).fit(X, y)
    done = within("resume", tmp_path / "run.jsonl")
    assert "was written from Python" in str(done.exception)


@pytest.fixture
def journal(iris, tmp_path):
    """A finished run that wrote its result and its page."""
    path = tmp_path / "run.jsonl"
    outputs = ["--json", tmp_path / "old.json", "--report", tmp_path / "old.html"]
    done = within("select", iris, "-s", "sfs", "--no-validate", "--journal", path, *outputs)
    assert done.exit_code == 0, done.output
    for name in ("old.json", "old.html"):
        (tmp_path / name).write_text("mine")
    return path


def rewritten(path, **changes):
    """The journal with another command in its first line, and checksums that fit."""
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    lines[0]["command"].update(changes)
    chain = Chain()
    path.write_bytes(b"".join(chain.sealed(_without(line)) for line in lines))


def _without(line):
    return {k: v for k, v in line.items() if k != "check"}


def test_the_journal_decides_nothing_that_is_written(journal, tmp_path):
    done = within("resume", journal)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "old.json").read_text() == (tmp_path / "old.html").read_text() == "mine"
    assert f"--json {tmp_path / 'old.json'} --report {tmp_path / 'old.html'}" in done.output
    done = within("resume", journal, "--json", tmp_path / "new.json", "--quiet", "--jobs", 2)
    assert "--report" in done.output
    assert "--json" not in done.output
    assert json.loads((tmp_path / "new.json").read_text())["n_features_in"] == 4


def test_a_hostile_suggestion_cannot_command_the_terminal(journal):
    rewritten(journal, json="\x1b]0;owned\x07.json")
    assert "\x1b" not in within("resume", journal).output


def test_other_data_are_refused_before_anything_is_said_of_them(journal, tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,x\n2,y\n3,x\n4,y\n")
    rewritten(journal, data=str(secret))
    done = within("resume", journal)
    assert "does not hold the data of this journal" in str(done.exception)
    assert "rows" not in done.output


def test_data_that_have_moved_are_given(journal, tmp_path):
    rewritten(journal, data=str(tmp_path / "gone.csv"))
    assert within("resume", journal).exit_code == 1
    moved = write_iris(tmp_path / "moved.csv")
    assert within("resume", journal, "--data", moved).exit_code == 0


@pytest.mark.parametrize(
    "change",
    [{"seed": "x"}, {"cv": 3}, {"options": "a"}, {"validate": 1}, {"min_features": None},
     {"data": None}, {"max_time": 5}, {"budget": "x"}],
)  # fmt: skip
def test_a_malformed_command_is_named(journal, change):
    rewritten(journal, **change)
    done = within("resume", journal)
    assert f"`{next(iter(change))}` in `command` of the journal" in str(done.exception)


def test_a_damaged_journal_is_named_and_salvaged(journal, tmp_path):
    raw = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([*raw[:2], raw[2].replace(b"value", b"valve"), *raw[3:]]))
    done = within("resume", journal)
    assert "is damaged: line 3" in str(done.exception)
    done = within("resume", journal, "--salvage", "--json", tmp_path / "new.json")
    assert done.exit_code == 0, done.output
    assert f"Kept 2 of {len(raw)} lines" in done.output
    assert (tmp_path / "run-salvaged-1.jsonl").read_bytes() == b"".join(raw)


def test_a_verb_that_is_none_is_refused(journal):
    rewritten(journal, verb="delete")
    done = within("resume", journal)
    assert "`verb` in the `command` of" in str(done.exception)
    rewritten(journal, verb="select")
    assert "`--bif` goes with" in str(within("resume", journal, "--bif", "a.bif").exception)
