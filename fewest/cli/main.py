"""The command line: one application, one way out for errors."""

from __future__ import annotations

import os
import sys
import warnings

import typer

from .._version import __version__
from ..errors import InputError
from . import catalog, compare, data, doctor, report, reproduce, resume, score, select, watch

app = typer.Typer(
    name="fewest",
    help="Find the fewest features that keep what a model can do, and what they are worth.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("select")(select.select)
app.command("compare")(compare.compare)
app.command("score")(score.score)
app.command("resume")(resume.resume)
app.command("report")(report.report)
app.command("watch")(watch.watch)
app.command("reproduce")(reproduce.reproduce)
app.command("searches")(catalog.searches)
app.command("measures")(catalog.measures)
app.command("doctor")(doctor.doctor)
app.add_typer(data.app, name="data")


_told: set[str] = set()


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fewest {__version__}")
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
    warnings.showwarning = _warn
    try:
        app()
    except KeyboardInterrupt:
        _fail("Interrupted.", 130)
    except InputError as error:
        _fail(str(error), 1)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        _fail(f"{error.strerror or error}{where}.", 1)
    except Exception as error:
        if os.environ.get("FEWEST_DEBUG"):
            raise
        _fail(
            f"Something went wrong inside: {type(error).__name__}: {error}. "
            "Run it again with FEWEST_DEBUG=1 to see where, and please report it.",
            1,
        )


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """Every sentence once: ten external folds would say it ten times."""
    if str(message) not in _told:
        _told.add(str(message))
        print(f"fewest: warning: {message}", file=sys.stderr)


def _fail(sentence: str, code: int) -> None:
    print(f"fewest: {sentence}", file=sys.stderr)
    sys.exit(code)
