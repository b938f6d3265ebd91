"""Two readings of the naive Bayes of Inza et al.: the one nearest to their figures, and ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import RepeatedKFold

from fewest.classifiers._naive_bayes import MLCNaiveBayes, NaiveBayes
from fewest.data._dataset import Dataset

from .experiment import Settings

#: Mark of cells of the library's defaults; they are shown beside the others.
DEFAULTS = "defaults"


@dataclass(frozen=True)
class Reading:
    """Naive Bayes, the halves on which it is judged, and when a search goes on.

    ``name`` is empty for the reading whose figures are compared with the paper's. ``level`` is
    the p value below which an improvement counts on small data; with 1 every improvement does.
    """

    name: str
    alpha: float
    variance_floor: float
    stratified: bool
    level: float

    def model(self) -> NaiveBayes:
        """Return the classifier."""
        return NaiveBayes(alpha=self.alpha, variance_floor=self.variance_floor)

    def scheme(self, settings: Settings) -> Any:
        """Return the external loop: five times two halves."""
        if self.stratified:
            return "5x2cv"
        return RepeatedKFold(n_splits=2, n_repeats=5, random_state=settings.seed)

    def all_features(self, data: Dataset, settings: Settings) -> list[float]:
        """Return the accuracies of the program of the papers, MLC++, with all features.

        It has no fast rule: a search would train it for every subset.
        """
        table, found = data.table(), []
        for train, test in self.scheme(settings).split(np.zeros(table.n_rows)):
            part, rest = table.take(train), table.take(test)
            model = MLCNaiveBayes().fit(part.X, part.y)
            found.append(float(np.mean(model.predict(rest.X) == np.asarray(rest.y))))
        return found

    def of(self, method: str) -> str:
        """Return the name of an experiment with this reading.

        >>> FREQUENCIES.of("SFS"), LAPLACE.of("SFS")
        ('SFS', 'SFS, defaults')
        """
        return f"{method}, {self.name}" if self.name else method


#: Plain frequencies: a level never seen with a class rules it out, and where all classes are
#: ruled out the most frequent one is the answer. With all features the program of the papers,
#: MLC++, is run itself; plain frequencies stand in for it in searches. The floor was chosen after
#: seeing the figures, and so was the stop rule without a test (docs/reproduction.md).
FREQUENCIES = Reading("", alpha=0.0, variance_floor=0.01, stratified=False, level=1.0)
#: The defaults of this library (Laplace's correction, a floor of a tenth, stratified halves), and
#: the stop rule that the papers state.
LAPLACE = Reading(DEFAULTS, alpha=1.0, variance_floor=0.1, stratified=True, level=0.1)
READINGS = (FREQUENCIES, LAPLACE)
