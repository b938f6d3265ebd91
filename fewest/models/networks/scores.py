"""Scores of network structures: penalised likelihood and Bayesian, each a sum over families."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...kernels.counting.bitplanes import pack_planes
from ...kernels.networks.family import DIRICHLET, EQUIVALENT, LIKELIHOOD, family_score
from ..base import as_rows
from .graph import Graph

#: Name, how the cells are scored, and the penalty for a parameter at n rows.
_KINDS = {
    "log-likelihood": (LIKELIHOOD, "none"),
    "aic": (LIKELIHOOD, "one"),
    "bic": (LIKELIHOOD, "half-log"),
    "k2": (DIRICHLET, "none"),
    "k2-penalised": (DIRICHLET, "half-log"),
    "bd": (DIRICHLET, "none"),
    "bde": (EQUIVALENT, "none"),
    "bdeu": (EQUIVALENT, "none"),
}


@dataclass(frozen=True)
class Score:
    """A score of structures, higher is better, natural logarithms.

    Parameters
    ----------
    name : "log-likelihood", "aic", "bic", "k2", "k2-penalised", "bd", "bde" or "bdeu"
    alpha : float
        For "bd" the prior count of every cell (1 makes it the K2 metric); for "bde" the
        equivalent sample size, shared out evenly over the cells of a family ("bdeu" is another
        name of it).

    Notes
    -----
    Penalised likelihood: sum N_ijk log(N_ijk / N_ij) - f(N) dim, f = 0, 1 (AIC) or log(N) / 2
    (BIC). Bayesian: the logarithm of the marginal likelihood, equation 3.16 for K2, with
    Dirichlet priors for BD and BDe; "k2-penalised" subtracts BIC's penalty from K2 (Inza, 2002,
    sections 3.3.3 and 4.3.3.4).
    """

    name: str = "bic"
    alpha: float = 1.0

    def __post_init__(self) -> None:
        if self.name not in _KINDS:
            known = ", ".join(f'"{k}"' for k in _KINDS)
            raise InputError(f"`score` must be one of {known}, but is {self.name!r}.")
        if not self.alpha > 0:
            raise InputError(f"`alpha` must be above 0, but is {self.alpha!r}.")

    def numbers(self, n: int) -> tuple[int, float, float]:
        """Kind, alpha and penalty for ``n`` rows, as the kernels take them."""
        kind, penalty = _KINDS[self.name]
        alpha = self.alpha if self.name in ("bd", "bde", "bdeu") else 1.0
        return kind, alpha, {"none": 0.0, "one": 1.0, "half-log": 0.5 * float(np.log(n))}[penalty]

    def of(self, graph: Graph, rows: NDArray[Any], cardinalities: NDArray[Any]) -> float:
        """The score of a graph on these rows: the sum over its families.

        Examples
        --------
        Two equal columns, two rows of each value: the likelihood of the second given the first
        is 1, so the log-likelihood is that of the first alone, 4 log(1/2).

        >>> import numpy as np
        >>> rows = np.array([[0, 0], [0, 0], [1, 1], [1, 1]])
        >>> round(Score("log-likelihood").of(Graph(((), (0,))), rows, np.array([2, 2])), 4)
        -2.7726
        """
        data, cards = as_rows(rows, cardinalities)
        planes, offsets, everything = pack_planes(data, cards)
        numbers = self.numbers(len(data))
        return float(
            sum(
                family_score(
                    planes, offsets, cards, everything, i, np.array(p, dtype=np.int64), *numbers
                )
                for i, p in enumerate(graph.parents)
            )
        )
