"""Command line: one application with its short commands, one way out for errors."""

from __future__ import annotations

import atexit
import io
import os
import signal
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from .._errors import InputError
from .._interrupts import ENDING, Interrupts
from .._version import __version__
from . import arguments as a
from . import (
    catalog,
    compare,
    data,
    doctor,
    joint,
    network,
    resume,
    scan_plan,
    select,
    warm_up,
    watch,
    weigh,
)
from .terminal import WarnOnce, complain, in_shell, say


class Commands(typer.core.TyperGroup):
    """The commands; a table in the place of one gets the command that was probably meant."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command of the first word."""
        if args[0] not in self.commands and Path(args[0]).is_file():
            ctx.fail(f"Did you mean fewest select {args[0]}? A file is no command.")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="fewest",
    cls=Commands,
    help="Find the fewest features that keep what a model can do, and what they are worth.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


def check(
    data: Annotated[str, a.DATA],
    target: Annotated[str | None, a.TARGET] = None,
    nominal: Annotated[str | None, a.NOMINAL] = None,
    types: Annotated[str | None, a.TYPES] = None,
    encoding: Annotated[str | None, a.ENCODING] = None,
    task: Annotated[str | None, a.TASK] = None,
    against: Annotated[
        Path | None, typer.Option(help="A file of new rows: how they differ from DATA.")
    ] = None,
    json: Annotated[Path | None, a.JSON] = None,
) -> None:
    """Report what is wrong with DATA, the most harmful first, and what to do."""
    from ..data._checking.table_check import check as look_at
    from . import objects as build
    from .running import check_outputs, write_outputs

    check_outputs(a.text(json), None)
    table = build.dataset(data, target, types, encoding, task)
    found = look_at(table, nominal=a.words(nominal), against=a.text(against))
    say(in_shell(str(found)))
    write_outputs(("check", a.text(json), found.to_json))


def redundancy(
    data: Annotated[str, a.DATA],
    target: Annotated[str | None, a.TARGET] = None,
    level: Annotated[
        int, typer.Option(min=0, help="Number of other features that are given at once.")
    ] = 1,
    noise: Annotated[
        bool, typer.Option(help="Whether a feature may add what its parameters cost.")
    ] = True,
    types: Annotated[str | None, a.TYPES] = None,
    encoding: Annotated[str | None, a.ENCODING] = None,
) -> None:
    """Show which features of DATA are redundant for the class given others (Drugan and Wiering)."""
    from ..measures._filters.redundant_features import redundant_at
    from . import objects as build

    found = redundant_at(build.dataset(data, target, types, encoding).table(), level, noise=noise)
    width = max(len(row.feature) for row in found)
    for row in found:
        given = f" given {', '.join(row.given)}" if row.given else ""
        side = "redundant" if row.redundant else "not redundant"
        say(f"{row.feature:{width}}  {side}{given}: {row.bits:.3f} bits, cost {row.cost:.3f}")


def report(
    result: Annotated[Path, typer.Argument(help="What select or compare wrote with --json.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write.")] = Path(
        "report.html"
    ),
) -> None:
    """Turn the saved RESULT, or a saved comparison, into one self-contained HTML page."""
    from .._report.page import write_saved

    write_saved(result, output, in_shell)
    say(f"Written: {output}")


def score(
    data: Annotated[str, a.DATA],
    features: Annotated[str, typer.Option("--features", "-f", help="The subset: A,B,C.")],
    target: Annotated[str | None, a.TARGET] = None,
    measure: Annotated[str, a.MEASURE] = "auto",
    seed: Annotated[int, a.SEED] = 0,
    nominal: Annotated[str | None, a.NOMINAL] = None,
    types: Annotated[str | None, a.TYPES] = None,
    encoding: Annotated[str | None, a.ENCODING] = None,
    group_by: Annotated[str | None, a.GROUP_BY] = None,
    time: Annotated[str | None, a.TIME] = None,
    weight: Annotated[str | None, a.WEIGHT] = None,
    task: Annotated[str | None, a.TASK] = None,
    classifier: Annotated[str | None, a.CLASSIFIER] = None,
    cv: Annotated[str, a.CV] = "auto",
    scoring: Annotated[str | None, a.SCORING] = None,
) -> None:
    """Score one subset of the features of DATA, beside all features."""
    import numpy as np

    from .._report.text import describe_scores
    from .._score_subsets import score_subsets
    from ..data._feature_names import feature_positions
    from . import objects as build
    from .options import SelectOptions

    o = SelectOptions(
        data=data, measure=measure, classifier=classifier, cv=cv, scoring=scoring,
        group_by=group_by, time=time, weight=weight,
    )  # fmt: skip
    found, rows = build.with_rows(o, build.dataset(data, target, types, encoding, task))
    if measure == "auto":
        from ..measures._default import default_estimator
        from ..measures._models_by_name import name_of

        measure = name_of(default_estimator(found.table()))
    names = tuple(found.names)
    masks = np.ones((2, len(names)), dtype=bool)
    masks[0] = False
    masks[0, list(feature_positions(a.words(features), names, "features"))] = True
    scores = score_subsets(
        found.X,
        found.y,
        masks,
        measure=build.measure(measure, classifier, cv, scoring),
        cv=a.folds(cv),
        scoring=scoring,
        nominal=a.words(nominal),
        task=getattr(found, "task", None),
        random_state=seed,
        **build.for_fit(o, rows),
    )
    say(describe_scores(measure, a.words(features) or [], scores))


def functions(
    search: Annotated[
        str | None, typer.Option(help="Searches by name, with commas; all unless given.")
    ] = None,
    function: Annotated[
        str | None, typer.Option(help="Functions by name, with commas; all unless given.")
    ] = None,
    parameters: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the search: population=500.")
    ] = None,
    runs: Annotated[int, typer.Option(help="Number of runs of each search.", min=1)] = 10,
    evaluations: Annotated[
        int, typer.Option(help="Evaluations after which a run has failed.", min=1)
    ] = 100_000,
    seed: Annotated[int, a.SEED] = 0,
) -> None:
    """Count the evaluations that searches need to solve the functions of the literature."""
    from ..search._search_names import resolve_search
    from ..testing._test_functions import FUNCTIONS, function_named, searches_for, solve

    chosen = [function_named(name) for name in a.words(function) or FUNCTIONS]
    named = [resolve_search(name) for name in a.words(search) or []]
    for each in named:
        each.set_params(**a.settings(parameters))
        each.check_parameters()
    for one in chosen:
        say(f"\n{one.name}: {one.n} variables, optimum {one.best:g}; to be learned: {one.needs}")
        if not named:
            fitting = [resolve_search(name) for name in searches_for(one)]
        else:
            fitting = [each for each in named if one.space.kind in each.spaces]
        for each in fitting:
            found = solve(each, one, runs=runs, max_evaluations=evaluations, random_state=seed)
            mean = f"{found.mean:,.0f} evaluations" if found.evaluations else f"{found.best:.6g}"
            say(f"  {found.search:<16}  {len(found.evaluations):>2} of {runs}  {mean}")


app.command("select")(select.select)
app.command("check")(check)
app.command("compare")(compare.compare)
app.command("joint")(joint.joint)
app.command("weigh")(weigh.weigh)
app.command("score")(score)
app.command("plan")(scan_plan.plan)
app.command("resume")(resume.resume)
app.command("network")(network.network)
app.command("redundancy")(redundancy)
app.command("report")(report)
app.command("watch")(watch.watch)
app.command("searches")(catalog.searches)
app.command("measures")(catalog.measures)
app.command("warm-up")(warm_up.warm_up)
app.command("doctor")(doctor.doctor)
app.command("functions")(functions)
app.add_typer(data.app, name="data")


def main() -> None:
    """Run a command; whatever goes wrong ends in one sentence and an exit code."""
    atexit.register(_ignore_signals)  # registered first, so it runs last
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a sign
    # For commands without handlers of their own, and before and after those of the others.
    Interrupts(signals=ENDING).__enter__()
    with WarnOnce():
        code = _run()
    _leave(code)


def _leave(code: int) -> None:
    """Exit. All is printed and written: a signal from now on only makes it faster."""
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
