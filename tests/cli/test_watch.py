"""``fewest watch`` in the terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from fewest._cli.main import app
from tests.report.journals import BATCHES, growing_journal
from tests.signals import hear_interrupts


@pytest.fixture
def journal(tmp_path):
    with growing_journal(tmp_path / "run.jsonl") as made:
        yield made


def test_watch_once_prints_best_and_batches(journal):
    path, write = journal
    for batch in BATCHES:
        write(*batch)
    shown = CliRunner().invoke(app, ["watch", str(path), "--once"])
    assert shown.exit_code == 0
    assert "best so far 0.9000 with 1 feature\na\n" in shown.output
    assert "features in the population, generations 0 to 1" in shown.output
    assert re.search("^a +█▒  50%", shown.output, flags=re.MULTILINE)
    assert "4 subsets scored in 2 batches" in shown.output


@pytest.mark.unix
def test_watch_follows_on_a_small_terminal(journal):
    """In a real terminal of 24 lines, from its first look to Ctrl-C."""
    import fcntl
    import pty
    import termios

    path, write = journal
    for batch in BATCHES:
        write(*batch)
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "fewest", "watch", str(path), "--every", "0.1"]
    environment = {**os.environ, "TERM": "xterm"}
    watching = subprocess.Popen(
        command,
        stdin=other,
        stdout=other,
        stderr=other,
        env=environment,
        preexec_fn=hear_interrupts,
    )
    os.close(other)
    shown = b""
    while b"features in the population" not in shown:
        assert select.select([main], [], [], 60)[0], shown
        shown += os.read(main, 4096)
    watching.send_signal(signal.SIGINT)
    assert watching.wait(300) == 0
    assert b"best so far 0.9000" in shown
    os.close(main)


@pytest.mark.unix
def test_watch_says_that_the_search_has_ended_and_shows_no_spread_of_one(tmp_path):
    with growing_journal(tmp_path / "run.jsonl") as (path, write):
        write([[1, 0, 0]], [0.7])
        going = CliRunner().invoke(app, ["watch", str(path), "--once"]).output
    ended = CliRunner().invoke(app, ["watch", str(path), "--once"]).output
    assert "The search has ended." in ended
    assert "The search has ended." not in going
    assert "0.0000" not in ended
