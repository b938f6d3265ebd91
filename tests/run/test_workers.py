"""Workers end with their parent, however it ends."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from joblib import delayed

from fewest._workers import workers
from tests.run.test_interrupts import start_slow

pytestmark = [
    pytest.mark.unix,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc"),
]


def children(parent):
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        if int(text.rpartition(")")[2].split()[1]) == parent:
            found.append(int(stat.parent.name))
    return found


def lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ended(pids):
    end = time.monotonic() + 30
    while any(map(lives, pids)) and time.monotonic() < end:
        time.sleep(0.1)
    return not [pid for pid in pids if lives(pid)]


def test_workers_end_when_their_parent_is_killed(tmp_path):
    process = start_slow(tmp_path)
    for _ in range(3):
        process.stdout.readline()
    started = children(process.pid)
    assert len(started) >= 2
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert ended(started)


# A worker that has started, and one that waits: both got nothing to do before the parent died.
STARTING = """
import os, signal, sys, time
from joblib import delayed
from joblib.externals.loky.backend.process import LokyProcess
from fewest._workers import workers
start, seconds = LokyProcess.start, float(sys.argv[1])
def started(self):
    start(self)
    print(self.pid, flush=True)
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGKILL)
LokyProcess.start = started
workers(2, "processes")(delayed(abs)(i) for i in range(2))
"""


@pytest.mark.parametrize("seconds", [0.0, 0.1, 5.0])
def test_a_worker_without_work_ends_when_its_parent_is_killed(seconds):
    command = [sys.executable, "-c", STARTING, str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert ended([int(done.stdout)])


def test_workers_of_this_machine_leave_ctrl_c_to_their_parent_and_those_of_others_are_left_alone():
    found = workers(2, "processes")(delayed(signal.getsignal)(signal.SIGINT) for _ in range(2))
    assert found == [signal.SIG_IGN] * 2
    assert (
        workers(2, "threads")(delayed(signal.getsignal)(signal.SIGINT) for _ in range(2))
        == [signal.getsignal(signal.SIGINT)] * 2
    )
