"""Further abilities of some scorers: importances, proofs, and an audit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

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
    """Question which features of a subset matter to a model that is trained on it.

    subset (features,): at least one feature is in it.
    fold: the fold on whose training rows the model is trained; -1 is all rows.
    kind: "auto", "model", "ranking", "permutation", "contributions", "l1",
        "probes", "knockoffs" or "score". The model's own ``coef_`` or
        ``feature_importances_``; or how much the score falls when the values of a feature are
        shuffled. "auto" asks the model first.
        "contributions" is the mean size of what a feature adds to the answers of boosted trees.
        "ranking" is "model" without a score, from a sample of the rows where they are many. "l1" is
        how early a feature enters the path of a linear model with an L1 penalty. "probes" is by how
        much it beats shuffled copies of itself, 0 where it does not; the score of the answer is
        then the p value that no feature is related to the target. "knockoffs" is by how much it
        beats copies that do not know the target. "score" asks for no importances, only for the
        score on the test rows of the fold.
    seed: seeds what is random in training and shuffling.
    shadows: whether a shuffled copy of each feature is added before training (Boruta).
    """

    subset: NDArray[np.bool_]
    fold: int = ALL_ROWS
    kind: str = "auto"
    seed: int = 0
    shadows: bool = False

    @property
    def key(self) -> str:
        """Text that distinguishes this question from all others, for journals."""
        bits = np.packbits(self.subset).tobytes().hex()
        return f"{bits}/{self.fold}/{self.kind}/{self.seed}/{int(self.shadows)}"


@dataclass(frozen=True, eq=False)
class Importances:
    """Answer to a :class:`Question`.

    values (features,): one importance per feature, larger is more important; NaN outside the
        subset.
    shadows: the importances of the shuffled copies.
    score: the score of the model on the test rows of the fold; NaN if it saw all rows.
    """

    values: NDArray[np.float64]
    shadows: NDArray[np.float64] | None = None
    score: float = float("nan")


Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Allowed:
    """Subsets among which the best is sought.

    fixed (features,): the features that are always in.
    units (units, features): the features that each free unit brings.
    costs (units,): the cost of each unit.
    budget: the largest sum of these costs.
    min_features, max_features: the allowed sizes.
    each_size: whether the best of each size is sought, not only the best of all.
    """

    fixed: Mask
    units: Mask
    costs: NDArray[np.float64]
    budget: float
    min_features: int
    max_features: int
    each_size: bool = False


class Proof(ABC):
    """Search for the best subsets that goes on in slices, with bounds at any time."""

    @property
    @abstractmethod
    def done(self) -> bool:
        """True if every allowed subset is visited or excluded."""

    @abstractmethod
    def offer(self, subsets: Mask) -> None:
        """Take subsets (over the units) into account, as good ones to start from."""

    @abstractmethod
    def work(self) -> Mask:
        """Go on for less than a second; return the improvements, as subsets over the units."""

    @abstractmethod
    def bound(self) -> float:
        """Return the highest value that is not excluded."""

    @abstractmethod
    def sizes(self) -> list[tuple[int, float, float]]:
        """Return for every size with a subset its value and the highest value not excluded."""


Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Audit:
    """Fast scores of some subsets beside those of the trained estimator.

    fast, trained (subsets, folds)
    tolerance: how far a fold score may be from that of the estimator, relative to the larger of 1
        and its size.
    stopped_early: whether the estimator stopped before its optimum, so that the scores may differ:
        fast scores are those of the optimum.
    free (subsets, folds): folds that are not compared, because the order of work decides their
        scores: which of equally near rows are neighbours.
    """

    fast: Floats
    trained: Floats
    tolerance: float
    stopped_early: bool = False
    free: NDArray[np.bool_] | None = None

    @property
    def largest_difference(self) -> float:
        """Return the largest difference of a fold score; infinite where only one is known."""
        fast, trained = self.fast[~self._free], self.trained[~self._free]
        if (np.isnan(fast) != np.isnan(trained)).any():
            return float("inf")
        known = ~np.isnan(fast)
        return float(np.abs(fast - trained)[known].max(initial=0.0))

    @property
    def agrees(self) -> bool:
        """Return whether all fold scores are equal within the tolerance."""
        if self.stopped_early:
            return True
        allowed = self.tolerance * np.maximum(1.0, np.abs(self.trained))
        near = np.abs(self.fast - self.trained) <= allowed
        both = np.isnan(self.fast) & np.isnan(self.trained)
        return bool((near | both | self._free).all())

    @property
    def _free(self) -> NDArray[np.bool_]:
        return np.zeros(self.fast.shape, dtype=bool) if self.free is None else self.free

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for a result: mean scores of each subset, and the verdict."""
        return {
            "agrees": self.agrees,
            "stopped_early": self.stopped_early,
            "score": self.fast.mean(axis=1).tolist(),
            "trained": self.trained.mean(axis=1).tolist(),
            "largest_difference": self.largest_difference,
            "tolerance": self.tolerance,
            "folds_with_ties": int(self._free.sum()),
        }
