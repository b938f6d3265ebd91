"""How commands end: one sentence, and an exit code."""

import os
import subprocess
import sys

import pytest

from fewest._cli import main
from tests.cli.calls import fewest


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
