"""The subsets on the path of a model with an L1 penalty, each judged by the measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...measures.advice import L1_PATH
from ...parameters import one_of
from ..advice import Advice
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..spaces.base import Space


@dataclass
class L1Path(Search):
    """Score every subset that the lasso, or logistic regression with L1 penalty, passes through.

    Parameters
    ----------
    model : "auto", "lasso" or "logistic"
        Whose path. "auto" is the lasso for numbers and logistic regression for classes. The lasso
        takes two classes as 0 and 1, which is fast on wide tables.

    Notes
    -----
    Tibshirani (1996). As the penalty falls, more features have a coefficient. The path of the
    lasso is followed from knot to knot (Efron et al., 2004), so none of its subsets is missed;
    that of logistic regression at 60 penalties. Columns are standardised, nominal features coded
    by one column per value, and unknown values set to the mean. The penalty only proposes the
    subsets: each is then scored by the measure without that penalty. Include many features with
    ``include`` and they are added to every subset.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(
    ...     "linear-regression", search="l1-path", random_state=0
    ... ).fit(data.X, data.y)
    >>> selector.result_.evaluations <= 20
    True
    """

    name: ClassVar[str] = "l1-path"
    source: ClassVar[str] = "Tibshirani (1996); Efron et al. (2004)"
    needs_advice: ClassVar[str] = L1_PATH

    model: str = one_of("auto", "lasso", "logistic")

    def propose_advised(
        self, space: Space, better: Better, rng: np.random.Generator, advice: Advice
    ) -> Proposals:
        """All subsets of the path that keep the constraints, in one batch."""
        most = space.max_features if space.max_features is not None else space.n_units + 1
        path = advice.l1_path(self.model, most)
        allowed = path[space.feasible(path)]
        if not len(allowed):
            allowed = np.unique(np.asarray(space.repair(path.copy(), rng), dtype=bool), axis=0)
        yield allowed
        return Verdict(f"all {len(allowed)} subsets of the path are scored")
