"""What the experiments of Inza et al. share: two readings, and a search inside 5×2cv as cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import RepeatedKFold

from fewest._run.stop_rules import Generations, Significance
from fewest._subset_selector import SubsetSelector
from fewest._validation.external import validate
from fewest._validation.schemes import external_splits
from fewest._validation.significance import Split
from fewest._validation.validation import Validation
from fewest.classifiers._naive_bayes import MLCNaiveBayes, NaiveBayes
from fewest.data._dataset import Dataset
from fewest.search._search import Search

from .experiment import Cell, Settings, mean_std

#: Mark of cells of the library's defaults; they are shown beside the others.
DEFAULTS = "defaults"


def validated(
    data: Dataset,
    measure: Any,
    search: Search,
    settings: Settings,
    scheme: Any = "5x2cv",
    level: float = 0.1,
) -> Validation:
    """Select in every training half, score on the other half."""
    # The papers' own rule; the default of the library goes on longer. Sequential
    # searches stop where no step improves the value.
    rules = [Significance(p=level), Generations(100)] if search.generational else None
    # The empty subset is an answer: forward selection of Sick-euthyroid ends where it starts.
    # The papers print accuracies, also of classes of very different size.
    selector = SubsetSelector(
        measure=measure, search=search, stop=rules, min_features=0, scoring="accuracy"
    )
    return validate(
        selector, data.X, data.y,
        scheme=scheme, random_state=settings.seed,
    )  # fmt: skip


def halves(data: Dataset, settings: Settings) -> list[Split]:
    """Return the splits that :func:`validated` uses."""
    for_splits, _ = np.random.SeedSequence(settings.seed).spawn(2)
    return external_splits("5x2cv", data.table(), np.random.default_rng(for_splits))


def accuracy(table: str, domain: str, method: str, v: Validation) -> Cell:
    """Return the honest accuracy, in percent; the optimistic one in the note."""
    promised = v.selection_score
    note = "" if promised is None else f"selection score {100 * promised:.1f}"
    return Cell(table, domain, method, *mean_std(v.scores, 100), note, each=v.scores.tolist())


def baseline(table: str, domain: str, method: str, v: Validation) -> Cell:
    """Return the accuracy with all features, in percent."""
    each = v.baseline_scores.tolist()
    return Cell(table, domain, method, *mean_std(each, 100), each=each)


def size(table: str, domain: str, method: str, v: Validation) -> Cell:
    """Return the number of features chosen."""
    return Cell(table, domain, method, *mean_std(v.sizes))


def seconds(table: str, domain: str, method: str, v: Validation) -> Cell:
    """Return the time that one search takes."""
    return Cell(table, domain, method, *mean_std([h[-1]["seconds"] for h in v.history]))


def per_generation(table: str, domain: str, method: str, v: Validation) -> Cell:
    """Return the time to learn and sample a model, in one generation."""
    learning = [sum(e["search_seconds"] for e in h) / len(h) for h in v.history]
    return Cell(table, domain, method, *mean_std(learning))


def per_subset(table: str, domain: str, method: str, v: Validation) -> Cell:
    """Return the time to score one subset."""
    scoring = [sum(e["scoring_seconds"] for e in h) / h[-1]["evaluations"] for h in v.history]
    return Cell(table, domain, method, *mean_std(scoring))


def stopped(table: str, domain: str, method: str, v: Validation) -> Cell:
    """Return the generation in which the search stopped; the first population is generation 0."""
    each = [float(h[-1]["generation"]) for h in v.history]
    return Cell(table, domain, method, *mean_std(each), each=each)


@dataclass(frozen=True)
class Reading:
    """Naive Bayes, the halves on which it is judged, and when a search goes on.

    ``name`` is empty for the reading whose figures are compared with the paper's. ``level`` is
    the p value below which an improvement counts on small data; with 1 every improvement does.
    """

    name: str
    model: type[MLCNaiveBayes | NaiveBayes]
    stratified: bool
    level: float

    def scheme(self, settings: Settings) -> Any:
        """Return the external loop: five times two halves."""
        if self.stratified:
            return "5x2cv"
        return RepeatedKFold(n_splits=2, n_repeats=5, random_state=settings.seed)

    def of(self, method: str) -> str:
        """Return the name of an experiment with this reading.

        >>> MLC.of("SFS"), LAPLACE.of("SFS")
        ('SFS', 'SFS, defaults')
        """
        return f"{method}, {self.name}" if self.name else method


#: MLC++, the program of the papers. The stop rule without a test was chosen after seeing the
#: figures (docs/reproduction.md).
MLC = Reading("", MLCNaiveBayes, stratified=False, level=1.0)
#: The defaults of this library (Laplace's correction, a floor of a tenth, stratified halves), and
#: the stop rule that the papers state.
LAPLACE = Reading(DEFAULTS, NaiveBayes, stratified=True, level=0.1)
READINGS = (MLC, LAPLACE)
