"""How good a structure is for rows of real numbers: BGe and BIC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammaln

from ...errors import InputError
from ..networks.graph import Graph
from .base import LEAST_VARIANCE, Floats, as_numbers

KINDS = ("bge", "bic")


@dataclass(frozen=True, eq=False)
class GaussianScore:
    """The score of structures for some rows, as a sum over the variables.

    Parameters
    ----------
    kind : "bge" or "bic"
    matrix : float64 array of shape (d, d)
        For BGe the posterior matrix R, for BIC the covariance.
    n_rows : int
    mean_size, wishart_size : float
        Equivalent sample sizes of the prior mean and of the prior precision (BGe).
    scale : float
        The prior matrix is ``scale`` times the identity (BGe).

    Notes
    -----
    BGe is the marginal likelihood under a normal-Wishart prior (Geiger and Heckerman, 1994),
    with the subsets of variables and the prior matrix as corrected by Kuipers, Moffa and
    Heckerman (2014, "Addendum on the scoring of Gaussian directed acyclic graphical models"):
    a subset of l of the d variables has wishart_size - d + l degrees of freedom, and
    scale = mean_size (wishart_size - d - 1) / (mean_size + 1). The prior mean is that of the
    rows, and rows are standardised first: a prior with a fixed scale sees dependences
    everywhere once the rows are much narrower than it, as in the last generations of a search.
    Graphs that state the same independences have the same BGe and the same BIC.
    """

    kind: str
    matrix: Floats
    n_rows: int
    mean_size: float = 1.0
    wishart_size: float = 0.0
    scale: float = 1.0

    @staticmethod
    def of(
        rows: Any, kind: str = "bge", *, mean_size: float = 1.0, wishart_size: float | None = None
    ) -> GaussianScore:
        """The score for these rows; ``wishart_size`` is d + 2 unless given."""
        if kind not in KINDS:
            raise InputError(f'`kind` must be "bge" or "bic", but is {kind!r}.')
        given = as_numbers(rows)
        n, d = given.shape
        deviation = given.std(axis=0)
        standard = (given - given.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
        spread = standard.T @ standard
        if kind == "bic":
            return GaussianScore(kind, spread / n, n)
        size = d + 2.0 if wishart_size is None else float(wishart_size)
        if not (size > d + 1 and mean_size > 0):
            raise InputError(
                f"`wishart_size` must be above {d + 1} (features + 1) and `mean_size` above 0, "
                f"but they are {wishart_size!r} and {mean_size!r}."
            )
        scale = mean_size * (size - d - 1) / (mean_size + 1)
        return GaussianScore(
            kind, spread + scale * np.eye(d), n, float(mean_size), size, float(scale)
        )

    def local(self, child: int, parents: Sequence[int]) -> float:
        """The part of one variable with its parents."""
        rest, log_determinant = self.given(parents)
        return float(self.value(len(parents), rest[child, child], log_determinant))

    def total(self, graph: Graph) -> float:
        """The score of a whole structure."""
        return sum(self.local(child, parents) for child, parents in enumerate(graph.parents))

    def given(self, parents: Sequence[int]) -> tuple[Floats, float]:
        """What is left of the matrix given some variables, and their log determinant."""
        listed = list(parents)
        own = self.matrix[np.ix_(listed, listed)]
        solved = np.linalg.lstsq(own, self.matrix[listed], rcond=None)[0]
        rest: Floats = self.matrix - self.matrix[:, listed] @ solved
        determinant = np.linalg.slogdet(own)[1] if listed else 0.0
        return rest, float(determinant)

    def value(self, p: int, residual: Any, log_determinant: Any) -> Any:
        """The local score of a child with p parents.

        ``residual`` is what the parents leave of its entry of the matrix, ``log_determinant``
        that of the parents.
        """
        n = self.n_rows
        left = np.log(np.maximum(residual, LEAST_VARIANCE))
        if self.kind == "bic":
            return -n / 2 * (np.log(2 * np.pi) + left + 1) - 0.5 * np.log(n) * (p + 2)
        free = self.wishart_size - len(self.matrix) + p + 1
        return (
            0.5 * np.log(self.mean_size / (n + self.mean_size))
            + gammaln((n + free) / 2)
            - gammaln(free / 2)
            - n / 2 * np.log(np.pi)
            + (free + p) / 2 * np.log(self.scale)
            - (n + free) / 2 * left
            - 0.5 * log_determinant
        )
