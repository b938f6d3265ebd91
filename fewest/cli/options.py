"""The options of ``fewest select`` as one object, which a journal can keep."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self, get_type_hints

#: What a resumed run takes from its own command line only: a journal is data, and must not
#: decide what is written where.
OWN = ("journal", "json", "report", "quiet", "jobs")


@dataclass(frozen=True)
class SelectOptions:
    """What was given to ``fewest select``; see its help for the meaning of each."""

    data: str
    target: str | None = None
    measure: str = "auto"
    search: str = "auto"
    seed: int = 0
    max_time: str | None = None
    max_evaluations: int | None = None
    max_generations: int | None = None
    include: str | None = None
    exclude: str | None = None
    groups: str | None = None
    costs: str | None = None
    budget: float | None = None
    min_features: int = 1
    max_features: int | float | str | None = None
    choose: str = "best"
    consensus: str | None = None
    options: list[str] | None = None
    nominal: str | None = None
    classifier: str | None = None
    estimator: str | None = None
    cv: str = "auto"
    scoring: str | None = None
    racing: bool = False
    validate: str = "auto"
    scheme: str = "5x2cv"
    permutations: int | None = None
    jobs: int | None = None
    journal: str | None = None
    json: str | None = None
    report: str | None = None
    quiet: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain data for a journal or a result."""
        return asdict(self)

    @property
    def validates(self) -> bool:
        """Whether the selection is validated at all."""
        return self.validate != "none"

    def changed(self, **changes: Any) -> Self:
        """The same options with some of them changed."""
        return replace(self, **changes)

    @classmethod
    def of_journal(cls, command: Any, where: str) -> Self:
        """The options in the first line of a journal, without those that only you may give."""
        from ..run.shapes import check_fields

        known = {field.name for field in fields(cls)} - set(OWN)
        kept = {name: value for name, value in command.items() if name in known}
        # Before version 0.2 it was a flag.
        if isinstance(kept.get("validate"), bool):
            kept["validate"] = "auto" if kept["validate"] else "none"
        check_fields(kept, get_type_hints(cls), ["data"], f"`command` of {where}")
        return cls(**kept)
