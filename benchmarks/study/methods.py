"""The methods of the study: a measure, a search, a stopping rule, a consensus, a budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fewest import SubsetSelector
from fewest.run.stop import Evaluations, Generations, NoImprovement, Significance, Stop

#: Stopping rules by name.
STOPS: dict[str, list[Stop]] = {
    "significance": [Significance(), Generations(100)],
    "patience 10": [NoImprovement(10), Generations(100)],
}
#: The choice rules; each is made on the same run.
CHOICES = ("best", "half-se", "one-se", "safe")
#: Searches by populations need a stopping rule; the others end by themselves.
POPULATION = ("ebna", "umda", "mimic", "tree", "boa", "ga-uniform", "ga-one-point", "chc")
ENDING = ("sfs", "sbe", "sffs", "sbfs", "best-first")
FILTERS = ("cfs", "mdl-fs", "inconsistency")
#: The classifiers that judge what a filter selects.
JUDGES = ("naive-bayes", "c4.5", "nearest-neighbor")
#: Measures, the first for all methods, the others for a few of them.
MAIN = "naive-bayes"
MODELS = ("lda", "ridge-classifier", "k-nn", "logistic-regression", "tan", "id3", "c4.5")


@dataclass(frozen=True)
class Method:
    """One way to search; its choice rules are told apart by :func:`named`."""

    measure: str
    search: str
    stop: str = ""
    consensus: Any = None
    budget: int | None = None
    choices: tuple[str, ...] = CHOICES
    judges: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """All that differs, in one line."""
        agreed = "" if self.consensus is None else f"consensus {self.consensus}"
        budget = "" if self.budget is None else f"{self.budget} evaluations"
        return ", ".join(part for part in (self.search, self.stop, agreed, budget) if part)

    def selector(self) -> SubsetSelector:
        """The selector to run."""
        stop: Any = list(STOPS[self.stop]) if self.stop else []
        if self.search == "auto":
            stop = ["auto"]
        if self.budget is not None:
            stop = [*stop, Evaluations(self.budget)]
        return SubsetSelector(
            measure=self.measure, search=self.search, stop=stop or None, consensus=self.consensus
        )


def named(method: str, choose: str) -> str:
    """The name of a method with its choice rule."""
    return method if choose == "best" else f"{method}, {choose}"


def methods(quick: bool) -> list[Method]:
    """All methods of fewest, the cheap ones first."""
    found = [Method(MAIN, "auto")]
    found += [Method(MAIN, search) for search in (ENDING if not quick else ("sfs", "sffs"))]
    found += [
        Method(MAIN, search, "patience 10")
        for search in (POPULATION if not quick else ("ebna", "umda", "ga-uniform"))
    ]
    found += [
        Method(MAIN, search, "significance", choices=("best",)) for search in ("ebna", "ga-uniform")
    ]
    found += [Method(MAIN, "random", budget=1_000, choices=("best",))]
    found += [Method(m, "auto", choices=("best",), judges=JUDGES) for m in FILTERS]
    found += [
        Method(MAIN, search, consensus=kind)
        for search in ("sfs", "sffs")
        for kind in ("replay", 20)
    ]
    return found if quick else found + _more()


def _more() -> list[Method]:
    """What only the full study runs: budgets, models, and a consensus of populations."""
    found = []
    for budget in (100, 1_000, 10_000):
        found += [
            Method(MAIN, s, "patience 10" if s in POPULATION else "", None, budget, ("best",))
            for s in ("sffs", "best-first", "ebna", "umda", "ga-uniform", "random")
        ]
    for model in MODELS:
        found += [Method(model, "sfs"), Method(model, "sffs"), Method(model, "umda", "patience 10")]
        found += [Method(model, "sfs", consensus="replay")]
    return found + [Method(MAIN, "umda", "patience 10", kind) for kind in ("replay", 20)]
