"""How tests call the command line, and the table they call it with."""

import json
import subprocess
import sys
import time
from pathlib import Path

from sklearn.datasets import load_iris
from typer.testing import CliRunner

from fewest._cli.main import app
from tests.signals import hear_interrupts


def fewest(*arguments, **options):
    """A process of its own, as a person starts it."""
    command = [sys.executable, "-m", "fewest", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def within(*arguments):
    """The same inside this process: no start-up for every case."""
    return CliRunner().invoke(app, [str(a) for a in arguments])


def started(*arguments):
    """A process that runs on; it hears Ctrl-C also in the background of a shell."""
    return subprocess.Popen(
        [sys.executable, "-m", "fewest", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    )


def wait_for_lines(process, journal, n=3):
    """Until the journal of a process has so many lines."""
    while not journal.exists() or journal.read_bytes().count(b"\n") < n:
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


def write_iris(path):
    frame = load_iris(as_frame=True)
    X = frame.data.rename(columns=lambda c: c.removesuffix(" (cm)"))
    X.assign(kind=frame.target_names[frame.target]).to_csv(path, index=False)
    return path


def without_times(path):
    """A result file without what differs between two equal runs."""
    plain = json.loads(Path(path).read_text())
    plain.pop("seconds")
    plain["extra"].pop("phase_seconds", None)
    for key in ("seconds", "scoring_seconds", "search_seconds"):
        plain["history"].pop(key)
    plain["settings"].pop("command")
    return plain
