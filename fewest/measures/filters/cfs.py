"""CFS: features that go with the class and not with each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...data.information import Information
from ...data.table import Table
from ...parameters import number, one_of, whole
from ..base import Candidates, Scorer
from ..steps import Steps
from .base import InformationMeasure
from .pair_values import BatchScorer, PairValues, pair_sums_of, sizes_of, sums_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CFSScore(BatchScorer):
    """The merit, from correlations with the class and between features."""

    with_class: Floats
    between: PairValues

    def formula(self, batch: Candidates | Steps) -> Floats:
        """The merits; that of the empty subset is 0."""
        above = sums_of(self.with_class, batch)
        below = np.sqrt(sizes_of(batch) + 2.0 * pair_sums_of(self.between, batch))
        return np.divide(above, below, out=np.zeros(len(batch)), where=below > 0)


@dataclass
class CFS(InformationMeasure):
    """Merit of a subset: high correlation with the class, low correlation inside.

    Parameters
    ----------
    independent : float
        The correlation counted between two features that share nothing at all (less than a
        millionth): 0 by the definition; Weka's CfsSubsetEval counts 1.
    discretise : "mdl", "width" or "frequency"
        How continuous features are cut.
    bins : int
        Into how many intervals, for "width" and "frequency".

    Notes
    -----
    merit = k·r_cf / √(k + k(k - 1)·r_ff), where r_cf and r_ff are the mean symmetric
    uncertainties 2·I(X; Y) / (H(X) + H(Y)) of the k features with the class and with each
    other (Hall, 1999, 2000). On nominal tables without unknown values it is the merit of Weka's
    CfsSubsetEval, which differs only for pairs that share nothing (see ``independent``): in a
    full factorial design Weka would keep a single feature. Features that matter only together,
    as in an exclusive or, have no merit.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.data.table import Table
    >>> values = np.tile([[0.0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]], (8, 1))
    >>> target = values[:, 0].astype(int)
    >>> table = Table(("a", "copy", "noise"), values, ((0, 1),) * 3, target, np.array([0, 1]))
    >>> subsets = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]], dtype=bool)
    >>> CFS().bind(table).score(subsets).value.round(3).tolist()
    [1.0, 1.0, 0.707]
    """

    name: ClassVar[str] = "cfs"
    source: ClassVar[str] = "Hall (2000); Drugan and Wiering (2010), section 6.4"

    independent: float = number(0.0, low=0.0, high=1.0)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count the features alone; pairs are counted when a search reaches them."""
        bits = self._information(table)
        between = _Between(bits, self.independent)
        return CFSScore(
            bits.class_uncertainty, PairValues(bits.n_features, between.column, between.all)
        )


@dataclass(frozen=True, eq=False)
class _Between:
    """Correlations between features."""

    bits: Information
    independent: float

    def column(self, j: int) -> Floats:
        return self._counted(self.bits.uncertainty_with(j))

    def all(self) -> Floats:
        return self._counted(self.bits.uncertainty)

    def _counted(self, uncertainty: Floats) -> Floats:
        return np.where(uncertainty < 1e-6, self.independent, uncertainty)
