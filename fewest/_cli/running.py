"""Shared parts of the commands: outputs that never cost an answer, an orderly end, an exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .._errors import InputError
from .options import Options
from .terminal import complain, in_shell, note, say

if TYPE_CHECKING:
    from .._interrupts import Interrupts
    from .._run.journal import Recording
    from .._run.result import Result
    from .._validation.validation import Validation


def in_order(work: Callable[[Interrupts], int]) -> None:
    """Do the work with the signals that end it turned into an orderly end; exit with its code."""
    from .._interrupts import ENDING, Interrupts

    with Interrupts(hard=True, signals=ENDING) as interrupts:
        code = work(interrupts)
    if code:
        raise typer.Exit(code)


def search_and_judge(
    verb: Any,
    fit: Callable[[], object],
    judge: Callable[[], Validation | None],
    interrupts: Interrupts,
) -> tuple[Validation | None, bool]:
    """Fit, then validate unless the run broke off; return also whether either was interrupted."""
    from .._run.events import Stopwatch

    validation, cut = None, False
    try:
        fit()
        if not interrupts.seen and not broke_off(verb.result_):
            watch = Stopwatch()
            validation = judge()
            if validation is not None:
                verb.result_.extra.setdefault("phase_seconds", {})["validation"] = watch.seconds
        interrupts.hold()
    except KeyboardInterrupt:
        interrupts.hold()
        cut = True
        if not hasattr(verb, "result_"):
            raise
    cut = cut or interrupts.seen or verb.result_.stop_kind == "interrupt"
    # Whatever swallowed an interrupt, a validation during which it came cannot be trusted.
    return (None if cut else validation), cut


def broke_off(result: Result) -> bool:
    """Return whether an interrupt or the death of a worker ended the run."""
    from .._run.stop_rules import StopKind

    return result.stop_kind in (StopKind.INTERRUPT, StopKind.WORKER)


def finish(o: Options, result: Result, validation: Validation | None, interrupted: bool) -> int:
    """Print the answer, then write it; the exit code."""
    from .._interrupts import INTERRUPTED_EXIT_CODE
    from .._report.text import describe_result

    if validation is not None:
        result = result.with_validation(validation)
    result.settings["command"] = {k: v for k, v in o.to_dict().items() if v is not None}
    if interrupted and o.validates and not broke_off(result) and result.honest is None:
        why = "The validation was interrupted: there is no accuracy on new data."
        result.notes.append(why)
        complain(why)
    if o.format == "json":
        say(result.to_json())
    elif o.quiet:
        say("\n".join(result.features))
    else:
        say(in_shell(describe_result(result, o.details, shell=True)))
    written = write_outputs(
        ("result", o.json, result.to_json),
        ("report", o.report, lambda: _page(result)),
        tell=say if speaks(o) else note,
    )
    if interrupted:
        return INTERRUPTED_EXIT_CODE
    if broke_off(result):
        complain(f"The run broke off: {result.stopped}. The answer above is the best so far.")
    return 0 if written and not broke_off(result) else 1


def _page(result: Result) -> str:
    from .._report.page import result_page

    return result_page(result, in_shell)


def speaks(o: Options) -> bool:
    """Return whether the command prints text, not only names or a result for other programs."""
    return o.format == "text" and not o.quiet


def shows(o: Options) -> bool:
    """Return whether a progress bar is wanted and somebody can see it."""
    return not o.quiet and sys.stderr.isatty()


def recording(o: Options) -> Recording | None:
    """Return a journal that remembers the command, so that ``fewest resume`` can repeat it."""
    from .._run.journal import Recording
    from . import objects as build

    if o.journal is None:
        return None
    return Recording(o.journal, {"command": {**o.to_dict(), "data": build.findable(o.data)}})


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
