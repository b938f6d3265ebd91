"""Workers end with their parent, however it ends."""

import os
import signal
import time
from pathlib import Path

import pytest

from fewest._run.execute import look_after_worker
from tests.run.test_interrupts import start_slow

pytestmark = pytest.mark.unix


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


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_workers_end_when_their_parent_is_killed(tmp_path):
    process = start_slow(tmp_path)
    for _ in range(3):
        process.stdout.readline()
    workers = children(process.pid)
    assert len(workers) >= 2
    process.send_signal(signal.SIGKILL)
    process.wait()
    end = time.monotonic() + 30
    while any(map(lives, workers)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not [pid for pid in workers if lives(pid)]


def test_elsewhere_nothing_happens():
    before = signal.getsignal(signal.SIGINT)
    look_after_worker(os.getpid())
    assert signal.getsignal(signal.SIGINT) is before
