"""``fewest select``: choose features, and say what they are worth."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import arguments as a

if TYPE_CHECKING:
    from ..data import Dataset
    from ..run.journal import Recording
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
    max_evaluations: Annotated[int | None, typer.Option(min=1, help="Subsets to score.")] = None,
    max_generations: Annotated[int | None, typer.Option(min=1, help="Generations.")] = None,
    include: Annotated[str | None, typer.Option(help="Features that must be in: A,B.")] = None,
    exclude: Annotated[str | None, typer.Option(help="Features that must be out: C.")] = None,
    groups: Annotated[str | None, typer.Option(help="Come and go together: A,B;C,D.")] = None,
    costs: Annotated[str | None, typer.Option(help="What each feature costs: A=3,B=1.")] = None,
    budget: Annotated[float | None, typer.Option(help="The most that it may cost.")] = None,
    min_features: Annotated[int, typer.Option(help="The smallest size.")] = 1,
    max_features: Annotated[int | None, typer.Option(help="The largest size.")] = None,
    choose: Annotated[
        str, typer.Option(help="best, one-se, knee, a size, or a tolerance such as 0.01.")
    ] = "best",
    options: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the search: population=500.")
    ] = None,
    nominal: Annotated[str | None, a.NOMINAL] = None,
    classifier: Annotated[str | None, a.CLASSIFIER] = None,
    estimator: Annotated[str | None, a.ESTIMATOR] = None,
    cv: Annotated[str, a.CV] = "auto",
    scoring: Annotated[str | None, a.SCORING] = None,
    validate: Annotated[
        bool, typer.Option(help="Also measure the accuracy on rows the selection never saw.")
    ] = True,
    jobs: Annotated[int | None, a.JOBS] = None,
    journal: Annotated[
        Path | None, typer.Option(help="Keep every score here; `fewest resume` goes on from it.")
    ] = None,
    json: Annotated[Path | None, a.JSON] = None,
    report: Annotated[Path | None, a.REPORT] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Select features of DATA and tell what they are worth on new data."""
    run({k: str(v) if isinstance(v, Path) else v for k, v in locals().items()})


def run(o: dict[str, Any]) -> None:
    """Select with the options ``o``, print, write; also what ``fewest resume`` calls."""
    from ..report.text import describe_dataset, describe_result
    from . import build

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    build.check_outputs(o["json"], o["report"])
    data = build.dataset(o["data"], o["target"])
    total = a.seconds(o["max_time"])
    share = None if total is None else total / 2 if o["validate"] else total
    selector = build.selector(o, share, journal=_recording(o), verbose=int(_shows(o)))
    print(describe_dataset(data))
    nominal = a.words(o["nominal"])
    selector.fit(data.X, data.y, **({} if nominal is None else {"nominal": nominal}))
    validation = None
    cut = selector.result_.stopped == "interrupted"
    if o["validate"] and not cut:
        validation = _validate(o, data, share)
        cut = validation is None
    _finish(o, selector, validation)
    print(describe_result(selector.result_))
    for what, where in (("result", o["json"]), ("report", o["report"])):
        if where:
            print(f"Written: {where} ({what})")
    if cut:
        raise typer.Exit(130)


def _validate(o: dict[str, Any], data: Dataset, share: float | None) -> Validation | None:
    """What the selection is worth; None if that was interrupted."""
    from ..validation.external import validate
    from . import build

    judged = o["estimator"]
    selector = build.selector(o, None if share is None else share / 10)
    nominal = a.words(o["nominal"])
    try:
        return validate(
            selector,
            data.X,
            data.y,
            estimator=judged,
            scoring=o["scoring"],
            nominal=nominal,
            random_state=o["seed"],
        )
    except KeyboardInterrupt:
        print("Validation interrupted: no honest accuracy this time.", file=sys.stderr)
        return None


def _finish(o: dict[str, Any], selector: SubsetSelector, validation: Validation | None) -> None:
    result = selector.result_
    result.honest = None if validation is None else validation.to_dict()
    if o["measure"] != "auto":
        result.measure = o["measure"]
    result.settings["command"] = {k: v for k, v in o.items() if v is not None}
    if o["json"]:
        result.save(o["json"])
    if o["report"]:
        from ..report.page import write_page

        write_page(result, o["report"])


def _shows(o: dict[str, Any]) -> bool:
    return not o["quiet"] and sys.stderr.isatty()


def _recording(o: dict[str, Any]) -> Recording | None:
    """The journal remembers the command, so that ``fewest resume`` needs nothing else."""
    from ..run.journal import Recording

    if o["journal"] is None:
        return None
    return Recording(o["journal"], {"command": {**o, "data": _findable(o["data"])}})


def _findable(data: str) -> str:
    return str(Path(data).resolve()) if Path(data).exists() else data
