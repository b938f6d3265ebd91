"""Outputs of a command: checked before the work, and never the reason to lose an answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._errors import InputError
from .terminal import complain, say


def check_outputs(json: Any, report: Any) -> None:
    """Raise an error before the work if its result cannot be written."""
    from .._run.whole_files import check_writable

    check_writable(json, "--json")
    check_writable(report, "--report")
    if report is not None:
        from .._report.page import check_jinja2

        check_jinja2()


def write_outputs(
    *outputs: tuple[str, Any, Callable[[], str]], tell: Callable[[object], None] = say
) -> bool:
    """Write each (what, path, text) and tell; True if all of them are where they were wanted.

    What cannot be written there, as on a disk that became full, is saved in another folder.
    """
    done = [_written(what, path, text(), tell) for what, path, text in outputs if path]
    return all(done)


def _written(what: str, path: Any, text: str, tell: Callable[[object], None]) -> bool:
    from .._run.whole_files import save_elsewhere, write_whole

    try:
        write_whole(path, text, what)
    except InputError as error:
        saved = save_elsewhere(Path(path).name, text)
        instead = "nor to any other folder tried" if saved is None else f"it is in {saved} instead"
        complain(f"{str(error).removesuffix('.')}; {instead}.")
        return False
    tell(f"Written: {path} ({what})")
    return True
