"""MDL: the description length of a Bayesian network classifier over a subset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...data.table import Table
from ..base import Scorer
from .network_score import (
    NetworkMeasure,
    bins_field,
    classifier_field,
    discretise_field,
    network_score,
)


@dataclass
class MDL(NetworkMeasure):
    """How short data and classifier can be told together, in bits saved over no feature.

    Parameters
    ----------
    classifier, discretise, bins
        As for :class:`~fewest.measures.networks.mdl_fs.MDLFS`.

    Notes
    -----
    MDL = (log N / 2)·|B| - LL(B | D), base 2, smaller is better; the value is the negative,
    less that of the empty subset, which therefore scores 0 (Drugan and Wiering, 2010,
    section 2.2.3). For naive Bayes: Σ N·I(A_i; C) - (log N / 2)(r_i - 1)(r_C - 1). TAN adds
    the arcs of the maximum spanning tree of I(A_i; A_j | C), each N·I(A_i; A_j | C) -
    (log N / 2)(r_i - 1)(r_j - 1)·r_C. r_i counts the values that occur, r_C the classes of the
    table.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.data.table import Table
    >>> values = np.tile([[0.0, 0], [0, 1], [1, 0], [1, 1]], (8, 1))
    >>> labels = np.array(["no", "yes"])
    >>> table = Table(("a", "b"), values, ((0, 1), (0, 1)), values[:, 0].astype(int), labels)
    >>> MDL().bind(table).score(np.array([[True, False], [False, True]])).value.tolist()
    [29.5, -2.5]
    """

    name: ClassVar[str] = "mdl"
    source: ClassVar[str] = "Drugan and Wiering (2010), section 2.2.3"

    classifier: str = classifier_field()
    discretise: str = discretise_field()
    bins: int = bins_field()

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count all pairs once."""
        self.check_parameters()
        bits = self._counted(table)
        penalty = np.log2(max(1, bits.n_rows)) / 2.0
        return network_score(bits, self.classifier, "empty", penalty)
