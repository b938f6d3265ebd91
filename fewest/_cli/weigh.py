"""``fewest weigh``: find weights of features for nearest neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import arguments as a
from .options import WeighOptions, command
from .running import check_outputs, finish, in_order, recording, search_and_judge, shows, speaks
from .terminal import say

if TYPE_CHECKING:
    from .._feature_weighter import FeatureWeighter
    from .._interrupts import Interrupts
    from .._validation.validation import Validation
    from ..data import Dataset


def run(o: WeighOptions) -> None:
    """Weigh with the options ``o``, print, write; also what ``fewest resume`` calls."""
    in_order(lambda interrupts: _run(o, interrupts))


weigh = command(
    WeighOptions,
    run,
    "Weigh the features of DATA for nearest neighbours and report what the weights are worth.",
)


def _run(o: WeighOptions, interrupts: Interrupts) -> int:
    from .._report.text import describe_dataset
    from . import objects as build

    check_outputs(o.json, o.report)
    total = a.seconds(o.max_time)
    share = total if total is None or not o.validates else total / 2
    given = _given(o)
    found = build.dataset(o.data, o.target, o.types, o.encoding)
    if speaks(o):
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
