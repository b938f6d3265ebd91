"""A short campaign: every kind at least once, the fast ones many times."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.campaign.__main__ import KINDS, REAL, main
from tests.campaign.forks import Forked
from tests.campaign.trial import FailedError, Tally, attempt, expect, shortest, table

pytestmark = pytest.mark.unix


def test_a_minute_of_the_campaign_holds(tmp_path, capsys):
    """Every kind gets its share; half an hour of it is ``make campaign``."""
    fast = [word for kind in KINDS if kind not in REAL for word in ("--only", kind)]
    assert main([*fast, "--seconds", "60", "--seed", "1", "--scripts", str(tmp_path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(fast) // 2 + 2


@pytest.mark.parametrize("kind", [kind for kind in REAL if kind != "two compile at once"])
def test_a_trial_with_real_processes_holds(kind):
    tally = Tally()
    attempt(kind, KINDS[kind][0], 1, 0, tally)
    assert tally.failures == []


def test_a_failure_is_counted_reported_and_repeatable(tmp_path):
    drawn = []

    def fails(rng, folder):
        drawn.append(rng.random())
        expect(folder.is_dir(), "no folder")
        raise FailedError("as it should")

    tally = Tally()
    for _ in range(2):
        attempt("x", fails, 3, 7, tally, tmp_path)
    assert drawn[0] == drawn[1]
    assert (tally.tried, tally.held) == (2, 0)
    shown = table({"x": tally})
    assert "x 7: as it should" in shown
    assert shown.splitlines()[1].split()[:5] == ["x", "2", "0", "0", "2"]
    script = (tmp_path / "x-3-7.py").read_text()
    assert "'--only', 'x', '--seed', '3', '--first', '7', '--trials', '1'" in script


def test_a_failure_is_written_down_as_short_as_it_can_be(tmp_path):
    def again(parts):
        expect(not {3, 5} <= set(parts), "three and five")

    def fails(rng, folder):
        raise FailedError("three and five", list(range(50)), again, lambda parts: f"{parts}\n")

    attempt("x", fails, 0, 0, Tally(), tmp_path)
    assert (tmp_path / "x-0-0.py").read_text() == "# three and five\n[3, 5]\n"
    assert shortest(b"a<b", lambda bad: expect(b"<" not in bad, "no")) == b"<"


def test_the_command_fails_on_failure(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(KINDS, "odd options", (lambda rng, folder: expect(False, "no"), 1))
    one = ["--only", "odd options", "--trials", "2", "--scripts", str(tmp_path)]
    assert main(one) == 1
    assert "odd options 1: no" in capsys.readouterr().out
    assert main(["--only", "kill", "--trials", "0"]) == 0


def test_random_numbers_differ_by_kind_and_number():
    drawn = set()
    for kind in ("a", "b"):
        for number in range(3):
            attempt(kind, lambda rng, folder: drawn.add(float(rng.random())), 0, number, Tally())
    assert len(drawn) == 6


def test_a_signal_to_a_run_that_has_just_ended_does_nothing():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    run = object.__new__(Forked)
    run._process = SimpleNamespace(exitcode=None, pid=ended.pid)  # not known to have ended yet
    run.send_signal(0)
