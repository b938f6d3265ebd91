"""The methods of the study: a search, a stopping rule, a choice rule, and a measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fewest import SubsetSelector
from fewest.run.stop import Evaluations, Generations, NoImprovement, Significance, Stop

#: Stopping rules by name.
STOPS: dict[str, list[Stop]] = {
    "significance": [Significance(), Generations(100)],
    "patience 5": [NoImprovement(5), Generations(100)],
    "patience 10": [NoImprovement(10), Generations(100)],
}


@dataclass(frozen=True)
class Method:
    """One way to select."""

    measure: str
    search: str
    stop: str = ""
    choose: str = "best"
    budget: int | None = None

    @property
    def name(self) -> str:
        """All that differs, in one line."""
        rules = [self.search, self.stop, "" if self.choose == "best" else self.choose]
        budget = "" if self.budget is None else f"{self.budget} evaluations"
        return ", ".join(part for part in (*rules, budget) if part)

    def selector(self) -> SubsetSelector:
        """The selector to validate."""
        stop: Any = list(STOPS[self.stop]) if self.stop else None
        if self.search == "auto":
            stop = ["auto"]
        if self.budget is not None:
            stop = [*(stop or []), Evaluations(self.budget)]
        return SubsetSelector(
            measure=self.measure, search=self.search, stop=stop or None, choose=self.choose
        )


#: Searches by populations need a stopping rule; the others end by themselves.
POPULATION = ("ebna", "umda", "mimic", "tree", "boa", "ga-uniform", "ga-one-point", "chc")
ENDING = ("sfs", "sbe", "sffs", "sbfs", "best-first")
FILTERS = ("cfs", "mdl-fs", "inconsistency")


def methods(measure: str, quick: bool) -> list[Method]:
    """All methods over one measure."""
    population = ("ebna", "umda", "ga-uniform", "chc") if quick else POPULATION
    ending = ("sfs", "sffs", "best-first") if quick else ENDING
    found = [Method(measure, "auto"), Method(measure, "auto", choose="one-se")]
    for search in ending:
        found += [Method(measure, search, choose=rule) for rule in ("best", "one-se")]
    for search in population:
        found += [Method(measure, search, stop) for stop in STOPS if stop != "patience 5"]
        found += [Method(measure, search, "patience 10", "one-se")]
    for budget in () if quick else (100, 1_000, 10_000):
        for search in ("sffs", "best-first", "ebna", "umda", "ga-uniform", "random"):
            stop = "patience 10" if search in POPULATION else ""
            found.append(Method(measure, search, stop, budget=budget))
    found.append(Method(measure, "random", budget=1_000))
    return found


def filter_methods() -> list[Method]:
    """Filters with the search that the library picks for them, judged by naive Bayes."""
    return [Method(measure, "auto") for measure in FILTERS]
