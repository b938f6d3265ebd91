"""``fewest weigh``: find weights of features for nearest neighbours."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import arguments as a
from .terminal import say

if TYPE_CHECKING:
    from ..weigh import FeatureWeighter


def weigh(
    data: Annotated[str, a.DATA],
    target: Annotated[str | None, a.TARGET] = None,
    values: Annotated[
        str, typer.Option(help="levels (0, 0.5 and 1), continuous, or a list: 0,0.2,1.")
    ] = "levels",
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
    cv: Annotated[str, typer.Option(help="auto, leave-one-out, or a number of folds.")] = "auto",
    no_validate: Annotated[
        bool, typer.Option("--no-validate", help="Do not estimate the accuracy on new data.")
    ] = False,
    jobs: Annotated[int | None, a.JOBS] = None,
    journal: Annotated[
        Path | None, typer.Option(help="Keep every score here; the same command goes on from it.")
    ] = None,
    json: Annotated[Path | None, a.JSON] = None,
    report: Annotated[Path | None, a.REPORT] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Weigh the features of DATA for nearest neighbours and tell what the weights are worth."""
    from ..report.page import result_page
    from ..report.text import describe_dataset, describe_result
    from . import build
    from .outputs import check_outputs, write_outputs

    check_outputs(json, report)
    total = a.seconds(max_time)
    share = total if total is None or no_validate else total / 2
    given: dict[str, Any] = {
        "measure": _measure(k, cv),
        "search": build.search(search, options),
        "values": _values(values),
        "include": a.words(include),
        "exclude": a.words(exclude),
        "groups": a.groups(groups),
        "max_features": None if max_features is None else a.value(max_features),
        "n_jobs": jobs,
        "random_state": seed,
    }
    found = build.dataset(data, target)
    say(describe_dataset(found))
    marked: dict[str, Any] = {} if nominal is None else {"nominal": a.words(nominal)}
    shows = int(not quiet and sys.stderr.isatty())
    weighter = _weighter(given, share, max_generations, journal=journal, verbose=shows)
    weighter.fit(found.X, found.y, **marked)
    result = weighter.result_
    if not no_validate:
        from ..validation.external import validate

        part = None if share is None else share / 10
        inner = _weighter({**given, "n_jobs": None}, part, max_generations)
        honest = validate(inner, found.X, found.y, n_jobs=jobs, random_state=seed, **marked)
        result.honest = honest.to_dict()
    say(describe_result(result))
    write_outputs(
        ("result", _text(json), result.to_json),
        ("report", _text(report), lambda: result_page(result)),
    )


def _weighter(
    given: dict[str, Any], seconds: float | None, generations: int | None, **more: Any
) -> FeatureWeighter:
    from ..run.stop import Generations, Seconds
    from ..weigh import FeatureWeighter

    rules: list[Any] = [] if seconds is None else [Seconds(seconds)]
    rules.append("auto" if generations is None else Generations(generations))
    return FeatureWeighter(stop=rules, **given, **more)


def _measure(k: int, cv: str) -> Any:
    from ..measures.wrappers.nearest_neighbor import WeightedNeighbors

    return WeightedNeighbors(k=k, cv=a.value(cv))


def _values(text: str) -> Any:
    if text in ("levels", "continuous"):
        return text
    return a.words(text)


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
