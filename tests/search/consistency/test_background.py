"""Work in the background: it is scored by the run, stopped with it, and its errors come back."""

from __future__ import annotations

import time

import numpy as np
import pytest

from fewest.measures._measure import Scores
from fewest.search import _hitting_sets as background
from fewest.search._hitting_sets import StoppedError, in_background


def drive(steps, value=1.0):
    """Score every batch with one value; the batches, and what is returned."""
    batches = []
    try:
        batch = next(steps)
        while True:
            batches.append(batch)
            batch = steps.send(Scores(np.full(len(batch), value)))
    except StopIteration as end:
        return batches, end.value


def test_batches_go_out_and_scores_come_back():
    def work(desk):
        first = desk.score(np.ones((2, 3), dtype=bool)).value
        second = desk.score(np.zeros((1, 3), dtype=bool)).value
        return first.sum() + second.sum()

    batches, answer = drive(in_background(work, 3))
    assert [len(batch) for batch in batches] == [2, 1]
    assert answer == 3.0


def test_an_empty_batch_gives_the_run_a_chance(monkeypatch):
    monkeypatch.setattr(background, "WAIT_SECONDS", 0.01)
    batches, answer = drive(in_background(lambda desk: time.sleep(0.2) or "done", 4))
    assert answer == "done"
    assert batches
    assert all(batch.shape == (0, 4) for batch in batches)


def test_an_error_of_the_work_is_raised_in_the_run():
    def work(desk):
        desk.score(np.ones((1, 2), dtype=bool))
        raise ValueError("no such thing")

    with pytest.raises(ValueError, match="no such thing"):
        drive(in_background(work, 2))


def test_closing_stops_work_that_waits_for_scores_and_work_that_calculates():
    ended = []

    def waits(desk):
        try:
            desk.score(np.ones((1, 2), dtype=bool))
        except StoppedError:
            ended.append("waits")
            raise

    def calculates(desk):
        desk.score(np.ones((1, 2), dtype=bool))
        while not desk.flag[0]:
            time.sleep(0.001)
        ended.append("calculates")
        desk.check()

    steps = in_background(waits, 2)
    next(steps)
    steps.close()
    steps = in_background(calculates, 2)
    next(steps)
    steps.send(Scores(np.ones(1)))
    steps.close()
    assert ended == ["waits", "calculates"]
