"""Options of commands that search as one object each, which a journal can keep."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self, get_origin, get_type_hints

import typer

from .._errors import InputError
from . import arguments as a

#: What a resumed run takes from its own command line only: a journal is data, and must not
#: decide what is written where.
OWN = ("journal", "json", "report", "bif", "quiet", "details", "format", "jobs", "memory")


class OptionReading(NamedTuple):
    """Reading of a value on the command line: its type there, and what makes the value of it."""

    kind: Any
    read: Callable[[Any], Any]


FILE, VALUE, CLUSTER = (
    OptionReading(Path, str),
    OptionReading(str, a.value),
    OptionReading(str, a.workers),
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of every command that a journal can repeat."""

    data: str = field(kw_only=False)
    verb: str = ""
    search: str = "auto"
    seed: int = 0
    max_time: str | None = None
    options: list[str] | None = None
    nominal: str | None = None
    types: str | None = None
    encoding: str | None = None
    #: A number of workers; for `fewest select` also the name of a cluster.
    jobs: Any = None
    journal: str | None = None
    json: str | None = None
    report: str | None = None
    quiet: bool = False
    details: bool = False
    format: str = "text"

    @property
    def validates(self) -> bool:
        """True if the answer is validated at all."""
        return False

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for a journal or a result."""
        return asdict(self)

    def changed(self, **changes: Any) -> Self:
        """Return the same options with some of them changed."""
        return replace(self, **changes)

    @classmethod
    def of_journal(cls, command: Any, where: str) -> Self:
        """Return the options in the first line of a journal, without those only you may give."""
        from .._run.result_format import check_fields

        known = {one.name for one in fields(cls)} - set(OWN)
        kept = {name: value for name, value in command.items() if name in known}
        # Before version 0.2 it was a flag.
        if isinstance(kept.get("validate"), bool):
            kept["validate"] = "auto" if kept["validate"] else "none"
        check_fields(kept, get_type_hints(cls), ["data"], f"`command` of {where}")
        return cls(**kept)


@dataclass(frozen=True, kw_only=True)
class SelectOptions(Options):
    """Options of ``fewest select``; see its help for the meaning of each."""

    verb: str = "select"
    data: Annotated[str, a.DATA] = field(kw_only=False)
    target: Annotated[str | None, a.TARGET] = None
    measure: Annotated[str, a.MEASURE] = "auto"
    search: Annotated[str, a.SEARCH] = "auto"
    seed: Annotated[int, a.SEED] = 0
    max_time: Annotated[
        str | None,
        typer.Option(help="Like 60s or 5m: half for the selection, half for its validation."),
    ] = None
    max_evaluations: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of subsets to score.")
    ] = None
    max_generations: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of generations.")
    ] = None
    include: Annotated[str | None, typer.Option(help="Features that are always selected: A,B.")] = (
        None
    )
    exclude: Annotated[str | None, typer.Option(help="Features that are never selected: C.")] = None
    feature_groups: Annotated[
        str | None, typer.Option(help="Groups of features that are selected together: A,B;C,D.")
    ] = None
    groups: Annotated[str | None, typer.Option(hidden=True)] = None
    group_by: Annotated[str | None, a.GROUP_BY] = None
    time: Annotated[str | None, a.TIME] = None
    weight: Annotated[str | None, a.WEIGHT] = None
    task: Annotated[str | None, a.TASK] = None
    costs: Annotated[
        str | None, typer.Option(help="Costs of features: A=3,B=2; others cost 1.")
    ] = None
    budget: Annotated[float | None, typer.Option(help="Maximum total cost.")] = None
    min_features: Annotated[int, typer.Option(help="Minimum number of features.")] = 0
    max_features: Annotated[int | float | str | None, a.MAX_FEATURES, VALUE] = None
    choose: Annotated[
        str,
        typer.Option(
            help="fewest (within half a point of the best size), best, one-se, half-se, safe (not "
            "worse than all features), knee, a size, or a tolerance such as 0.01."
        ),
    ] = "fewest"
    consensus: Annotated[
        str,
        typer.Option(
            help="Search on N samples of the rows, like 20, and keep what most of them "
            "choose; replay is cheaper, archive asks one search only; None takes its best subset."
        ),
    ] = "auto"
    options: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the search: population=500.")
    ] = None
    nominal: Annotated[str | None, a.NOMINAL] = None
    types: Annotated[str | None, a.TYPES] = None
    encoding: Annotated[str | None, a.ENCODING] = None
    memory: Annotated[str | None, a.MEMORY] = None
    classifier: Annotated[str | None, a.CLASSIFIER] = None
    estimator: Annotated[str | None, a.ESTIMATOR] = None
    cv: Annotated[str, a.CV] = "auto"
    scoring: Annotated[str | None, a.SCORING] = None
    screen: Annotated[
        int | None,
        typer.Option(min=1, help="Search only the N best features of a filter."),
    ] = None
    racing: Annotated[
        bool,
        typer.Option(
            "--racing", help="Stop the folds of subsets that cannot catch up with the best one."
        ),
    ] = False
    validate: Annotated[
        str,
        typer.Option(
            help="How to estimate the score on new data: nested (select and test on separate "
            "rows), corrected (replay the search), none, or auto: nested unless it takes long."
        ),
    ] = "auto"
    scheme: Annotated[str, a.SCHEME] = "auto"
    no_validate: Annotated[
        bool, typer.Option("--no-validate", help="The same as --validate none.")
    ] = False
    permutations: Annotated[
        int | None,
        typer.Option(min=1, help="Test the selection against N selections with shuffled classes."),
    ] = None
    jobs: Annotated[Any, a.WORKERS, CLUSTER] = None
    journal: Annotated[str | None, a.JOURNAL, FILE] = None
    json: Annotated[str | None, a.JSON, FILE] = None
    report: Annotated[str | None, a.REPORT, FILE] = None
    quiet: Annotated[bool, a.QUIET] = False
    details: Annotated[bool, a.DETAILS] = False
    format: Annotated[str, a.FORMAT] = "text"

    @property
    def validates(self) -> bool:
        """True if the selection is validated at all."""
        return self.way != "none"

    @property
    def way(self) -> str:
        """Return how the score on new data is estimated."""
        return "none" if self.no_validate else self.validate


@dataclass(frozen=True, kw_only=True)
class NetworkOptions(Options):
    """Options of ``fewest network``; see its help for the meaning of each."""

    verb: str = "network"
    data: Annotated[str, a.DATA] = field(kw_only=False)
    search: Annotated[
        str,
        typer.Option(
            "--search",
            "-s",
            help="auto, exact, hill-climbing, tabu, iterated-tabu, annealing, genetic, ga-order, "
            "climb-order, plackett-luce or random.",
        ),
    ] = "auto"
    score: Annotated[
        str, typer.Option(help="k2, bic, bdeu, or inferential-loss for searches over orderings.")
    ] = "bic"
    evidence: Annotated[
        str | None,
        typer.Option(help="For inferential-loss: the columns that are observed, like A,B,C."),
    ] = None
    queries: Annotated[
        int | None, typer.Option(min=1, help="For inferential-loss: number of rows queried.")
    ] = None
    inference: Annotated[
        str, typer.Option(help="For inferential-loss: auto, exact, ais-bn, ...")
    ] = "auto"
    max_parents: Annotated[
        int, typer.Option(min=0, help="Maximum number of parents of a variable.")
    ] = 4
    discretise: Annotated[
        str, typer.Option(help="How continuous columns are cut: frequency or width.")
    ] = "frequency"
    bins: Annotated[int, typer.Option(min=2, help="Intervals of a continuous column.")] = 4
    nominal: Annotated[str | None, a.NOMINAL] = None
    types: Annotated[str | None, a.TYPES] = None
    encoding: Annotated[str | None, a.ENCODING] = None
    seed: Annotated[int, a.SEED] = 0
    max_time: Annotated[str | None, typer.Option(help="Like 60s or 5m.")] = None
    journal: Annotated[str | None, a.JOURNAL, FILE] = None
    jobs: Annotated[int | None, a.JOBS] = None
    bif: Annotated[str | None, typer.Option(help="Write the network to this BIF file."), FILE] = (
        None
    )
    json: Annotated[str | None, a.JSON, FILE] = None
    report: Annotated[str | None, a.REPORT, FILE] = None
    options: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the search: population=500.")
    ] = None
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False


@dataclass(frozen=True, kw_only=True)
class WeighOptions(Options):
    """Options of ``fewest weigh``; see its help for the meaning of each."""

    verb: str = "weigh"
    data: Annotated[str, a.DATA] = field(kw_only=False)
    target: Annotated[str | None, a.TARGET] = None
    values: Annotated[
        str, typer.Option(help="levels (0, 0.5 and 1), continuous, or a list: 0,0.2,1.")
    ] = "auto"
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            "-m",
            help="nearest-neighbor, or weights without a search: mutual-information, relieff, "
            "class-conditional, gradient.",
        ),
    ] = "nearest-neighbor"
    start: Annotated[
        str, typer.Option(help="Weights in the first population: filters, or none.")
    ] = "filters"
    neighbors: Annotated[
        int, typer.Option("--neighbors", "-k", min=1, help="Neighbours that vote.")
    ] = 1
    search: Annotated[str, a.SEARCH] = "auto"
    seed: Annotated[int, a.SEED] = 0
    max_time: Annotated[
        str | None, typer.Option(help="Like 60s or 5m: half to search, half to validate.")
    ] = None
    max_generations: Annotated[int | None, typer.Option(min=1, help="Generations.")] = None
    include: Annotated[str | None, typer.Option(help="Weights above 0: A,B.")] = None
    exclude: Annotated[str | None, typer.Option(help="Weights of 0: C.")] = None
    groups: Annotated[str | None, typer.Option(help="Share a weight: A,B;C,D.")] = None
    max_features: Annotated[int | float | str | None, a.MAX_FEATURES, VALUE] = None
    options: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the search: population=500.")
    ] = None
    nominal: Annotated[str | None, a.NOMINAL] = None
    types: Annotated[str | None, a.TYPES] = None
    encoding: Annotated[str | None, a.ENCODING] = None
    cv: Annotated[str, typer.Option(help="auto, leave-one-out, or a number of folds.")] = "auto"
    no_validate: Annotated[
        bool, typer.Option("--no-validate", help="Do not estimate the accuracy on new data.")
    ] = False
    jobs: Annotated[int | None, a.JOBS] = None
    journal: Annotated[str | None, a.JOURNAL, FILE] = None
    json: Annotated[str | None, a.JSON, FILE] = None
    report: Annotated[str | None, a.REPORT, FILE] = None
    quiet: Annotated[bool, a.QUIET] = False
    details: Annotated[bool, a.DETAILS] = False
    format: Annotated[str, a.FORMAT] = "text"

    @property
    def validates(self) -> bool:
        """True if the weights are validated."""
        return not self.no_validate


def command(
    options: type[Options],
    run: Callable[[Any], None],
    description: str,
    names: Collection[str] = (),
    **changed: tuple[Any, Any],
) -> Callable[..., None]:
    """Return a command that runs with the fields which a class of options annotates itself.

    They stand in its help in the same order, or those of ``names`` in theirs. ``changed`` has the
    annotation and the default of fields that mean something else to this command.
    """
    hints = get_type_hints(options, include_extras=True)
    hints |= {name: hint for name, (hint, _) in changed.items()}
    defaults = {one.name: one.default for one in fields(options)}
    defaults |= {name: default for name, (_, default) in changed.items()}
    listed = names or options.__annotations__
    own = {n: hints[n] for n in listed if get_origin(hints[n]) is Annotated}
    readings = {name: hint.__metadata__[1] for name, hint in own.items() if hint.__metadata__[1:]}

    def call(**given: Any) -> None:
        read = {n: one(given[n]) for n, (_, one) in readings.items() if given[n] is not None}
        run(options(**given | read))

    found = []
    for name, hint in own.items():
        kind = readings[name].kind | None if name in readings else hint.__origin__
        default = inspect.Parameter.empty if defaults[name] is MISSING else defaults[name]
        annotation: Any = Annotated[kind, hint.__metadata__[0]]  # type: ignore[valid-type]
        how = inspect.Parameter.KEYWORD_ONLY
        found.append(inspect.Parameter(name, how, default=default, annotation=annotation))
    call.__signature__ = inspect.Signature(found)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in found}
    call.__doc__ = description
    return call


#: The options by the verb in a journal; without one it is that of ``fewest select``.
VERBS: dict[str, type[Options]] = {
    "select": SelectOptions,
    "weigh": WeighOptions,
    "network": NetworkOptions,
}


def options_of(command: dict[str, Any], where: str) -> Options:
    """Return the options that a journal keeps, of the command that wrote it."""
    verb = command.get("verb", "select")
    if not isinstance(verb, str) or verb not in VERBS:
        raise InputError(
            f"`verb` in the `command` of {where} must be one of {', '.join(VERBS)}, but is "
            f"{verb!r}."
        )
    return VERBS[verb].of_journal(command, where)
