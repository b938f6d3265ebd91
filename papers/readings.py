"""Two readings of the naive Bayes of Inza et al.: the program they used, and our defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.model_selection import RepeatedKFold

from fewest.classifiers._naive_bayes import MLCNaiveBayes, NaiveBayes

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
