"""The live view on a local page: who may look, and what a hostile visitor can do."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from contextlib import suppress

import pytest

from fewest._report.live_server import LiveServer
from tests.report.journals import BATCHES, growing_journal


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
def test_refusals_carry_the_policy_too(server):
    for path in ("/", f"/{server.token}/other"):
        answer, _ = ask(server, path)
        assert answer.status == 404
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    with socket.create_connection(server.server_address, timeout=20) as raw:
        raw.sendall(b"NONSENSE / HTTP/1.0\r\n\r\n")
        assert b"Content-Security-Policy" in raw.recv(4096)


def test_five_hundred_at_once_are_answered(server):
    statuses = []

    def one():
        statuses.append(ask(server, f"/{server.token}/data")[0].status)

    threads = [threading.Thread(target=one) for _ in range(500)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 500


def test_half_open_requests_are_closed(server, monkeypatch):
    monkeypatch.setattr("fewest._report.live_server.LONGEST", 0.3)
    with socket.create_connection(server.server_address, timeout=20) as raw:
        raw.sendall(b"GET /")
        end = time.monotonic() + 20
        try:
            while time.monotonic() < end:  # a byte at times does not keep it open
                raw.sendall(b"x")
                time.sleep(0.05)
            pytest.fail("the connection stayed open")
        except OSError:
            pass
    assert ask(server, f"/{server.token}/data")[0].status == 200


def test_more_than_the_most_are_turned_away(server, monkeypatch):
    monkeypatch.setattr("fewest._report.live_server.MOST", 3)
    held = [socket.create_connection(server.server_address, timeout=20) for _ in range(8)]
    closed = 0
    for one in held:
        one.settimeout(1.0)
        with suppress(TimeoutError):
            closed += one.recv(1) == b""
        one.close()
    assert closed == 5


def test_a_damaged_journal_is_a_sentence_not_a_traceback(server, journal, capfd):
    journal[1](*BATCHES[1])
    journal[0].write_bytes(journal[0].read_bytes().replace(b"0.5", b"0.6"))
    for _ in range(2):
        answer, body = ask(server, f"/{server.token}/data")
        assert answer.status == 200
        assert "is damaged: line 3" in json.loads(body)["problem"]
    assert capfd.readouterr() == ("", "")


def test_numbers_beyond_json_become_null(server, journal):
    journal[1]([[1, 0, 1], [0, 1, 1]], [1.7e308, 1.6e308])
    body = ask(server, f"/{server.token}/data")[1]
    assert "Infinity" not in body
    assert "NaN" not in body
    assert json.loads(body)["latest"]["mean"] is None


@pytest.mark.unix
def test_the_page_hears_of_the_end_without_new_scores(tmp_path):
    with growing_journal(tmp_path / "run.jsonl") as (path, write):
        write(*BATCHES[0])
        served = LiveServer(str(path))
        assert json.loads(served.data())["going_on"] is True
    assert json.loads(served.data())["going_on"] is False
    served.server_close()
