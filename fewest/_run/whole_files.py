"""Files that are whole or not there at all."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from .._errors import InputError

#: How often a lock is tried, and how long apart: those who only look hold it for a moment.
LOCK_TRIES, LOCK_PAUSE_SECONDS = 5, 0.02


def lock(descriptor: int, path: Path) -> None:
    """Lock a journal that is open for writing, or raise if another process writes it.

    The system drops the lock when the file is closed or the process ends, in whatever way.
    """
    for _ in range(LOCK_TRIES):
        try:
            return _lock(descriptor)
        except BlockingIOError:
            time.sleep(LOCK_PAUSE_SECONDS)
        except OSError:
            return None  # a disk that knows no locks, as some network disks
    raise InputError(
        f"The journal {path} is being written by another process: wait for it to end, or "
        "give another journal."
    )


def is_written(path: Path) -> bool | None:
    """Return whether a process writes the journal now; None where the system cannot tell."""
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


def write_whole(path: str | os.PathLike[str], text: str, what: str) -> None:
    """Write a file at once: whoever looks sees the old one or the new one, never a part.

    A device or a pipe, such as /dev/stdout, cannot be replaced and is written to directly.
    """
    target = Path(path)
    try:
        if _is_special(target):
            target.write_text(text, encoding="utf-8")
            return
        with new_beside(target) as (descriptor, partial):
            _write(descriptor, text.encode("utf-8"))
            os.replace(partial, target)
    except OSError as error:
        raise InputError(
            f"The {what} cannot be written to {target} ({error.strerror}); give another path."
        ) from error


def _write(descriptor: int, text: bytes) -> None:
    with os.fdopen(descriptor, "wb", closefd=False) as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)


@contextmanager
def new_beside(target: Path) -> Iterator[tuple[int, Path]]:
    """Make a new file in the folder of ``target``; yield its descriptor and path.

    The name is random and the file is created exclusively, so nobody can put a link in its
    place. On the way out the descriptor is closed, and the file removed if it is still there.
    """
    partial = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.part")
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(partial, flags, _mode(target))
    try:
        yield descriptor, partial
    finally:
        with suppress(OSError):
            os.close(descriptor)
        with suppress(OSError):
            partial.unlink()


def _mode(target: Path) -> int:
    """Return the permissions of the file that is replaced; else what the user's umask allows."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except OSError:
        return 0o666


def _is_special(path: Path) -> bool:
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def check_writable(path: str | os.PathLike[str] | None, parameter: str) -> None:
    """Raise an error now if a file cannot be written, not after hours of work."""
    if path is None:
        return
    target = Path(path)
    why = None
    if target.is_dir():
        why = "is a folder"
    elif not target.parent.is_dir():
        why = "is in a folder that does not exist; make it first"
    elif _is_special(target):
        why = None if os.access(target, os.W_OK) else "may not be written"
    elif (reason := _why_not(target)) is not None:
        why = f"cannot be written there ({reason})"
    if why is not None:
        raise InputError(f"`{parameter}` must be a file that can be written, but {target} {why}.")


def _why_not(target: Path) -> str | None:
    """Try to write: permissions, read-only disks and full disks all show in one attempt."""
    try:
        with new_beside(target) as (descriptor, _):
            _write(descriptor, b"\n")
    except OSError as error:
        return error.strerror or str(error)
    return None if os.access(target, os.W_OK) or not target.exists() else "it is read-only"


def save_elsewhere(name: str, text: str) -> Path | None:
    """Write to the first folder that takes it: the current one, the home, the temporary one."""
    for folder in (Path.cwd(), Path.home(), Path(tempfile.gettempdir())):
        path = folder / f"{Path(name).stem}-{secrets.token_hex(4)}{Path(name).suffix}"
        with suppress(InputError):
            write_whole(path, text, "result")
            return path
    return None
