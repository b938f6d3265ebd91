"""``fewest functions``: what a search can learn, on the functions of the literature."""

from __future__ import annotations

from typing import Annotated

import typer

from . import arguments as a
from .terminal import say


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
