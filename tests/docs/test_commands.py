"""Every command on the pages is one that the command line takes."""

from __future__ import annotations

import re
import shlex

import pytest
import typer
from typer.testing import CliRunner

from fewest._cli.main import app
from tests.docs.pages import PAGES, ROOT, blocks, commands

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
