"""Command line: one application, one way out for errors."""

from __future__ import annotations

import atexit
import io
import os
import signal
import sys
from typing import Any

import typer

from .._errors import InputError
from .._version import __version__
from . import (
    catalog,
    check,
    compare,
    data,
    doctor,
    functions,
    joint,
    network,
    redundancy,
    report,
    resume,
    score,
    select,
    warm_up,
    watch,
    weigh,
)
from .terminal import WarnOnce, complain, in_shell, say

app = typer.Typer(
    name="fewest",
    help="Find the fewest features that keep what a model can do, and what they are worth.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("select")(select.select)
app.command("check")(check.check)
app.command("compare")(compare.compare)
app.command("joint")(joint.joint)
app.command("weigh")(weigh.weigh)
app.command("score")(score.score)
app.command("resume")(resume.resume)
app.command("network")(network.network)
app.command("redundancy")(redundancy.redundancy)
app.command("report")(report.report)
app.command("watch")(watch.watch)
app.command("searches")(catalog.searches)
app.command("measures")(catalog.measures)
app.command("warm-up")(warm_up.warm_up)
app.command("doctor")(doctor.doctor)
app.command("functions")(functions.functions)
app.add_typer(data.app, name="data")


def _version(wanted: bool) -> None:
    if wanted:
        say(f"fewest {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Find the fewest features that keep what a model can do, and what they are worth."""


def main() -> None:
    """Run a command; whatever goes wrong ends in one sentence and an exit code."""
    atexit.register(_ignore_signals)  # registered first, so it runs last
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a sign
    with WarnOnce():
        code = _run()
    _leave(code)


def _leave(code: int) -> None:
    """Exit. All is printed and written: a signal from now on only makes it faster."""
    from .._run.interrupts import ENDING

    for one in ENDING:
        if signal.getsignal(one) is not signal.SIG_IGN:
            signal.signal(one, lambda *_: os._exit(code))
    if code == 130:
        # Python remembers an interrupt that came through `exec`, as inside a dataclass or a
        # compiler, although it was handled, and would end by SIGINT instead of this code.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _ignore_signals() -> None:
    """Ignore signals while Python shuts down: one would change the exit code."""
    from .._run.interrupts import ENDING

    for one in ENDING:
        signal.signal(one, signal.SIG_IGN)


def _run() -> int:
    """Run the command; return 0 if done, 1 failed, 2 wrong usage, 130 interrupted."""
    ignored: list[type[BaseException]] = []

    def remember(found: Any) -> None:
        """Keep in mind what Python ignores inside of callbacks, as while a kernel is compiled."""
        ignored.append(found.exc_type)
        if not issubclass(found.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(found)

    sys.unraisablehook = remember
    try:
        app()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt:
        return _fail("Interrupted.", 130)
    except InputError as error:
        return _fail(in_shell(str(error)), 1)
    except BrokenPipeError:
        # Whoever read the output has gone; without this Python complains again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        return _fail(f"{error.strerror or error}{where}.", 1)
    except MemoryError:
        return _fail("There is not enough memory for this run: make it or its data smaller.", 1)
    except Exception as error:
        if KeyboardInterrupt in ignored:
            return _fail("Interrupted.", 130)
        if os.environ.get("FEWEST_DEBUG"):
            raise
        return _fail(
            f"Internal error: {type(error).__name__}: {error}. "
            "Run it again with FEWEST_DEBUG=1 to see where, and please report it.",
            1,
        )
    return 0


def _fail(sentence: str, code: int) -> int:
    complain(sentence)
    return code
