"""Options of commands that search as one object each, which a journal can keep."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self, get_type_hints

from .._errors import InputError

#: What a resumed run takes from its own command line only: a journal is data, and must not
#: decide what is written where.
OWN = ("journal", "json", "report", "bif", "quiet", "details", "jobs")


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
    target: str | None = None
    measure: str = "auto"
    max_evaluations: int | None = None
    max_generations: int | None = None
    include: str | None = None
    exclude: str | None = None
    groups: str | None = None
    group_by: str | None = None
    time: str | None = None
    weight: str | None = None
    task: str | None = None
    costs: str | None = None
    budget: float | None = None
    min_features: int = 0
    max_features: int | float | str | None = None
    choose: str = "fewest"
    consensus: str = "auto"
    classifier: str | None = None
    estimator: str | None = None
    cv: str = "auto"
    scoring: str | None = None
    racing: bool = False
    screen: int | None = None
    validate: str = "auto"
    scheme: str = "auto"
    permutations: int | None = None

    @property
    def validates(self) -> bool:
        """True if the selection is validated at all."""
        return self.validate != "none"


@dataclass(frozen=True, kw_only=True)
class NetworkOptions(Options):
    """Options of ``fewest network``; see its help for the meaning of each."""

    verb: str = "network"
    score: str = "bic"
    max_parents: int = 4
    discretise: str = "frequency"
    bins: int = 4
    evidence: str | None = None
    queries: int | None = None
    inference: str = "auto"
    bif: str | None = None


@dataclass(frozen=True, kw_only=True)
class WeighOptions(Options):
    """Options of ``fewest weigh``; see its help for the meaning of each."""

    verb: str = "weigh"
    target: str | None = None
    values: str = "auto"
    measure: str = "nearest-neighbor"
    start: str = "filters"
    neighbors: int = 1
    max_generations: int | None = None
    include: str | None = None
    exclude: str | None = None
    groups: str | None = None
    max_features: int | float | str | None = None
    cv: str = "auto"
    no_validate: bool = False

    @property
    def validates(self) -> bool:
        """True if the weights are validated."""
        return not self.no_validate


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
