"""Gaussian models: normal distributions, Gaussian networks, their scores and structures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import gammaln

from .._errors import InputError
from .graph import Graph

Floats = NDArray[np.float64]

#: Variances are never smaller than this: a constant variable stays a little free.
LEAST_VARIANCE = 1e-18


class Density(ABC):
    """Distribution over rows of real numbers."""

    @abstractmethod
    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw ``n`` independent rows."""


def as_numbers(rows: Any) -> Floats:
    """Return the rows as float64, or raise an error."""
    given = np.asarray(rows, dtype=np.float64)
    if given.ndim != 2 or len(given) == 0:
        raise InputError(
            f"`rows` must have two dimensions and at least one row, but has shape {given.shape}."
        )
    if not np.isfinite(given).all():
        raise InputError("`rows` must hold finite numbers, but some are not.")
    return given


@dataclass(frozen=True, eq=False)
class MultivariateNormal(Density):
    """Normal distribution with a mean vector and a covariance matrix.

    Examples
    --------
    >>> model = MultivariateNormal.learn(np.array([[0.0, 1.0], [2.0, 3.0]]))
    >>> model.covariance
    array([[1., 1.],
           [1., 1.]])
    """

    mean: Floats
    covariance: Floats

    @staticmethod
    def learn(rows: Floats) -> MultivariateNormal:
        """Learn the maximum likelihood estimates."""
        given = as_numbers(rows)
        mean = given.mean(axis=0)
        centred = given - mean
        return MultivariateNormal(mean, centred.T @ centred / len(given))

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw rows by the square root of the covariance, which may be singular."""
        value, vector = np.linalg.eigh(self.covariance)
        root = vector * np.sqrt(np.maximum(value, 0.0))
        drawn: Floats = self.mean + rng.normal(size=(n, len(self.mean))) @ root.T
        return drawn


@dataclass(frozen=True, eq=False)
class IndependentNormals(Density):
    """Independent normal variables."""

    mean: Floats
    deviation: Floats

    @staticmethod
    def learn(rows: Floats) -> IndependentNormals:
        """Learn the maximum likelihood estimates."""
        given = as_numbers(rows)
        return IndependentNormals(given.mean(axis=0), given.std(axis=0))

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        drawn: Floats = rng.normal(self.mean, self.deviation, (n, len(self.mean)))
        return drawn


@dataclass(frozen=True, eq=False)
class GaussianNetwork(Density):
    """Graph with a regression for every variable.

    Parameters
    ----------
    graph : Graph
    mean : float64 array of shape (d,)
        The unconditional means m.
    coefficients : tuple of float64 arrays
        For each variable the coefficient b of each of its parents, in their order.
    variance : float64 array of shape (d,)
        The conditional variances v.

    Notes
    -----
    x_i is normal with mean m_i + sum of b_ji (x_j - m_j) over the parents and variance v_i
    (Inza, 2002, equation 3.19; Shachter and Kenley, 1989).

    Examples
    --------
    >>> rows = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 5.0]])
    >>> network = GaussianNetwork.learn(Graph(((), (0,))), rows)
    >>> network.coefficients[1].round(6), network.variance.round(6)
    (array([2.]), array([0.666667, 0.      ]))
    """

    graph: Graph
    mean: Floats
    coefficients: tuple[Floats, ...]
    variance: Floats

    @staticmethod
    def learn(graph: Graph, rows: Floats) -> GaussianNetwork:
        """Learn the maximum likelihood estimates of a structure."""
        given = as_numbers(rows)
        mean = given.mean(axis=0)
        covariance = (given - mean).T @ (given - mean) / len(given)
        coefficients, variance = [], np.empty(len(mean))
        for child, parents in enumerate(graph.parents):
            listed = list(parents)
            own = covariance[child, listed]
            # Parents that are linear functions of each other share the coefficient.
            b = np.linalg.lstsq(covariance[np.ix_(listed, listed)], own, rcond=None)[0]
            coefficients.append(b)
            variance[child] = max(0.0, covariance[child, child] - own @ b)
        return GaussianNetwork(graph, mean, tuple(coefficients), variance)

    def _expected(self, child: int, rows: Floats) -> Floats:
        listed = list(self.graph.parents[child])
        away = rows[:, listed] - self.mean[listed]
        expected: Floats = self.mean[child] + away @ self.coefficients[child]
        return expected

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw parents before children (ancestral sampling)."""
        rows = np.zeros((n, len(self.mean)))
        noise = rng.normal(size=rows.shape) * np.sqrt(self.variance)
        for child in self.graph.order:
            rows[:, child] = self._expected(child, rows) + noise[:, child]
        return rows


KINDS = ("bge", "bic")


@dataclass(frozen=True, eq=False)
class GaussianScore:
    """Score of structures for some rows, as a sum over the variables.

    kind: "bge" or "bic".
    matrix (d, d): for BGe the posterior matrix R, for BIC the covariance.
    mean_size, wishart_size: equivalent sample sizes of the prior mean and of the prior precision
        (BGe).
    scale: the prior matrix is ``scale`` times the identity (BGe).

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
        """Prepare the score for these rows; ``wishart_size`` is d + 2 unless given."""
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
        """Return the part of one variable with its parents."""
        rest, log_determinant = self.given(parents)
        return float(self.value(len(parents), rest[child, child], log_determinant))

    def total(self, graph: Graph) -> float:
        """Score a whole structure."""
        return sum(self.local(child, parents) for child, parents in enumerate(graph.parents))

    def given(self, parents: Sequence[int]) -> tuple[Floats, float]:
        """Return what is left of the matrix given some variables, and their log determinant."""
        listed = list(parents)
        own = self.matrix[np.ix_(listed, listed)]
        solved = np.linalg.lstsq(own, self.matrix[listed], rcond=None)[0]
        rest: Floats = self.matrix - self.matrix[:, listed] @ solved
        determinant = np.linalg.slogdet(own)[1] if listed else 0.0
        return rest, float(determinant)

    def value(self, p: int, residual: Any, log_determinant: Any) -> Any:
        """Return the local score of a child with p parents.

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


#: Gains smaller than this are rounding.
LEAST_GAIN = 1e-9


def learn_gaussian_b(score: GaussianScore, max_parents: int | None = None) -> Graph:
    """Learn a graph by Algorithm B from the empty one.

    Notes
    -----
    Buntine (1991); Larrañaga et al. (1999). After an arc only the gains of its child change.
    Equal gains are decided for the smaller child, then the smaller parent.

    Examples
    --------
    >>> a, b = np.random.default_rng(0).normal(size=(2, 100))
    >>> learn_gaussian_b(GaussianScore.of(np.column_stack([a, b, a + b]))).arcs
    [(2, 0), (1, 0), (2, 1)]
    """
    d = len(score.matrix)
    most = d - 1 if max_parents is None else max_parents
    parents: list[list[int]] = [[] for _ in range(d)]
    reaches = np.eye(d, dtype=bool)
    gains = np.array([_gains(score, child, []) for child in range(d)]).reshape(d, d)
    while d:
        child, parent = np.unravel_index(_first_largest(gains), gains.shape)
        if not gains[child, parent] > LEAST_GAIN:
            break
        gains[child, parent] = -np.inf
        if reaches[child, parent]:  # the arc would close a cycle, now and for ever
            continue
        parents[child].append(int(parent))
        reaches |= reaches[:, [parent]] & reaches[[child], :]
        struck = np.isneginf(gains[child])
        full = len(parents[child]) >= most
        gains[child] = -np.inf if full else _gains(score, int(child), parents[child])
        gains[child, struck] = -np.inf
    return Graph(tuple(tuple(p) for p in parents))


def _gains(score: GaussianScore, child: int, parents: list[int]) -> Floats:
    """Return the gain in score of each further parent of a child."""
    rest, log_determinant = score.given(parents)
    p, own = len(parents), rest[child, child]
    other = np.maximum(np.diag(rest), LEAST_VARIANCE)
    with_it = score.value(p + 1, own - rest[child] ** 2 / other, log_determinant + np.log(other))
    gains: Floats = with_it - score.value(p, own, log_determinant)
    gains[[child, *parents]] = -np.inf
    # A variable that the parents determine adds nothing.
    gains[other <= 1e-12 * np.diag(score.matrix)] = -np.inf
    return gains


def _first_largest(gains: NDArray[np.float64]) -> int:
    """Return the first of the gains that differ from the largest by rounding only."""
    return int(np.flatnonzero(gains.ravel() >= gains.max() - LEAST_GAIN)[0])


def exclusion_p_values(rows: Floats) -> Floats:
    """Return the p value of every edge: of no partial correlation between two variables.

    The likelihood ratio statistic -N log(1 - r²) of the partial correlation r given all other
    variables, against a chi-squared distribution with one degree of freedom (Smith and
    Whittaker, 1998; Inza, 2002, section 3.4.3.1).
    """
    given = as_numbers(rows)
    precision = np.linalg.pinv(np.atleast_2d(np.cov(given, rowvar=False)))
    size = np.sqrt(np.maximum(np.diag(precision), 0.0))
    outer = np.outer(size, size)
    partial = np.divide(-precision, outer, out=np.zeros_like(precision), where=outer > 0)
    left = np.clip(1 - partial**2, 1e-300, 1.0)
    np.fill_diagonal(left, 1.0)
    p: Floats = stats.chi2.sf(-len(given) * np.log(left), 1)
    return p


def learn_by_exclusion(rows: Floats, significance: float = 0.05) -> Graph:
    """Keep the edges that cannot be excluded, each from the earlier to the later variable.

    >>> a, b = np.random.default_rng(0).normal(size=(2, 200))
    >>> learn_by_exclusion(np.column_stack([a, a + b, b * 0 + 1])).arcs
    [(0, 1)]
    """
    p = exclusion_p_values(rows)
    kept = np.triu(p < significance, 1)
    return Graph(tuple(tuple(np.flatnonzero(kept[:, child]).tolist()) for child in range(len(p))))
