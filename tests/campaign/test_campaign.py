"""A short campaign: some trials of every kind."""

import numpy as np
import pytest

from tests.campaign.__main__ import TRIALS, main
from tests.campaign.trial import FailedError, Tally, attempt, expect, table

pytestmark = pytest.mark.unix


@pytest.mark.parametrize("kind", TRIALS)
def test_a_few_trials_hold(kind):
    tally = Tally()
    attempt(kind, TRIALS[kind], 1, 0, tally)
    assert tally.failures == []
    assert tally.held == 1


def test_a_failure_is_counted_told_and_repeatable():
    drawn = []

    def fails(rng, folder):
        drawn.append(rng.random())
        expect(folder.is_dir(), "no folder")
        raise FailedError("as it should")

    tally = Tally()
    for _ in range(2):
        attempt("x", fails, 3, 7, tally)
    assert drawn[0] == drawn[1]
    assert (tally.tried, tally.held) == (2, 0)
    shown = table({"x": tally})
    assert "x 7: as it should" in shown
    assert shown.splitlines()[1].split() == ["x", "2", "0", "2"]


def test_the_command_prints_the_table_and_fails_on_failure(monkeypatch, capsys):
    monkeypatch.setitem(TRIALS, "500 requests at once", lambda rng, folder: expect(False, "no"))
    one = ["--only", "500 requests at once", "--trials", "2", "--minutes", "1"]
    assert main(one) == 1
    assert "500 requests at once 1: no" in capsys.readouterr().out
    assert main(["--only", "journal cut", "--trials", "0"]) == 0


def test_random_numbers_differ_by_kind_and_number():
    drawn = set()
    for kind in ("a", "b"):
        for number in range(3):
            attempt(kind, lambda rng, folder: drawn.add(float(rng.random())), 0, number, Tally())
    assert len(drawn) == 6
    assert np.isfinite(list(drawn)).all()
