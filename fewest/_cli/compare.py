"""``fewest compare``: several searches on the same external splits."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from .._errors import InputError
from . import arguments as a
from .options import SelectOptions, command
from .terminal import in_shell, say

#: The options of ``fewest select`` that a comparison has, and that repeat it.
REPEATING = (
    "data", "search", "target", "measure", "seed", "nominal", "types", "encoding", "group_by",
    "time", "weight", "task", "classifier", "estimator", "cv", "scoring", "scheme", "jobs",
)  # fmt: skip


def run(o: SelectOptions) -> None:
    """Compare searches with the options ``o``, print and write."""
    from .._report.page import comparison_page
    from .._report.text import describe_comparison, describe_dataset
    from .._subset_selector import SubsetSelector
    from .._validation.comparison import compare as run_comparison
    from . import objects as build
    from .running import write_outputs

    wanted = a.words(o.search)
    if not wanted:
        raise InputError("`--search` must name searches, like ebna,sfs, but is empty.")
    found, rows = build.with_rows(o, build.checked(o))
    selectors = {
        name: SubsetSelector(
            measure=build.measure(o.measure, o.classifier, o.cv, o.scoring),
            search=build.search(name, None),
            cv=a.folds(o.cv),
            scoring=o.scoring,
            n_jobs=o.jobs,
        )
        for name in wanted
    }
    say(describe_dataset(found))
    comparison = run_comparison(
        selectors,
        found.X,
        found.y,
        estimator=o.estimator,
        scheme=o.scheme,
        scoring=o.scoring,
        nominal=a.words(o.nominal),
        task=getattr(found, "task", None),
        random_state=o.seed,
        verbose=int(sys.stderr.isatty()),
        **rows,
    )
    given: dict[str, Any] = {name: getattr(o, name) for name in REPEATING}
    comparison.settings["command"] = {k: v for k, v in given.items() if v is not None}
    say(describe_comparison(comparison))
    if not write_outputs(
        ("comparison", o.json, lambda: json.dumps(comparison.to_dict(), indent=1) + "\n"),
        ("report", o.report, lambda: comparison_page(comparison, in_shell)),
    ):
        raise typer.Exit(1)


compare = command(
    SelectOptions,
    run,
    "Compare searches on DATA by the score of their subsets on new data.",
    (*REPEATING, "json", "report"),
    search=(Annotated[str, typer.Option("--search", "-s", help="Searches: ebna,sfs.")], "ebna,sfs"),
    jobs=(Annotated[int | None, a.JOBS], None),
)
