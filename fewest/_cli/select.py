"""``fewest select``: select features and estimate their score on new data."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import arguments as a
from .options import SelectOptions
from .running import finish, in_order, recording, search_and_judge, shows
from .terminal import say

if TYPE_CHECKING:
    from .._run.interrupts import Interrupts
    from .._subset_selector import SubsetSelector
    from .._validation.validation import Validation
    from ..data import Dataset


#: A table outside memory is selected from, but no model is fitted on its rows.
NOT_IN_MEMORY = (
    "There is no accuracy on new data: the rows stay where they are. Load a sample of them to "
    "validate the selection."
)


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
    feature_groups: Annotated[
        str | None, typer.Option(help="Groups of features that are selected together: A,B;C,D.")
    ] = None,
    groups: Annotated[str | None, typer.Option(hidden=True)] = None,
    group_by: Annotated[str | None, a.GROUP_BY] = None,
    time: Annotated[str | None, a.TIME] = None,
    weight: Annotated[str | None, a.WEIGHT] = None,
    task: Annotated[str | None, a.TASK] = None,
    costs: Annotated[
        str | None, typer.Option(help="Costs of features: A=3,B=2; others cost 1.")
    ] = None,
    budget: Annotated[float | None, typer.Option(help="Maximum total cost.")] = None,
    min_features: Annotated[int, typer.Option(help="Minimum number of features.")] = 0,
    max_features: Annotated[str | None, a.MAX_FEATURES] = None,
    choose: Annotated[
        str,
        typer.Option(
            help="fewest (within half a point of the best size), best, one-se, half-se, safe (not "
            "worse than all features), knee, a size, or a tolerance such as 0.01."
        ),
    ] = "fewest",
    consensus: Annotated[
        str,
        typer.Option(
            help="Search on N samples of the rows, like 20, and keep what most of them "
            "choose; replay is cheaper, archive asks one search only; None takes its best subset."
        ),
    ] = "auto",
    options: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the search: population=500.")
    ] = None,
    nominal: Annotated[str | None, a.NOMINAL] = None,
    types: Annotated[str | None, a.TYPES] = None,
    encoding: Annotated[str | None, a.ENCODING] = None,
    classifier: Annotated[str | None, a.CLASSIFIER] = None,
    estimator: Annotated[str | None, a.ESTIMATOR] = None,
    cv: Annotated[str, a.CV] = "auto",
    scoring: Annotated[str | None, a.SCORING] = None,
    screen: Annotated[
        int | None,
        typer.Option(min=1, help="Search only the N best features of a filter."),
    ] = None,
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
    scheme: Annotated[str, a.SCHEME] = "auto",
    no_validate: Annotated[
        bool, typer.Option("--no-validate", help="The same as --validate none.")
    ] = False,
    permutations: Annotated[
        int | None,
        typer.Option(min=1, help="Test the selection against N selections with shuffled classes."),
    ] = None,
    jobs: Annotated[str | None, a.WORKERS] = None,
    journal: Annotated[Path | None, a.JOURNAL] = None,
    json: Annotated[Path | None, a.JSON] = None,
    report: Annotated[Path | None, a.REPORT] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
    details: Annotated[bool, a.DETAILS] = False,
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
            groups=a.renamed_groups(groups, feature_groups),
            group_by=group_by,
            time=time,
            weight=weight,
            task=task,
            costs=costs,
            budget=budget,
            min_features=min_features,
            max_features=None if max_features is None else a.value(max_features),
            choose=choose,
            consensus=consensus,
            options=options,
            nominal=nominal,
            types=types,
            encoding=encoding,
            classifier=classifier,
            estimator=estimator,
            cv=cv,
            scoring=scoring,
            racing=racing,
            screen=screen,
            validate="none" if no_validate else validate,
            scheme=scheme,
            permutations=permutations,
            jobs=a.workers(jobs),
            journal=a.text(journal),
            json=a.text(json),
            report=a.text(report),
            quiet=quiet,
            details=details,
        )
    )


def run(o: SelectOptions) -> None:
    """Select with the options ``o``, print, write; also what ``fewest resume`` calls."""
    in_order(lambda interrupts: _run(o, interrupts))


def _run(o: SelectOptions, interrupts: Interrupts) -> int:
    from .._report.text import describe_dataset
    from . import objects as build

    data, rows = build.with_rows(o, build.checked(o))
    given = {**_reading(o, data), **build.for_fit(o, rows)}
    total = a.seconds(o.max_time)
    share = None if total is None else total / 2 if o.validates else total
    selector = build.selector(o, share, journal=recording(o), verbose=int(shows(o)))
    say(describe_dataset(data))
    validation, cut = search_and_judge(
        selector,
        lambda: selector.fit(data.X, data.y, **given),
        lambda: _estimate(o, selector, data, share, given, rows),
        interrupts,
    )
    if o.measure != "auto":
        selector.result_ = replace(selector.result_, measure=o.measure)
    return finish(o, selector.result_, validation, cut)


def fingerprint(o: SelectOptions) -> str:
    """Return what distinguishes the data of a run from all others."""
    from .._fitting.plan import make_problem
    from . import objects as build

    whole = build.dataset(o.data, o.target, o.types, o.encoding, o.task)
    found, _ = build.with_rows(o, whole)
    measure = build.measure(o.measure, o.classifier, o.cv, o.scoring)
    problem = make_problem(found.X, found.y, measure, **_reading(o, found))
    return build.selector(o).seen(problem).table.fingerprint


def _reading(o: SelectOptions, data: Dataset) -> dict[str, Any]:
    """How the data are to be read, where that is given."""
    found = getattr(data, "task", None) or o.task
    task = {} if found is None else {"task": found}
    return task if o.nominal is None else {**task, "nominal": a.words(o.nominal)}


def _estimate(
    o: SelectOptions,
    selector: SubsetSelector,
    data: Dataset,
    share: float | None,
    given: dict[str, Any],
    rows: dict[str, Any],
) -> Validation | None:
    """Return the validation; make the replayed score and the permutation test as requested."""
    from .._validation.schemes import affordable_scheme, estimates
    from ..data._engine.open import is_stored

    result = selector.result_
    if is_stored(data.X):
        result.notes.extend([NOT_IN_MEMORY] if o.validates else [])
        return None
    limited = share is not None
    scheme = affordable_scheme(o.scheme, result, limited=limited)
    # The curve of the search judges the model selected for; another one is judged by itself.
    other = o.validate == "auto" and o.estimator is not None
    validates = "nested" if other else o.validate
    nested, replayed, notes = estimates(validates, result, limited=limited, scheme=scheme)
    result.notes.extend(notes)
    if replayed:
        from .._validation.corrected import NoReplayError, corrected_score

        try:
            corrected_score(selector, data.X, data.y, **given)
        except NoReplayError:
            if o.validate == "corrected":
                raise
    validation = _validate(o, data, share, scheme, rows) if nested else None
    if o.permutations is not None:
        from .._validation.permutation import permutation_test

        permutation_test(selector, data.X, data.y, permutations=o.permutations, **given)
    return validation


def _validate(
    o: SelectOptions, data: Dataset, share: float | None, scheme: str, rows: dict[str, Any]
) -> Validation:
    """Estimate what the selection is worth on rows that it has not seen."""
    from .._validation.external import validate
    from .._validation.schemes import scheme_shape
    from . import objects as build

    return validate(
        build.selector(o, None if share is None else share / math.prod(scheme_shape(scheme))),
        data.X,
        data.y,
        estimator=o.estimator,
        scoring=o.scoring,
        scheme=scheme,
        random_state=o.seed,
        verbose=int(shows(o)),
        **_reading(o, data),
        **rows,
    )
