"""``fewest compare``: several searches on the same external splits."""

from __future__ import annotations

import json as plain_json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from .._errors import InputError
from . import arguments as a
from .options import SelectOptions
from .terminal import in_shell, say


def compare(
    data: Annotated[str, a.DATA],
    search: Annotated[str, typer.Option("--search", "-s", help="Searches: ebna,sfs.")] = "ebna,sfs",
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
    estimator: Annotated[str | None, a.ESTIMATOR] = None,
    cv: Annotated[str, a.CV] = "auto",
    scoring: Annotated[str | None, a.SCORING] = None,
    scheme: Annotated[str, a.SCHEME] = "auto",
    jobs: Annotated[int | None, a.JOBS] = None,
    json: Annotated[Path | None, a.JSON] = None,
    report: Annotated[Path | None, a.REPORT] = None,
) -> None:
    """Compare searches on DATA by the score of their subsets on new data."""
    from .._report.page import comparison_page
    from .._report.text import describe_comparison, describe_dataset
    from .._subset_selector import SubsetSelector
    from .._validation.comparison import compare as run
    from . import objects as build
    from .running import write_outputs

    wanted = a.words(search)
    if not wanted:
        raise InputError("`--search` must name searches, like ebna,sfs, but is empty.")
    given = SelectOptions(
        data=data, target=target, measure=measure, search=search, seed=seed, nominal=nominal,
        types=types, encoding=encoding, task=task, group_by=group_by, time=time, weight=weight,
        classifier=classifier, estimator=estimator, cv=cv, scoring=scoring, jobs=jobs,
        scheme=scheme,
        json=None if json is None else str(json), report=None if report is None else str(report),
    )  # fmt: skip
    found, rows = build.with_rows(given, build.checked(given))
    selectors = {
        name: SubsetSelector(
            measure=build.measure(given.measure, classifier, cv, scoring),
            search=build.search(name, None),
            cv=a.folds(cv),
            scoring=scoring,
            n_jobs=jobs,
        )
        for name in wanted
    }
    say(describe_dataset(found))
    comparison = run(
        selectors,
        found.X,
        found.y,
        estimator=estimator,
        scheme=scheme,
        scoring=scoring,
        nominal=a.words(nominal),
        task=getattr(found, "task", None),
        random_state=seed,
        verbose=int(sys.stderr.isatty()),
        **rows,
    )
    comparison.settings["command"] = _command(given)
    say(describe_comparison(comparison))
    if not write_outputs(
        ("comparison", json, lambda: plain_json.dumps(comparison.to_dict(), indent=1) + "\n"),
        ("report", report, lambda: comparison_page(comparison, in_shell)),
    ):
        raise typer.Exit(1)


def _command(o: SelectOptions) -> dict[str, Any]:
    """Return what the page shows as the command that repeats the comparison."""
    kept = ("data", "search", "target", "measure", "seed", "nominal", "types", "encoding", "task",
            "group_by", "time", "weight", "classifier", "estimator")  # fmt: skip
    plain = o.to_dict()
    command = {name: plain[name] for name in (*kept, "cv", "scoring", "jobs", "scheme")}
    return {k: v for k, v in command.items() if v is not None}
