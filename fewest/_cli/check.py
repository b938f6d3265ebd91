"""``fewest check``: what is wrong with a table, before any search."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from . import arguments as a
from .terminal import in_shell, say


def check(
    data: Annotated[str, a.DATA],
    target: Annotated[str | None, a.TARGET] = None,
    nominal: Annotated[str | None, a.NOMINAL] = None,
    types: Annotated[str | None, a.TYPES] = None,
    encoding: Annotated[str | None, a.ENCODING] = None,
    task: Annotated[str | None, a.TASK] = None,
    json: Annotated[Path | None, a.JSON] = None,
) -> None:
    """Report what is wrong with DATA, the most harmful first, and what to do."""
    from ..data._checking.table_check import check as look_at
    from . import objects as build
    from .outputs import check_outputs, write_outputs

    check_outputs(a.text(json), None)
    found = look_at(build.dataset(data, target, types, encoding, task), nominal=a.words(nominal))
    say(in_shell(str(found)))
    write_outputs(("check", a.text(json), found.to_json))
