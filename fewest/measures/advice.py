"""What a scorer can tell a search beside scores: importances of features, and a path of subsets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: What a scorer may advise on (``Scorer.advises``), and what a search may need.
IMPORTANCES, L1_PATH, PROXY, PROBES = "importances", "l1_path", "proxy", "probes"
#: Number of knockoffs of each feature.
KNOCKOFFS = 5
#: In place of a fold: the model is trained on all rows.
ALL_ROWS = -1


@dataclass(frozen=True, eq=False)
class Question:
    """Which features of a subset matter to a model that is trained on it?

    Parameters
    ----------
    subset : bool array of shape (features,)
        At least one feature is in it.
    fold : int
        The fold on whose training rows the model is trained; -1 is all rows.
    kind : "auto", "model", "ranking", "permutation", "l1", "probes",
        "knockoffs" or "score"
        The model's own ``coef_`` or ``feature_importances_``; or how much the score falls when
        the values of a feature are shuffled. "auto" asks the model first. "ranking" is
        "model" without a score, from a sample of the rows where they are many. "l1" is how early a
        feature enters the path of a linear model with an L1 penalty. "probes" is by how much it
        beats shuffled copies of itself, 0 where it does not; the score of the answer is then the
        p value that no feature is related to the target. "knockoffs" is by how much it beats
        copies that do not know the target. "score" asks for no importances, only
        for the score on the test rows of the fold.
    seed : int
        Seeds what is random in training and shuffling.
    shadows : bool
        Whether a shuffled copy of each feature is added before training (Boruta).
    """

    subset: NDArray[np.bool_]
    fold: int = ALL_ROWS
    kind: str = "auto"
    seed: int = 0
    shadows: bool = False

    @property
    def key(self) -> str:
        """What tells this question from all others, for journals."""
        bits = np.packbits(self.subset).tobytes().hex()
        return f"{bits}/{self.fold}/{self.kind}/{self.seed}/{int(self.shadows)}"


@dataclass(frozen=True, eq=False)
class Importances:
    """The answer to a :class:`Question`.

    Parameters
    ----------
    values : float64 array of shape (features,)
        One importance per feature, larger is more important; NaN outside the subset.
    shadows : float64 array or None
        The importances of the shuffled copies.
    score : float
        The score of the model on the test rows of the fold; NaN if it saw all rows.
    """

    values: NDArray[np.float64]
    shadows: NDArray[np.float64] | None = None
    score: float = float("nan")
