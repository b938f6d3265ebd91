"""Files that are whole or not there at all."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InputError


def write_whole(path: str | os.PathLike[str], text: str, what: str) -> None:
    """Write a file at once: whoever looks sees the old one or the new one, never a part."""
    target = Path(path)
    partial = target.with_name(target.name + ".part")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, target)
    except OSError as error:
        raise InputError(
            f"The {what} cannot be written to {target} ({error.strerror}); give another path."
        ) from error


def check_writable(path: str | os.PathLike[str] | None, parameter: str) -> None:
    """Say now that a file cannot be written, not after hours of work."""
    if path is None:
        return
    target = Path(path)
    why = None
    if target.is_dir():
        why = "is a folder"
    elif not target.parent.is_dir():
        why = "is in a folder that does not exist; make it first"
    elif not os.access(target if target.exists() else target.parent, os.W_OK):
        why = "may not be written there"
    if why is not None:
        raise InputError(f"`{parameter}` must be a file that can be written, but {target} {why}.")
