"""Time to compile is told, and does not count as time of a search."""

import time

import numpy as np
import pytest
from numba import config, njit

from fewest import SubsetSelector
from fewest._run.events import ANNOUNCEMENT, Compiling, Stopwatch, compiling
from fewest.testing import toy_table

needs_compiler = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")


@needs_compiler
def test_a_stopwatch_stands_still_while_a_kernel_is_compiled():
    start, before, watch = time.monotonic(), compiling.seconds, Stopwatch()
    njit(lambda x: np.sort(x)[::2].sum())(np.ones(3))
    passed, spent = time.monotonic() - start, compiling.seconds - before
    assert 0.0 < spent <= passed
    assert watch.seconds <= time.monotonic() - start - spent


def test_threads_that_compile_at_once_count_once_and_are_announced_once(capsys):
    clock = Compiling()
    clock.announces = True
    clock.on_start(None)
    clock.on_start(None)
    start = clock.seconds
    clock.on_end(None)
    assert clock.seconds >= start
    clock.on_end(None)
    assert clock.seconds == clock.seconds
    clock.on_start(None)
    assert capsys.readouterr().err.splitlines() == [ANNOUNCEMENT]


def test_silence_unless_asked_for(capsys):
    Compiling().on_start(None)
    assert capsys.readouterr().err == ""


def test_the_seconds_of_a_result_are_those_of_the_whole_fit():
    table = toy_table()
    fitted = SubsetSelector("cfs", search="sfs").fit(table.values, table.target)
    assert fitted.result_.seconds >= fitted.result_.history[-1]["seconds"]
