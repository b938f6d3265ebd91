"""The methods of the study: a measure, a search, a stopping rule, a consensus, a budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fewest import SubsetSelector
from fewest._run.stop_rules import Evaluations, Generations, NoImprovement, Significance, Stop

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
#: Tables of the quick version: small, and of every kind.
TEN = (
    "wdbc", "ionosphere", "heart-statlog", "hepatitis", "glass", "vehicle", "lymphography",
    "horse-colic", "credit-crx", "led24",
)  # fmt: skip
#: Measures, the first for all methods, the others for a few of them.
MAIN = "naive-bayes"
MODELS = ("lda", "ridge-classifier", "id3", "k-nn", "logistic-regression", "c4.5", "tan")
#: The models that are fast enough for searches by populations.
LINEAR = MODELS[:2]


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
        consensus = "auto" if self.search == "auto" else self.consensus
        return SubsetSelector(
            measure=self.measure, search=self.search, stop=stop or None, consensus=consensus
        )


def named(method: str, choose: str) -> str:
    """The name of a method with its choice rule."""
    return method if choose == "best" else f"{method}, {choose}"


def methods(quick: bool) -> list[Method]:
    """All methods of fewest over the main measure, and the filters; what tells most comes first."""
    found = [Method(MAIN, search) for search in ("auto", "sfs", "sffs")]
    found += [
        Method(MAIN, s, "patience 10", kind) for kind in ("archive", None) for s in ("umda", "ebna")
    ]
    found += [Method(MAIN, "sfs", consensus="replay")]
    found += [Method(m, "auto", choices=("best",), judges=JUDGES) for m in FILTERS]
    found += [Method(MAIN, "random", budget=1_000, choices=("best",))]
    found += [Method(MAIN, "sfs", consensus=20)]
    found += [
        Method(MAIN, search, "significance", choices=("best",)) for search in ("ebna", "ga-uniform")
    ]
    found += [Method(MAIN, "ga-uniform", "patience 10", kind) for kind in (None, "archive")]
    found += [Method(MAIN, "sffs", consensus=kind) for kind in ("replay", 20)]
    if quick:
        return found
    found += [Method(MAIN, search) for search in ENDING]
    found += [Method(MAIN, search, "patience 10") for search in reversed(POPULATION)]
    return list(dict.fromkeys(found))


def cheap() -> list[Method]:
    """What large tables are given: a few searches, and no resamples but replays."""
    found = [Method(MAIN, search) for search in ("auto", "sfs", "sffs")]
    found += [Method(MAIN, "sfs", consensus="replay")]
    found += [Method(m, "auto", choices=("best",), judges=JUDGES[:1]) for m in FILTERS]
    return found + [Method(MAIN, "umda", "patience 10")]


def budgets() -> list[Method]:
    """The same searches with equal numbers of evaluations."""
    return [
        Method(MAIN, s, "patience 10" if s in POPULATION else "", None, budget, ("best",))
        for budget in (100, 1_000, 10_000)
        for s in ("sffs", "best-first", "ebna", "umda", "ga-uniform", "random")
    ]


def models() -> list[Method]:
    """A few searches around other models."""
    found = []
    for model in MODELS:
        found += [Method(model, "sfs"), Method(model, "sffs")]
        found += [Method(model, "sfs", consensus="replay")]
        found += [Method(model, "umda", "patience 10")] if model in LINEAR else []
    return found
