"""A run while it goes on: the journal followed, in the terminal and on a local page."""

from __future__ import annotations

import http.client
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import threading

import numpy as np
import pytest
from typer.testing import CliRunner

from fewest.cli.main import app
from fewest.errors import InputError
from fewest.measures.base import Scores
from fewest.report.live import Follower, live_charts, sparkline
from fewest.report.live_server import LiveServer
from fewest.run.history import History
from fewest.run.journal import Journal
from fewest.search.spaces.subsets import Subsets
from tests.signals import hear_interrupts

EVIL = "<script>alert(1)</script>"
BATCHES = [([[1, 1, 0], [1, 0, 0]], [0.7, 0.9]), ([[0, 0, 0], [1, 1, 1]], [0.5, np.nan])]


@pytest.fixture
def journal(tmp_path):
    """A journal as a run writes it, and a way to write on."""
    space = Subsets(3)
    header = {"search": "EBNA()", "measure": "m", "space": repr(space), "seed": 5}
    written = Journal(tmp_path / "run.jsonl", {**header, **space.layout(["a", "b", EVIL])})
    history = History(space)

    def write(masks, values):
        batch, scores = np.array(masks, dtype=bool), Scores(np.array(values))
        written.record(space, batch, scores, **history.about(batch))
        history.entries.append({})

    yield written.path, write
    written.close()


def test_follower_reads_what_is_new(journal):
    path, write = journal
    follower = Follower(path)
    assert follower.batches == []
    write(*BATCHES[0])
    assert follower.look()
    assert not follower.look()
    write(*BATCHES[1])
    follower.look()
    first, second = follower.batches
    assert first == {
        "batch": 1, "scored": 2, "best": 0.9, "best_size": 1, "mean": pytest.approx(0.8),
        "std": pytest.approx(0.1), "mean_size": 1.5, "best_so_far": 0.9, "size_so_far": 1,
    }  # fmt: skip
    assert (second["best"], second["best_so_far"], second["scored"]) == (0.5, 0.9, 4)


def test_follower_tells_how_often_features_are_in_the_population(journal):
    path, write = journal
    write(*BATCHES[0])
    follower = Follower(path)
    assert follower.frequency() is None  # one generation is no development
    write(*BATCHES[1])
    follower.look()
    assert follower.frequency() == {
        "generation": [0, 1], "features": ["a", "b", EVIL], "chosen": [True, False, False],
        "frequency": [[1.0, 0.5], [0.5, 0.5], [0.0, 0.5]], "left_out": 0,
    }  # fmt: skip
    assert follower.frequency(columns=1, rows=1)["left_out"] == 2


def test_features_that_are_always_in_and_groups_are_named(tmp_path):
    space = Subsets(5, include=(4,), exclude=(3,), groups=((0, 2),))
    header = {"space": repr(space), **space.layout("vwxyz")}
    written = Journal(tmp_path / "run.jsonl", header)
    written.record(space, np.array([[True, False], [False, True]]), Scores(np.array([0.9, 0.8])))
    written.close()
    follower = Follower(tmp_path / "run.jsonl")
    assert follower.best_features() == ["v", "x", "z"]
    assert follower.batches[0]["best_size"] == 3
    assert follower.batches[0]["mean_size"] == 2.5


def test_follower_waits_for_the_rest_of_a_line(journal):
    path, write = journal
    write(*BATCHES[0])
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    follower = Follower(path)
    assert follower.batches == []
    path.write_bytes(whole)
    follower.look()
    assert len(follower.batches) == 1


def test_follower_starts_again_when_another_run_takes_the_path(journal):
    path, write = journal
    write(*BATCHES[0])
    follower = Follower(path)
    head = {"fewest": "journal", "format": 1, "seed": 9}
    path.write_text(json.dumps(head) + "\n")
    follower.look()
    assert follower.header["seed"] == 9
    assert follower.batches == []


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "no first line yet"), ("a,b\n", "does not say so"), ('{"x": 1}\n', "does not say so")],
)
def test_what_is_no_journal_is_refused(tmp_path, text, words):
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        Follower(path)


def test_spaces_without_bits_have_no_size(tmp_path):
    path = tmp_path / "x.jsonl"
    lines = [
        {"fewest": "journal", "format": 1, "space": "Levels(2)"},
        {"keys": ["0001"], "value": [0.5]},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    follower = Follower(path)
    assert follower.batches[0]["best_size"] is None
    assert [c.name for c in live_charts(follower.summary())] == ["generations"]


def test_sparkline_of_equal_values():
    assert sparkline([0.5, 0.5]) == "▁▁"


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


@pytest.fixture
def server(journal):
    path, write = journal
    write(*BATCHES[0])
    with LiveServer(str(path)) as served:
        threading.Thread(target=served.serve_forever, args=(0.05,), daemon=True).start()
        yield served
        served.shutdown()


def ask(server, path, host=None):
    port = server.server_address[1]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{port}"})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer, body


def test_server_listens_on_loopback_only(server):
    assert server.server_address[0] == "127.0.0.1"


def test_server_needs_the_token(server):
    for path in ("/", "/data", "/wrong/", "/wrong/data", f"/{server.token[:-1]}/data"):
        assert ask(server, path)[0].status == 404


def test_server_refuses_foreign_names(server):
    assert ask(server, f"/{server.token}/data", "evil.example:80")[0].status == 404


def test_server_gives_page_and_numbers(server, journal):
    answer, page = ask(server, f"/{server.token}/")
    assert answer.status == 200
    assert "connect-src 'self'" in answer.headers["Content-Security-Policy"]
    assert page.startswith("<!doctype html>")
    assert json.loads(ask(server, f"/{server.token}/data")[1])["scored"] == 2
    journal[1](*BATCHES[1])
    data = json.loads(ask(server, f"/{server.token}/data")[1])
    assert data["scored"] == 4
    assert [chart["name"] for chart in data["charts"]] == [
        "generations",
        "size-by-step",
        "frequency",
    ]
    assert data["best_features"] == ["a"]
    assert ask(server, f"/{server.token}/other")[0].status == 404


def test_tokens_differ(journal):
    tokens = set()
    for _ in range(2):
        with LiveServer(str(journal[0])) as served:
            tokens.add(served.token)
    assert len(tokens) == 2


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
    assert watching.wait(60) == 0
    assert b"best so far 0.9000" in shown
    os.close(main)
