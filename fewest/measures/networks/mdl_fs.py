"""MDL-FS: description length of the class given the features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...data.table import Table
from ...parameters import one_of
from ..base import Scorer
from .network_score import (
    AUXILIARIES,
    NetworkMeasure,
    bins_field,
    classifier_field,
    discretise_field,
    network_score,
)


@dataclass
class MDLFS(NetworkMeasure):
    """How short the *class* can be told from the features, in bits saved over no feature.

    Unlike MDL it takes away what the features merely say about each other, by the likelihood
    of an auxiliary network over the features alone; so copies and other redundant features do
    not pay.

    Parameters
    ----------
    classifier : "naive-bayes", "tan" or "complete"
        The network over the class and the features of the subset; the others are isolated.
    auxiliary : "tree", "tan", "empty" or "complete"
        The network over the features alone: the tree of maximum likelihood; the attribute
        tree of the TAN classifier over the subset; no arcs (then it is MDL); all arcs.
    discretise : "mdl", "width" or "frequency"
        How continuous features are cut.
    bins : int
        Into how many intervals, for "width" and "frequency".

    Notes
    -----
    MDL-FS = (log N / 2)·|B| - CALL, CALL = LL(B | D) - LL(auxiliary | D), base 2, smaller is
    better; the value is the negative, less that of the empty subset (Drugan and Wiering, 2010,
    definition 4). With the tree: MDL's value less N times the weight of the maximum spanning
    tree of I(A_i; A_j) over the subset (Chow and Liu, 1968). Complete networks look at the
    rows for each subset; all others do not. A value below 0 says that no feature at all is better;
    ``SubsetSelector(measure="mdl-fs", min_features=0)`` may answer so.

    Examples
    --------
    A copy adds nothing, and its parameters cost:

    >>> import numpy as np
    >>> from fewest.data.table import Table
    >>> values = np.tile([[0.0, 0], [0, 0], [1, 1], [1, 1]], (8, 1))
    >>> labels = np.array(["no", "yes"])
    >>> table = Table(("a", "b"), values, ((0, 1), (0, 1)), values[:, 0].astype(int), labels)
    >>> MDLFS().bind(table).score(np.array([[True, False], [True, True]])).value.tolist()
    [29.5, 27.0]
    """

    name: ClassVar[str] = "mdl-fs"
    source: ClassVar[str] = "Drugan and Wiering (2010), section 4"

    classifier: str = classifier_field()
    auxiliary: str = one_of(*AUXILIARIES)
    discretise: str = discretise_field()
    bins: int = bins_field()

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count all pairs once."""
        self.check_parameters()
        bits = self._counted(table)
        penalty = np.log2(max(1, bits.n_rows)) / 2.0
        return network_score(bits, self.classifier, self.auxiliary, penalty)
