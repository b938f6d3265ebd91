"""One writer at a time: a lock on an open file that ends with its process."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from ..errors import InputError


def lock(descriptor: int, path: Path) -> None:
    """Lock a journal that is open for writing, or say that another process writes it.

    The system drops the lock when the file is closed or the process ends, in whatever way.
    """
    try:
        _lock(descriptor)
    except BlockingIOError:
        raise InputError(
            f"The journal {path} is being written by another process: wait for it to end, or "
            "give another journal."
        ) from None
    except OSError:
        return  # a disk that knows no locks, as some network disks


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
