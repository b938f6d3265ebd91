"""``fewest select``: select features and estimate their score on new data."""

from __future__ import annotations

import math
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import arguments as a
from .options import SelectOptions
from .terminal import complain, say

if TYPE_CHECKING:
    from ..data import Dataset
    from ..run.interrupts import Interrupts
    from ..run.journal import Recording
    from ..run.result import Result
    from ..select import SubsetSelector
    from ..validation.validation import Validation


def select(
    data: Annotated[str, a.DATA],
    target: Annotated[str | None, a.TARGET] = None,
    measure: Annotated[str, a.MEASURE] = "auto",
    search: Annotated[str, a.SEARCH] = "auto",
    seed: Annotated[int, a.SEED] = 0,
    max_time: Annotated[
        str | None,
        typer.Option(help="Like 60s or 5m: half for the selection, half for its validation."),
    ] = None,
    max_evaluations: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of subsets to score.")
    ] = None,
    max_generations: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of generations.")
    ] = None,
    include: Annotated[
        str | None, typer.Option(help="Features that are always selected: A,B.")
    ] = None,
    exclude: Annotated[
        str | None, typer.Option(help="Features that are never selected: C.")
    ] = None,
    groups: Annotated[
        str | None, typer.Option(help="Groups of features that are selected together: A,B;C,D.")
    ] = None,
    costs: Annotated[
        str | None, typer.Option(help="Costs of features: A=3,B=2; others cost 1.")
    ] = None,
    budget: Annotated[float | None, typer.Option(help="Maximum total cost.")] = None,
    min_features: Annotated[int, typer.Option(help="Minimum number of features.")] = 1,
    max_features: Annotated[str | None, a.MAX_FEATURES] = None,
    choose: Annotated[
        str,
        typer.Option(
            help="best, one-se, half-se, safe (not worse than all features), knee, a size, or a "
            "tolerance such as 0.01."
        ),
    ] = "best",
    consensus: Annotated[
        str | None,
        typer.Option(
            help="Search on so many samples of the rows, like 20, and keep what most of them "
            "choose; replay is cheaper."
        ),
    ] = None,
    options: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the search: population=500.")
    ] = None,
    nominal: Annotated[str | None, a.NOMINAL] = None,
    classifier: Annotated[str | None, a.CLASSIFIER] = None,
    estimator: Annotated[str | None, a.ESTIMATOR] = None,
    cv: Annotated[str, a.CV] = "auto",
    scoring: Annotated[str | None, a.SCORING] = None,
    racing: Annotated[
        bool,
        typer.Option(
            "--racing", help="Stop the folds of subsets that cannot catch up with the best one."
        ),
    ] = False,
    validate: Annotated[
        str,
        typer.Option(
            help="How to estimate the score on new data: nested (select and test on separate "
            "rows), corrected (replay the search), none, or auto: nested unless it takes long."
        ),
    ] = "auto",
    scheme: Annotated[str, a.SCHEME] = "5x2cv",
    no_validate: Annotated[
        bool, typer.Option("--no-validate", help="The same as --validate none.")
    ] = False,
    permutations: Annotated[
        int | None,
        typer.Option(min=1, help="Test the selection against so many with shuffled classes."),
    ] = None,
    jobs: Annotated[int | None, a.JOBS] = None,
    journal: Annotated[
        Path | None,
        typer.Option(help="Save every score in this file; `fewest resume` continues from it."),
    ] = None,
    json: Annotated[Path | None, a.JSON] = None,
    report: Annotated[Path | None, a.REPORT] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Select features of DATA and estimate their score on new data."""
    run(
        SelectOptions(
            data=data,
            target=target,
            measure=measure,
            search=search,
            seed=seed,
            max_time=max_time,
            max_evaluations=max_evaluations,
            max_generations=max_generations,
            include=include,
            exclude=exclude,
            groups=groups,
            costs=costs,
            budget=budget,
            min_features=min_features,
            max_features=None if max_features is None else a.value(max_features),
            choose=choose,
            consensus=consensus,
            options=options,
            nominal=nominal,
            classifier=classifier,
            estimator=estimator,
            cv=cv,
            scoring=scoring,
            racing=racing,
            validate="none" if no_validate else validate,
            scheme=scheme,
            permutations=permutations,
            jobs=jobs,
            journal=a.text(journal),
            json=a.text(json),
            report=a.text(report),
            quiet=quiet,
        )
    )


def run(o: SelectOptions) -> None:
    """Select with the options ``o``, print, write; also what ``fewest resume`` calls."""
    from ..run.interrupts import Interrupts

    with Interrupts(hard=True, signals=(signal.SIGINT, signal.SIGTERM)) as interrupts:
        code = _run(o, interrupts)
    if code:
        raise typer.Exit(code)


def _run(o: SelectOptions, interrupts: Interrupts) -> int:
    from ..data.engine.open import is_stored
    from ..report.text import describe_dataset
    from . import build

    data = build.checked(o)
    total = a.seconds(o.max_time)
    share = None if total is None else total / 2 if o.validates else total
    selector = build.selector(o, share, journal=_recording(o), verbose=int(_shows(o)))
    say(describe_dataset(data))
    validation, cut = None, False
    try:
        selector.fit(data.X, data.y, **_nominal(o))
        if is_stored(data.X):
            _say_not_validated(o, selector.result_)
        elif not interrupts.seen and not _broke_off(selector.result_):
            validation = _estimate(o, selector, data, share)
        interrupts.hold()
    except KeyboardInterrupt:
        interrupts.hold()
        cut = True
        if not hasattr(selector, "result_"):
            raise
    result = selector.result_
    cut = cut or interrupts.seen or result.stop_kind == "interrupt"
    # Whatever swallowed an interrupt, a validation during which it came cannot be trusted.
    return _finish(o, result, None if cut else validation, cut)


def _say_not_validated(o: SelectOptions, result: Result) -> None:
    """A table outside memory is selected from, but no model is fitted on its rows."""
    if o.validates:
        result.notes.append(
            "There is no accuracy on new data: the rows stay where they are. Load a sample of "
            "them to validate the selection."
        )


def _nominal(o: SelectOptions) -> dict[str, Any]:
    return {} if o.nominal is None else {"nominal": a.words(o.nominal)}


def _broke_off(result: Result) -> bool:
    from ..run.reasons import StopKind

    return result.stop_kind in (StopKind.INTERRUPT, StopKind.WORKER)


def _estimate(
    o: SelectOptions, selector: SubsetSelector, data: Dataset, share: float | None
) -> Validation | None:
    """The corrected score, the validation and the permutation test, as far as asked for."""
    from ..validation.affordable import estimates

    result = selector.result_
    nested, replayed, notes = estimates(
        o.validate, result, limited=share is not None, scheme=o.scheme
    )
    result.notes += notes
    if replayed:
        from ..validation.corrected import corrected_score

        corrected_score(selector, data.X, data.y, **_nominal(o))
    validation = _validate(o, data, share) if nested else None
    if o.permutations is not None:
        from ..validation.permutation import permutation_test

        permutation_test(selector, data.X, data.y, permutations=o.permutations, **_nominal(o))
    return validation


def _validate(o: SelectOptions, data: Dataset, share: float | None) -> Validation:
    """What the selection is worth on rows that it has not seen."""
    from ..validation.external import validate
    from ..validation.schemes import scheme_shape
    from . import build

    return validate(
        build.selector(o, None if share is None else share / math.prod(scheme_shape(o.scheme))),
        data.X,
        data.y,
        estimator=o.estimator,
        scoring=o.scoring,
        scheme=o.scheme,
        nominal=a.words(o.nominal),
        random_state=o.seed,
    )


def _finish(
    o: SelectOptions, result: Result, validation: Validation | None, interrupted: bool
) -> int:
    """Print the answer, then write it; the exit code."""
    from ..report.page import result_page
    from ..report.text import describe_result
    from ..run.interrupts import INTERRUPTED
    from .outputs import write_outputs

    result.honest = None if validation is None else validation.to_dict()
    if o.measure != "auto":
        result.measure = o.measure
    result.settings["command"] = {k: v for k, v in o.to_dict().items() if v is not None}
    if interrupted and o.validates and not _broke_off(result):
        note = "The validation was interrupted: there is no accuracy on new data."
        result.notes.append(note)
        complain(note)
    say(describe_result(result))
    written = write_outputs(
        ("result", o.json, result.to_json),
        ("report", o.report, lambda: result_page(result)),
    )
    if interrupted:
        return INTERRUPTED
    if _broke_off(result):
        complain(f"The run broke off: {result.stopped}. The answer above is the best so far.")
    return 0 if written and not _broke_off(result) else 1


def _shows(o: SelectOptions) -> bool:
    return not o.quiet and sys.stderr.isatty()


def _recording(o: SelectOptions) -> Recording | None:
    """The journal remembers the command, so that ``fewest resume`` can repeat it."""
    from ..run.journal import Recording
    from . import build

    if o.journal is None:
        return None
    return Recording(o.journal, {"command": {**o.to_dict(), "data": build.findable(o.data)}})
