"""Model-X knockoffs: features that beat copies which cannot know the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...measures.advice import IMPORTANCES, KNOCKOFFS
from ...parameters import number
from ..advice import Advice
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..sequential.steps import highest
from ..spaces.base import Space
from .boruta import fitted


@dataclass
class Knockoffs(Search):
    """Keep features that beat copies of them, with a bound on the share of false ones.

    Parameters
    ----------
    fdr : float
        The false discovery rate: at most this share of the kept features is irrelevant, on
        average over tables, where the features are about normally distributed.

    Notes
    -----
    Candès et al. (2018), with five copies at once (Gimenez and Zou, 2019), so that two features
    are enough at ``fdr=0.1``; with one copy it takes ten. The copies have the means and
    covariances of the features and do not know the target. A feature scores by its coefficient in
    the lasso beside those of its copies. No feature at all is a possible answer, which
    ``min_features=0`` allows. Only linear effects count.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("wdbc")
    >>> selector = fewest.SubsetSelector(
    ...     "gaussian-nb", search=fewest.search.Knockoffs(fdr=0.2), min_features=0, random_state=0
    ... ).fit(data.X, data.y)
    >>> selector.result_.evaluations
    2
    """

    name: ClassVar[str] = "knockoffs"
    source: ClassVar[str] = "Candès et al. (2018); Gimenez and Zou (2019)"
    needs_advice: ClassVar[str] = IMPORTANCES

    fdr: float = number(0.1, low=0.0, high=1.0)

    def propose_advised(
        self, space: Space, better: Better, rng: np.random.Generator, advice: Advice
    ) -> Proposals:
        """Score all features for comparison, and those that pass."""
        full = np.asarray(highest(space), dtype=bool)
        seed = int(rng.integers(2**31))
        lead = advice.importances([full], kind="knockoffs", seed=seed)[0].values
        lead = np.where(np.isfinite(lead), lead, 0.0)
        passed = _passed(lead, self.fdr)
        answer = fitted(space, np.argsort(-lead, kind="stable"), passed)
        yield np.array([answer, space.repair(full[None].copy(), rng)[0]])
        reason = f"{int(passed.sum())} features beat their knockoffs at a rate of {self.fdr:g}"
        if not passed.any():
            reason = f"no feature beats its knockoffs at a rate of {self.fdr:g}"
        return Verdict(reason, answer=answer)


def _passed(lead: NDArray[np.float64], fdr: float) -> NDArray[np.bool_]:
    """Which features lead their copies by so much that few lose by as much."""
    for limit in np.unique(np.abs(lead[lead != 0.0])):
        lost = (1 + np.count_nonzero(lead <= -limit)) / KNOCKOFFS
        if lost <= fdr * np.count_nonzero(lead >= limit):
            return np.asarray(lead >= limit)
    return np.zeros(len(lead), dtype=bool)
