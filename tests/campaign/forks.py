"""Runs of ``fewest`` in processes of their own that have imported everything already.

A process that starts anew takes seconds until it scores the first subset, most of them for
imports. Here a server forks itself for every run; worker processes of such a run start anew.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import secrets
import signal
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any


@lru_cache(maxsize=1)
def _server() -> Any:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.campaign.warm"])
    return context


def _run(arguments: list[str], environment: dict[str, str], out: str, err: str) -> None:
    """Become ``fewest`` with these arguments, its output in files."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # as before Python has started
    for path, descriptor in ((out, 1), (err, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), descriptor)
    os.environ.update(environment)
    sys.argv = ["fewest", *arguments]
    sys.stdout, sys.stderr = open(1, "w"), open(2, "w")  # noqa: SIM115
    from fewest.__main__ import main

    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
    except KeyboardInterrupt:  # before or after the command itself
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
    finally:
        atexit._run_exitfuncs()  # as at any other end: joblib dismisses its workers


class Forked:
    """A run, with what ``subprocess.Popen`` has of a process."""

    def __init__(self, arguments: list[str], environment: dict[str, str], folder: Path) -> None:
        name = secrets.token_hex(4)
        self._printed = folder / f"{name}.out", folder / f"{name}.err"
        given = (arguments, environment, *map(str, self._printed))
        self._process = _server().Process(target=_run, args=given)
        self._process.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        number: int = self._process.pid
        return number

    @property
    def returncode(self) -> int | None:
        """The exit code, or minus the signal that ended it; None while it runs."""
        code: int | None = self._process.exitcode
        return code

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.returncode is None:
            # It may end between the two lines; the server reaps it, so its id is gone then.
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for its end; return what it printed."""
        self._process.join(timeout)
        if self.returncode is None:
            raise TimeoutExpired("fewest", timeout or 0.0)
        out, err = (p.read_text(errors="replace") if p.exists() else "" for p in self._printed)
        return out, err
