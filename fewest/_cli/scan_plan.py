"""``fewest plan``: what a selection from a table outside memory would cost."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from .._errors import InputError
from . import arguments as a
from .terminal import say


def plan(
    data: Annotated[str, a.DATA],
    target: Annotated[str | None, a.TARGET] = None,
    measure: Annotated[str, a.MEASURE] = "mrmr",
    search: Annotated[str, a.SEARCH] = "sfs",
    max_features: Annotated[str | None, a.MAX_FEATURES] = None,
    rows: Annotated[
        float | None, typer.Option(min=1, help="Rows to plan for, such as 1e10; default: as now.")
    ] = None,
    memory: Annotated[str | None, a.MEMORY] = None,
    workers: Annotated[int, typer.Option(min=1, help="Workers that share the scans.")] = 1,
) -> None:
    """Estimate scans, bytes, CPU and memory of a selection from DATA that stays where it is."""
    from .._scan_costs import scan_costs
    from .._subset_selector import SubsetSelector
    from ..data._engine.open import is_stored
    from . import objects as build

    found: Any = build.dataset(data, target, memory=memory)
    if not is_stored(found.X):
        raise InputError(
            "DATA must stay where it is (a pattern or folder of Parquet files, a DuckDB table), "
            f"but {data} is read into memory; `fewest select` tells how long it takes."
        )
    selector = SubsetSelector(
        build.measure(measure, None, "auto", None),
        search=build.search(search, None),
        max_features=None if max_features is None else a.value(max_features),
        random_state=0,
        refit=False,
    )
    costs, n_rows = scan_costs(found.X, selector, found.target)
    say(f"{found!r}, {n_rows:,} rows; {measure}, search {search}")
    say(costs.describe(rows or n_rows, workers))
