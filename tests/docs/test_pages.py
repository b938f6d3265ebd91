"""Every Python block of the pages runs and prints what the page says it prints."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import runpy
import shlex
import sys
import types

import matplotlib as mpl
import pytest
import typer
from typer.testing import CliRunner

from benchmarks.tasks import PAGE, TASKS, lines, names
from fewest._cli.main import app
from tests.docs.pages import PAGES, ROOT, blocks, commands

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
WITH_PYTHON = [p for p in PAGES if any(b.language == "python" for b in blocks(p))]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda p: str(p.relative_to(ROOT)))
def test_python_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mpl.use("Agg")
    # A module of its own, so that what the page defines can be pickled.
    module = types.ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)
    names = vars(module)
    for block in blocks(page):
        if not block.runs:
            continue
        printed = run(block, names, page)
        if block.output is not None:
            same = doctest.OutputChecker().check_output(block.output, printed, FLAGS)
            assert same, f"{page.name}, line {block.line} prints\n{printed}"


def run(block, names, page):
    # Empty lines before the block make the line numbers of a traceback those of the page.
    code = compile("\n" * block.line + block.text, str(page), "exec")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, names)
    return out.getvalue()


def test_a_wrong_output_is_noticed():
    assert not doctest.OutputChecker().check_output("0.93\n", "0.92\n", FLAGS)


COMMANDS = sorted({command for page in PAGES for command in commands(page)})


@pytest.mark.parametrize("command", COMMANDS)
def test_command_is_understood(command):
    assert code_of(shlex.split(command)[1:]) == 0


def test_an_unknown_option_is_not_understood():
    assert code_of(["select", "wdbc", "--serach", "sfs"]) == 2


def code_of(words):
    """The exit code of a command line that reads its words as ours does, and does nothing."""
    with pytest.raises(SystemExit) as end:
        hollow(typer.main.get_command(app)).main(words)
    return end.value.code


def hollow(command):
    if hasattr(command, "commands"):
        for part in command.commands.values():
            hollow(part)
    else:
        command.callback = lambda **_: None
    return command


def test_the_readme_shows_what_the_command_prints():
    shown = [b for b in blocks(ROOT / "README.md") if b.text.startswith("fewest ") and b.output]
    assert shown
    for block in shown:
        printed = CliRunner().invoke(app, shlex.split(block.text)[1:])
        assert printed.exit_code == 0, printed.output
        assert timeless(printed.output) == timeless(block.output)


def timeless(text):
    """The lines without trailing spaces, and without how long it took."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return [re.sub(r"[\d.]+ s$", "... s", line) for line in lines]


EXAMPLES = sorted((ROOT / "examples").glob("plot_*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.stem)
def test_example_runs(example, tmp_path, monkeypatch):
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
    plt.close("all")


_MARKDOWN = re.compile(r"(?<!\\)!?\[[^\]]*\]\(([^)\s]+)\)")
_ROLE = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`")
_BUILT = ("auto_examples/", "generated/")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_resolve(page):
    text = page.read_text(encoding="utf-8")
    for link in _MARKDOWN.findall(text):
        if not re.match(r"[a-z]+:", link) and not link.startswith("#"):
            assert (page.parent / link.split("#")[0]).exists(), link
    for name in _ROLE.findall(text):
        assert document(page, name), name


def document(page, name):
    """Whether a page of that name is there, or is built from an example that is there."""
    if name.startswith("auto_examples/plot_"):
        return (ROOT / "examples" / f"{name.removeprefix('auto_examples/')}.py").exists()
    if name.startswith(_BUILT):
        return True
    return any((page.parent / f"{name}{end}").exists() for end in (".md", ".rst"))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_side_of_fewest_runs(task, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(task.ours.replace("ForestClassifier(20,", "ForestClassifier(2,"), names())


def test_the_page_has_every_task_with_its_lines():
    rows = re.findall(r"^\| (.+?) \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.M)
    assert rows == [(task.name, str(lines(task.ours))) for task in TASKS]
