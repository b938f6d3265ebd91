"""One writer at a time: a lock on an open file that ends with its process."""

from __future__ import annotations

import os
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from ..errors import InputError

#: How often a lock is tried, and how long apart: those who only look hold it for a moment.
TRIES, PAUSE = 5, 0.02


def lock(descriptor: int, path: Path) -> None:
    """Lock a journal that is open for writing, or say that another process writes it.

    The system drops the lock when the file is closed or the process ends, in whatever way.
    """
    for _ in range(TRIES):
        try:
            return _lock(descriptor)
        except BlockingIOError:
            time.sleep(PAUSE)
        except OSError:
            return None  # a disk that knows no locks, as some network disks
    raise InputError(
        f"The journal {path} is being written by another process: wait for it to end, or "
        "give another journal."
    )


def is_written(path: Path) -> bool | None:
    """Whether a process writes the journal now; None where the system cannot tell."""
    if os.name != "posix":
        return None  # pragma: no cover (Windows)
    fcntl: Any = import_module("fcntl")
    try:
        with path.open("rb") as file:
            fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    return False


def _lock(descriptor: int) -> None:
    if os.name == "posix":
        fcntl: Any = import_module("fcntl")
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    msvcrt: Any = import_module("msvcrt")  # pragma: no cover (Windows)
    try:
        os.lseek(descriptor, 2**30, os.SEEK_SET)  # far behind the text, which stays readable
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except PermissionError as error:
        raise BlockingIOError from error
