"""``fewest weigh``: find weights of features for nearest neighbours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import arguments as a
from .options import WeighOptions
from .running import finish, in_order, recording, search_and_judge, shows
from .terminal import say

if TYPE_CHECKING:
    from .._feature_weighter import FeatureWeighter
    from .._run.interrupts import Interrupts
    from .._validation.validation import Validation
    from ..data import Dataset


def weigh(
    data: Annotated[str, a.DATA],
    target: Annotated[str | None, a.TARGET] = None,
    values: Annotated[
        str, typer.Option(help="levels (0, 0.5 and 1), continuous, or a list: 0,0.2,1.")
    ] = "auto",
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            "-m",
            help="nearest-neighbor, or weights without a search: mutual-information, relieff, "
            "class-conditional, gradient.",
        ),
    ] = "nearest-neighbor",
    start: Annotated[
        str, typer.Option(help="Weights in the first population: filters, or none.")
    ] = "filters",
    k: Annotated[int, typer.Option("--neighbors", "-k", min=1, help="Neighbours that vote.")] = 1,
    search: Annotated[str, a.SEARCH] = "auto",
    seed: Annotated[int, a.SEED] = 0,
    max_time: Annotated[
        str | None, typer.Option(help="Like 60s or 5m: half to search, half to validate.")
    ] = None,
    max_generations: Annotated[int | None, typer.Option(min=1, help="Generations.")] = None,
    include: Annotated[str | None, typer.Option(help="Weights above 0: A,B.")] = None,
    exclude: Annotated[str | None, typer.Option(help="Weights of 0: C.")] = None,
    groups: Annotated[str | None, typer.Option(help="Share a weight: A,B;C,D.")] = None,
    max_features: Annotated[str | None, a.MAX_FEATURES] = None,
    options: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the search: population=500.")
    ] = None,
    nominal: Annotated[str | None, a.NOMINAL] = None,
    types: Annotated[str | None, a.TYPES] = None,
    encoding: Annotated[str | None, a.ENCODING] = None,
    cv: Annotated[str, typer.Option(help="auto, leave-one-out, or a number of folds.")] = "auto",
    no_validate: Annotated[
        bool, typer.Option("--no-validate", help="Do not estimate the accuracy on new data.")
    ] = False,
    jobs: Annotated[int | None, a.JOBS] = None,
    journal: Annotated[Path | None, a.JOURNAL] = None,
    json: Annotated[Path | None, a.JSON] = None,
    report: Annotated[Path | None, a.REPORT] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
    details: Annotated[bool, a.DETAILS] = False,
) -> None:
    """Weigh the features of DATA for nearest neighbours and report what the weights are worth."""
    run(
        WeighOptions(
            data=data,
            target=target,
            values=values,
            measure=measure,
            start=start,
            neighbors=k,
            search=search,
            seed=seed,
            max_time=max_time,
            max_generations=max_generations,
            include=include,
            exclude=exclude,
            groups=groups,
            max_features=None if max_features is None else a.value(max_features),
            options=options,
            nominal=nominal,
            types=types,
            encoding=encoding,
            cv=cv,
            no_validate=no_validate,
            jobs=jobs,
            journal=a.text(journal),
            json=a.text(json),
            report=a.text(report),
            quiet=quiet,
            details=details,
        )
    )


def run(o: WeighOptions) -> None:
    """Weigh with the options ``o``, print, write; also what ``fewest resume`` calls."""
    in_order(lambda interrupts: _run(o, interrupts))


def _run(o: WeighOptions, interrupts: Interrupts) -> int:
    from .._report.text import describe_dataset
    from . import objects as build
    from .outputs import check_outputs

    check_outputs(o.json, o.report)
    total = a.seconds(o.max_time)
    share = total if total is None or not o.validates else total / 2
    given = _given(o)
    found = build.dataset(o.data, o.target, o.types, o.encoding)
    say(describe_dataset(found))
    more = {"n_jobs": o.jobs, "journal": recording(o), "verbose": int(shows(o))}
    weighter = _weighter(given, share, o.max_generations, **more)
    validation, cut = search_and_judge(
        weighter,
        lambda: weighter.fit(found.X, found.y, **_nominal(o)),
        lambda: _validate(o, given, found, share),
        interrupts,
    )
    return finish(o, weighter.result_, validation, cut)


def _given(o: WeighOptions) -> dict[str, Any]:
    """Return what the run and every fold of its validation have in common."""
    from . import objects as build

    return {
        "measure": _measure(o) if o.measure == "nearest-neighbor" else o.measure,
        "cv": a.value(o.cv),
        "start": None if o.start == "none" else o.start,
        "search": build.search(o.search, o.options),
        "values": _values(o.values),
        "include": a.words(o.include),
        "exclude": a.words(o.exclude),
        "groups": a.groups(o.groups),
        "max_features": o.max_features,
        "random_state": o.seed,
    }


def _validate(
    o: WeighOptions, given: dict[str, Any], found: Dataset, share: float | None
) -> Validation | None:
    """Estimate what the weights are worth on rows that they were not found with."""
    from .._validation.external import validate

    if not o.validates:
        return None
    inner = _weighter(given, None if share is None else share / 10, o.max_generations)
    return validate(
        inner,
        found.X,
        found.y,
        n_jobs=o.jobs,
        random_state=o.seed,
        verbose=int(shows(o)),
        nominal=a.words(o.nominal),
    )


def fingerprint(o: WeighOptions) -> str:
    """Return what distinguishes the data of a run from all others."""
    from .._fitting.plan import make_problem
    from . import objects as build

    found = build.dataset(o.data, o.target, o.types, o.encoding)
    problem = make_problem(found.X, found.y, _measure(o), nominal=a.words(o.nominal))
    return problem.table.fingerprint


def _nominal(o: WeighOptions) -> dict[str, Any]:
    return {} if o.nominal is None else {"nominal": a.words(o.nominal)}


def _weighter(
    given: dict[str, Any], seconds: float | None, generations: int | None, **more: Any
) -> FeatureWeighter:
    from .._feature_weighter import FeatureWeighter
    from .._run.stop_rules import Generations, Seconds

    rules: list[Any] = [] if seconds is None else [Seconds(seconds)]
    rules.append("auto" if generations is None else Generations(generations))
    return FeatureWeighter(stop=rules, **given, **more)


def _measure(o: WeighOptions) -> Any:
    from ..measures._wrappers.weighted_neighbors import WeightedNeighbors

    return WeightedNeighbors(k=o.neighbors, cv=a.value(o.cv))


def _values(text: str) -> Any:
    if text in ("auto", "levels", "continuous"):
        return text
    return a.words(text)
