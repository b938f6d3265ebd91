"""``fewest compare``: several searches on the same external splits."""

from __future__ import annotations

import json as plain_json
from pathlib import Path
from typing import Annotated

import typer

from ..errors import InputError
from . import arguments as a


def compare(
    data: Annotated[str, a.DATA],
    search: Annotated[str, typer.Option("--search", "-s", help="Searches: ebna,sfs.")] = "ebna,sfs",
    target: Annotated[str | None, a.TARGET] = None,
    measure: Annotated[str, a.MEASURE] = "auto",
    seed: Annotated[int, a.SEED] = 0,
    nominal: Annotated[str | None, a.NOMINAL] = None,
    classifier: Annotated[str | None, a.CLASSIFIER] = None,
    estimator: Annotated[str | None, a.ESTIMATOR] = None,
    cv: Annotated[str, a.CV] = "auto",
    scoring: Annotated[str | None, a.SCORING] = None,
    scheme: Annotated[str, typer.Option(help="The external loop, like 5x2cv.")] = "5x2cv",
    jobs: Annotated[int | None, a.JOBS] = None,
    json: Annotated[Path | None, a.JSON] = None,
    report: Annotated[Path | None, a.REPORT] = None,
) -> None:
    """Compare searches on DATA by what their subsets are worth on new data."""
    command = {k: v for k, v in locals().items() if v is not None and not isinstance(v, Path)}
    from ..report.text import describe_comparison, describe_dataset
    from ..select import SubsetSelector
    from ..validation.compare import compare as run
    from . import build

    build.check_outputs(json, report)
    wanted = a.words(search)
    if not wanted:
        raise InputError("`--search` must name searches, like ebna,sfs, but is empty.")
    found = build.dataset(data, target)
    selectors = {
        name: SubsetSelector(
            measure=build.measure(measure, classifier, cv, scoring),
            search=build.search(name, None),
            cv=a.value(cv),
            scoring=scoring,
            n_jobs=jobs,
        )
        for name in wanted
    }
    print(describe_dataset(found))
    comparison = run(
        selectors,
        found.X,
        found.y,
        estimator=estimator,
        scheme=scheme,
        scoring=scoring,
        nominal=a.words(nominal),
        random_state=seed,
    )
    comparison.settings["command"] = command
    print(describe_comparison(comparison))
    if json is not None:
        from ..run.files import write_whole

        write_whole(json, plain_json.dumps(comparison.to_dict(), indent=1) + "\n", "comparison")
        print(f"Written: {json} (comparison)")
    if report is not None:
        from ..report.page import write_comparison

        write_comparison(comparison, report)
        print(f"Written: {report} (report)")
