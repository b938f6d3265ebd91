"""Interrupts end a run once, in order, and are remembered."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import fewest
from fewest._fitting.estimator import CUT_SHORT
from fewest._interrupts import (
    ENDING,
    Interrupts,
    ending_in_order,
    interruptible,
    partial_is_welcome,
    raise_missed,
    shielded,
    whole_runs_only,
)
from fewest._run.archive import Archive
from fewest._run.journal import Journal
from fewest._run.loop import Run
from fewest.measures._measure import Scorer, Scores
from fewest.search import Subsets
from fewest.testing import toy_table
from tests.cli.calls import wait_for_lines
from tests.run.searches import Walk
from tests.signals import hear_interrupts

pytestmark = pytest.mark.unix


@pytest.fixture(autouse=True)
def default_handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)


def test_the_first_raises_and_a_second_soon_after_is_ignored():
    with Interrupts() as interrupts:
        with pytest.raises(KeyboardInterrupt):
            interrupt()
        interrupt()
        assert interrupts.seen
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_later_one_raises_again(monkeypatch):
    monkeypatch.setattr("fewest._interrupts.GRACE_SECONDS", 0.0)
    with Interrupts():
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                interrupt()


@pytest.mark.parametrize("method", ["__enter__", "__exit__"])
def test_one_while_handlers_are_set_or_restored_is_raised_and_leaves_nothing_behind(method):
    code, heard, line = getattr(Interrupts, method).__code__, [], 0

    def trace(frame, event, _):
        if frame.f_code is code and event in ("call", "line"):
            left.append(event)
            if len(left) == line:
                heard.append(line)
                signal.raise_signal(signal.SIGINT)
        return trace if frame.f_code is code else None

    while not heard or heard[-1] == line:
        left, line = [], line + 1
        raised = False
        sys.settrace(trace)
        try:
            with Interrupts(signals=ENDING):
                pass
        except KeyboardInterrupt:
            raised = True
        finally:
            sys.settrace(None)
        assert raised == (heard[-1:] == [line])
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        raise_missed()
    assert len(heard) > 5


def test_held_it_is_only_remembered():
    with Interrupts() as interrupts:
        interrupts.hold()
        interrupt()
        assert interrupts.seen


def test_where_somebody_else_handles_them_they_are_left_alone():
    heard = []
    signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    with ending_in_order():
        interrupt()
    assert heard == [1]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Interrupts() as interrupts:
        interrupt()
    assert not interrupts.seen


class Interrupting(Scorer):
    batch, prefer, threshold = 10, "threads", None

    def score(self, candidates):
        raise KeyboardInterrupt


class Dying:
    """An object that dies while the signal comes: Python ignores what its end raises."""

    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        sum(range(10000))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_that_python_ignored_ends_the_run_when_its_batch_is_kept():
    class Swallowing(Interrupting):
        def score(self, candidates):
            Dying()
            return Scores(candidates.sum(axis=1).astype(float))

    outcome = Run(Walk(), Swallowing(), Subsets(6), np.random.default_rng(0)).go()
    assert outcome.reason.kind == "interrupt"
    assert len(outcome.archive) > 0


def test_while_results_are_written_nothing_is_missed():
    with Interrupts() as interrupts:
        interrupts.seen = True
        with pytest.raises(KeyboardInterrupt):
            raise_missed()
        interrupts.hold()
        raise_missed()
    raise_missed()


def test_a_run_inside_a_larger_one_raises_instead_of_ending_early():
    run = Run(Walk(), Interrupting(), Subsets(6), np.random.default_rng(0))
    assert run.go().reason.kind == "interrupt"
    assert partial_is_welcome()
    with whole_runs_only():
        assert not partial_is_welcome()
        with pytest.raises(KeyboardInterrupt):
            run.go()
    assert partial_is_welcome()


# After the run Python's own handler is back, and a late interrupt ends the process, as it should.
# Here the run alone is tried: once it has ended, interrupts are ignored.
SLOW = """
import os, signal, time, numpy as np
from fewest.measures._measure import Scorer, Scores
from fewest._interrupts import Interrupts
from fewest._run.loop import Run
from fewest.search import Subsets
from tests.cli.calls import wait_for_lines
from tests.run.searches import Walk
class Slow(Scorer):
    prefer, batch = "processes", 1
    def score(self, candidates):
        os.write(1, b"scoring\\n")  # one call: two workers write to the same pipe
        time.sleep(0.2)
        return Scores(candidates.sum(axis=1).astype(float))
def leave(self, *error):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
Interrupts.__exit__ = leave
outcome = Run(Walk(), Slow(), Subsets(20), np.random.default_rng(0), n_jobs=2).go()
print("ended", outcome.reason.kind, flush=True)
"""


def start_slow(tmp_path):
    path = tmp_path / "slow.py"
    path.write_text(SLOW)
    return subprocess.Popen(
        [sys.executable, str(path)], stdout=subprocess.PIPE, text=True, cwd=os.getcwd(),
        preexec_fn=hear_interrupts, env={**os.environ, "PYTHONPATH": os.getcwd()},
    )  # fmt: skip


@pytest.mark.parametrize("gap", [0.0, 0.05, 0.5])
def test_two_interrupts_with_process_workers_do_not_hang(tmp_path, gap):
    process = start_slow(tmp_path)
    assert process.stdout.readline() == "scoring\n"
    process.send_signal(signal.SIGINT)
    time.sleep(gap)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=300)
    assert "ended interrupt" in out
    assert process.returncode == 0


def test_a_change_of_state_is_not_cut_in_half():
    done = []

    def change():
        with shielded():
            signal.raise_signal(signal.SIGINT)
            done.append("first")
            with shielded():
                done.append("second")
            done.append("third")
        done.append("never")

    with pytest.raises(KeyboardInterrupt), Interrupts():
        change()
    assert done == ["first", "second", "third"]


@pytest.mark.parametrize("step", range(3))
def test_an_interrupt_inside_the_archive_keeps_the_run(monkeypatch, step):
    real = Archive.add
    calls = []

    def add(self, *given):
        calls.append(len(calls))
        if len(calls) == 2 + step:
            signal.raise_signal(signal.SIGINT)
        return real(self, *given)

    monkeypatch.setattr(Archive, "add", add)
    table = toy_table(n_features=12)
    selector = fewest.SubsetSelector("cfs", search="sfs", random_state=0)
    selector.fit(table.values, table.target)
    assert selector.result_.partial
    assert selector.result_.stop_kind == "interrupt"


# Each takes minutes undisturbed, nearly all of them inside compiled code.
LONG = {
    "nearest neighbours": """
selector = fewest.SubsetSelector(
    "nearest-neighbor", search=fewest.search.RandomSearch(draws=1000), cv=2, random_state=0,
    journal=sys.argv[1], audit=False, consensus=None,
)
result = selector.fit(rng.normal(size=(6000, 20)), rng.integers(0, 2, 6000)).result_
""",
    "exact network": """
table = pandas.DataFrame(rng.integers(0, 2, (3000, 22))).astype(str).add_prefix("v")
learner = fewest.NetworkLearner(
    score="k2", search="exact", max_parents=21, random_state=0, journal=sys.argv[1]
)
result = learner.fit(table).result_
""",
}


@pytest.mark.parametrize("name", LONG)
def test_an_interrupt_inside_compiled_code_ends_with_the_best_so_far(tmp_path, name):
    path, journal = tmp_path / "long.py", tmp_path / "run.jsonl"
    head = "import sys, numpy, pandas, fewest, fewest.search\nrng = numpy.random.default_rng(0)\n"
    path.write_text(f"{head}{LONG[name]}print(result.stop_kind, result.evaluations > 0)\n")
    process = subprocess.Popen(
        [sys.executable, str(path), str(journal)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, cwd=os.getcwd(), preexec_fn=hear_interrupts,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )  # fmt: skip
    wait_for_lines(process, journal, 2)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert out == "interrupt True\n", err


def test_a_part_of_a_shielded_change_may_be_cut_short(monkeypatch):
    monkeypatch.setattr("fewest._interrupts.GRACE_SECONDS", 0.0)
    with Interrupts(), shielded():
        interrupt()
        with pytest.raises(KeyboardInterrupt), interruptible():
            pytest.fail("an interrupt from before is raised at once")
        with pytest.raises(KeyboardInterrupt), interruptible():
            interrupt()
        with pytest.raises(KeyboardInterrupt), interruptible(), shielded():
            interrupt()


def test_an_interrupt_when_the_search_has_ended_costs_no_result(tmp_path, monkeypatch):
    def closing(journal, close=Journal.close):
        interrupt()
        close(journal)

    monkeypatch.setattr(Journal, "close", closing)
    selector = fewest.SubsetSelector("cfs", search="sfs", journal=tmp_path / "run.jsonl")
    table = toy_table()
    result = selector.fit(table.values, table.target).result_
    assert result.features
    assert not result.partial
    assert CUT_SHORT in result.notes


def test_the_end_of_a_command_is_as_orderly_as_its_start(tmp_path):
    """SIGTERM after the handlers of a command have gone is no death by signal."""
    script = f"""
import os
import signal
import sys
from fewest._interrupts import Interrupts
leave = Interrupts.__exit__
def left(self, *error):
    leave(self, *error)
    os.kill(os.getpid(), signal.SIGTERM)
Interrupts.__exit__ = left
sys.argv = ["fewest", "select", "iris", "-m", "cfs", "--json", {str(tmp_path / "r")!r}]
from fewest.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 130, done.stderr
    assert (tmp_path / "r").exists()
