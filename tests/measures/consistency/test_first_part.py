"""The first part that has an answer wins, whichever thread is faster."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from fewest.measures._consistency.inconsistency import first_answer


def flag():
    return np.zeros(1, dtype=np.int64)


@pytest.mark.parametrize("threads", [1, 4])
def test_a_slow_first_part_still_wins(threads):
    def look(part, stopped):
        if part == 1:
            time.sleep(0.1)
        return (part if part in (1, 2) else None), True

    assert first_answer(look, 6, threads, flag()) == (1, True)


def test_no_part_has_an_answer():
    assert first_answer(lambda part, stopped: (None, True), 5, 2, flag()) == (None, True)


def test_parts_after_an_answer_are_stopped():
    reached = threading.Event()

    def look(part, stopped):
        if part == 0:
            reached.wait(5)
            return "first", True
        reached.set()
        while not stopped[0]:
            time.sleep(0.001)
        return None, False

    assert first_answer(look, 2, 2, flag()) == ("first", True)


def test_a_stop_from_outside_ends_every_part():
    stop = flag()

    def look(part, stopped):
        stop[0] = 1
        while not stopped[0]:
            time.sleep(0.001)
        return None, False

    assert first_answer(look, 3, 2, stop) == (None, False)


def test_errors_reach_the_caller():
    def look(part, stopped):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        first_answer(look, 2, 2, flag())
