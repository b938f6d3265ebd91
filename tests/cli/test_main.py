"""How commands end: one sentence, and an exit code."""

import json
import os
import subprocess
import sys

import pytest

from fewest._cli import arguments, main
from fewest._cli.options import OWN, NetworkOptions, SelectOptions, WeighOptions, options_of
from fewest._cli.running import check_outputs, write_outputs
from fewest._errors import InputError
from tests.cli.calls import fewest, within


def test_a_mistake_is_one_sentence_and_exit_code_1(iris):
    out = fewest("select", iris, "-s", "ebna", "--set", "population=" + "9" * 20)
    assert out.returncode == 1
    assert out.stderr.startswith("fewest: `population` of")
    assert len(out.stderr.strip().splitlines()) == 1


def test_wrong_usage_exits_with_2(iris):
    assert fewest("select").returncode == 2
    assert fewest("select", iris, "--nonsense").returncode == 2
    out = fewest(iris)
    assert out.returncode == 2
    assert "Did you mean fewest select" in out.stderr


def test_an_internal_error_says_how_to_see_more(iris, monkeypatch):
    script = (
        "import fewest._cli.objects as build, fewest._cli.main as main\n"
        "def broken(*given): raise RuntimeError('\\x1b[2Jboom')\n"
        "build.checked = broken\n"
        "main.main()\n"
    )
    out = subprocess.run(
        [sys.executable, "-c", script, "select", str(iris)], capture_output=True, text=True
    )
    assert out.returncode == 1
    assert out.stderr.startswith("fewest: Internal error: RuntimeError: ")
    assert "FEWEST_DEBUG=1" in out.stderr
    assert "\x1b" not in out.stderr


@pytest.mark.unix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_while_python_ends_does_not_change_the_exit_code(name):
    script = (
        "import os, signal, sys\n"
        "import fewest._cli.main as main\n"
        "class Late:\n"
        "    def __del__(self, kill=os.kill, me=os.getpid(), what=signal." + name + "):\n"
        "        kill(me, what)\n"
        "sys.late = Late()\n"
        "sys.argv = ['fewest', '--version']\n"
        "main.main()\n"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    assert out.stdout.startswith("fewest ")


@pytest.mark.unix
def test_an_interrupt_inside_compiled_text_is_one_like_any_other(iris, tmp_path):
    # `python -m` ends by SIGINT if a KeyboardInterrupt ever left `exec` of a text.
    script = (
        "import fewest._cli.objects as build, fewest._cli.main as main\n"
        "def broken(*given): exec('raise KeyboardInterrupt')\n"
        "build.checked = broken\n"
        "main.main()\n"
    )
    (tmp_path / "trial.py").write_text(script)
    out = subprocess.run(
        [sys.executable, "-m", "trial", "select", str(iris)],
        capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert out.returncode == 130, out.stderr
    assert "Traceback" not in out.stderr


@pytest.mark.unix
def test_a_reader_that_has_gone_is_no_traceback(iris):
    process = subprocess.Popen(
        [sys.executable, "-m", "fewest", "searches"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    assert process.wait() == 1


def test_an_interrupt_that_python_ignored_is_no_internal_error(monkeypatch, capsys):
    class Callback:
        def __del__(self):
            raise KeyboardInterrupt

    def command():
        Callback()
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(main, "app", command)
    assert main._run() == 130
    assert capsys.readouterr().err == "fewest: Interrupted.\n"


def test_a_search_on_a_function():
    done = within(
        "functions", "--search", "umda,egna", "--function", "onemax", "--runs", "2",
        "--set", "population=200",
    )  # fmt: skip
    assert done.exit_code == 0
    assert "onemax: 50 variables, optimum 50; to be learned: single bits" in done.output
    assert "umda               2 of 2" in done.output
    assert "egna" not in done.output


def test_all_searches_that_can_run():
    done = within("functions", "--function", "slope", "--runs", "1", "--evaluations", "3")
    assert done.exit_code == 0
    assert "cma-es" in done.output
    assert "0 of 1" in done.output
    assert "umda " not in done.output


def test_an_unknown_function():
    done = within("functions", "--function", "two-max")
    assert done.exit_code != 0
    assert "`function` must be one of onemax" in str(done.exception)


def test_a_journal_keeps_everything_but_what_is_yours():
    given = SelectOptions("iris", seed=3, options=["a=1"], json="r.json", jobs=4, quiet=True)
    again = SelectOptions.of_journal(given.to_dict(), "here")
    assert again == SelectOptions("iris", seed=3, options=["a=1"])
    assert all(
        getattr(again, name) == getattr(SelectOptions("x"), name) for name in set(OWN) - {"bif"}
    )


def test_unknown_names_of_other_versions_are_left_out():
    assert SelectOptions.of_journal({"data": "iris", "colour": "red"}, "x").data == "iris"


@pytest.mark.parametrize("command", [{}, {"data": 1}, {"data": "x", "budget": True}])
def test_what_does_not_fit_is_named(command):
    with pytest.raises(InputError, match="`command` of here"):
        SelectOptions.of_journal(command, "here")


def test_a_whole_number_is_a_number():
    assert SelectOptions.of_journal({"data": "x", "budget": 3}, "here").budget == 3


@pytest.mark.parametrize(("flag", "way"), [(True, "auto"), (False, "none")])
def test_the_flag_of_old_journals_is_understood(flag, way):
    assert SelectOptions.of_journal({"data": "x", "validate": flag}, "here").validate == way


def test_the_command_of_a_journal_is_that_of_its_verb():
    given = NetworkOptions("asia", seed=3, search="tabu", bif="a.bif", report="r.html")
    again = options_of(given.to_dict(), "here")
    assert again == NetworkOptions("asia", seed=3, search="tabu")
    assert options_of({"data": "iris"}, "here") == SelectOptions("iris")
    assert options_of(WeighOptions("x", quiet=True).to_dict(), "here") == WeighOptions("x")
    with pytest.raises(InputError, match="must be one of select, weigh, network, but is 7"):
        options_of({"data": "iris", "verb": 7}, "here")


def test_words_keep_escaped_commas():
    assert arguments.words("a, b\\,c,,") == ["a", "b,c"]
    assert arguments.words(None) is None


@pytest.mark.parametrize(("text", "expected"), [("60", 60), ("1.5m", 90), ("2h", 7200), ("3 s", 3)])
def test_durations(text, expected):
    assert arguments.seconds(text) == expected


@pytest.mark.parametrize(
    ("read", "text", "option"),
    [
        (arguments.seconds, "soon", "--max-time"),
        (arguments.costs, "a", "--costs"),
        (arguments.costs, "=3", "--costs"),
        (arguments.costs, "a=x", "--costs"),
        (arguments.folds, "[1]", "--cv"),
        (arguments.folds, "1", "--cv"),
        (arguments.folds, "-3", "--cv"),
        (arguments.folds, "٣", "--cv"),
        (arguments.settings, ["population"], "--set"),
        (arguments.types, "age", "--types"),
        (arguments.types, "=nominal", "--types"),
    ],
)
def test_what_cannot_be_read_names_its_option(read, text, option):
    with pytest.raises(InputError, match=f"`{option}` must be"):
        read(text)


def test_groups_costs_and_settings():
    assert arguments.groups("a,b;c") == [["a", "b"], ["c"]]
    assert arguments.costs("a=3,b=1.5") == {"a": 3.0, "b": 1.5}
    assert arguments.settings(["max-parents=3", "learning=pc"]) == {
        "max_parents": 3,
        "learning": "pc",
    }
    assert arguments.value("(" * 5000) == "(" * 5000


def test_each_output_is_written_and_told(tmp_path, capsys):
    path = tmp_path / "r.json"
    assert write_outputs(("result", path, lambda: "text"), ("report", None, lambda: "x"))
    assert path.read_text() == "text"
    assert capsys.readouterr().out == f"Written: {path} (result)\n"


@pytest.mark.unix
def test_a_full_disk_at_the_end_loses_nothing(iris, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = within("select", iris, "-s", "sfs", "--no-validate", "--json", "/dev/full")
    assert done.exit_code == 1
    assert "Chosen:" in done.stdout
    assert "No space left on device" in done.stderr
    saved = next(tmp_path.glob("full-*"))
    assert str(saved) in done.stderr
    assert json.loads(saved.read_text())["n_features_in"] == 4


def test_outputs_are_checked_before_the_work(tmp_path):
    with pytest.raises(InputError, match="`--report` must be a file"):
        check_outputs(None, tmp_path)


def test_a_subset_is_scored_beside_all_features(iris):
    done = within("score", iris, "--features", "petal width,petal length", "--cv", "5")
    assert done.exit_code == 0, done.output
    assert "all features" in done.output
