"""Estimation of distribution over real numbers: UMDA_c, MIMIC_c and EGNA."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import stats

from .._models.gaussian import (
    Density,
    Floats,
    GaussianNetwork,
    GaussianScore,
    IndependentNormals,
    learn_by_exclusion,
    learn_gaussian_b,
)
from .._models.graph import Graph
from .._parameters import number, one_of, whole
from ._better import Better
from ._population import first_population, scored, survivors
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space

#: A population whose weights differ by less has converged.
SAME_WEIGHTS = 1e-12
#: The factor of the variances changes by this in a generation.
FACTOR_STEP = 0.9


@dataclass
class ContinuousEDA(Search):
    """Base of the searches that learn a density of the good candidates and sample it.

    A subclass defines in ``learn`` which density it learns; all else is here.

    Parameters
    ----------
    population : int
        Number of candidates N kept; each generation samples N - 1 new ones.
    selected : float
        Part of the population, the best of it, that the density is learned from.
    scaling : "adaptive" or "none"
        Whether the variances grow while the best candidates are far from the mean.

    Notes
    -----
    As for the discrete searches, the best individual and the best N - 1 of the 2N - 2 others and
    new ones form the next population (Inza, 2002, section 7.4). What is sampled outside of the
    box is moved to its border. The search ends by itself when all individuals are the same.

    Maximum likelihood densities of the best shrink before they reach the end of a slope.
    Adaptive variance scaling (Bosman, Grahl and Thierens, 2008) multiplies the variances by a
    factor that grows by 1 / 0.9 when the mean of the candidates that beat the best lies more
    than one standard deviation from the mean along a principal axis, and falls by 0.9, to no
    less than 1, when none beats the best.

    Examples
    --------
    >>> from fewest.search import EGNA
    >>> issubclass(EGNA, ContinuousEDA)
    True
    """

    spaces: ClassVar[tuple[str, ...]] = ("box",)
    generational: ClassVar[bool] = True
    example: ClassVar[str] = """
        >>> from fewest.search import Box, {name}
        >>> from fewest.testing import TableMeasure, drive, toy_table
        >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
        >>> drive({name}(population=100), Box(3), scorer, max_batches=30).best_value > -0.01
        True
        """

    population: int = whole(1000, low=2)
    selected: float = number(0.5, low=0.0, high=1.0)
    scaling: str = one_of("adaptive", "none")

    @abstractmethod
    def learn(self, selected: Floats) -> Density:
        """Learn the density of the selected individuals, the best first."""

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        n = self.population
        chosen = max(2, round(self.selected * n))
        population = yield from scored(first_population(space, n, rng, 1.0))
        factor, before = 1.0, None
        while True:
            population = population.best(n, better)
            if same_weights(population.candidates):
                return Verdict("all individuals of the population are the same")
            selected = population.candidates[:chosen]
            drawn = self.learn(selected).sample(n - 1, rng)
            if self.scaling == "adaptive":
                centre = selected.mean(axis=0)
                drawn = centre + np.sqrt(factor) * (drawn - centre)
                if before is not None:
                    drawn[: round(self.selected * n / 2)] += 2 * factor * (centre - before)
                before = centre
            new = yield from scored(space.repair(drawn, rng))
            improved = new.candidates[new.value > population.value[0]]
            factor = next_factor(factor, selected, improved)
            elite, rest = population.take(np.arange(1)), population.take(np.arange(1, n))
            population = elite.join(survivors(rest, new, n - 1, better))


def next_factor(factor: float, selected: Floats, improved: Floats) -> float:
    """Return the next factor of the variances.

    ``selected`` are the candidates that the density was learned from, ``improved`` the samples of
    it that beat the best of them.

    >>> line = np.array([[0.0], [1.0]])
    >>> next_factor(1.0, line, np.array([[1.2]])) > 1.0, next_factor(2.0, line, line[:0])
    (True, 1.8)
    """
    if len(improved) == 0:
        return max(1.0, factor * FACTOR_STEP)
    centre = selected.mean(axis=0)
    value, vector = np.linalg.eigh(np.atleast_2d(np.cov(selected, rowvar=False, bias=True)))
    away = np.abs((improved.mean(axis=0) - centre) @ vector)
    far = bool((away > np.sqrt(np.maximum(value, SAME_WEIGHTS**2))).any())
    return factor / FACTOR_STEP if far else factor


def same_weights(candidates: Floats) -> bool:
    """Decide if all candidates are the same up to rounding (also where nothing is free)."""
    return bool(np.ptp(candidates, axis=0).max(initial=0.0) <= SAME_WEIGHTS)


@dataclass
class UMDAc(ContinuousEDA):
    """Samples each weight from a density of its own, learned from the best candidates.

    Parameters
    ----------
    density : "normal" or "tested"
        Normal densities for all, or for each weight the first of normal, uniform and exponential
        that a test at 5 % does not reject; where all are rejected, the one that comes closest.

    Notes
    -----
    Larrañaga et al. (1999, 2000); Inza (2002, section 4.4.1.1). With normal densities only it is
    known as UMDA_c^G. The literature leaves open which densities are tested, and how: here by
    the Kolmogorov-Smirnov distance with the critical values for estimated parameters of Stephens
    (1974), and for uniform densities that of the values between the smallest and the largest.
    """

    name: ClassVar[str] = "umda-c"
    source: ClassVar[str] = "Larrañaga et al. (2000); Inza (2002, thesis), section 4.4.1.1"

    density: str = one_of("normal", "tested")

    def learn(self, selected: Floats) -> Density:
        if self.density == "normal":
            return IndependentNormals.learn(selected)
        return TestedDensities.learn(selected)


@dataclass(frozen=True, eq=False)
class TestedDensities(Density):
    """Independent variables, each with the density that its tests leave."""

    families: tuple[str, ...]
    location: Floats
    scale: Floats

    @staticmethod
    def learn(rows: Floats) -> TestedDensities:
        """Try every family on every variable."""
        found = [_best_fit(column) for column in rows.T]
        location, scale = np.array([f[1:] for f in found]).reshape(-1, 2).T
        return TestedDensities(tuple(f[0] for f in found), location, scale)

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        drawn = np.empty((n, len(self.families)))
        for j, family in enumerate(self.families):
            if family == "norm":
                standard = rng.normal(size=n)
            else:
                standard = rng.random(n) if family == "uniform" else rng.exponential(size=n)
            drawn[:, j] = self.location[j] + self.scale[j] * standard
        return drawn

    def log_density(self, rows: Floats) -> Floats:
        total = np.zeros(len(rows))
        for j, family in enumerate(self.families):
            scale = max(self.scale[j], 1e-9)
            total += getattr(stats, family).logpdf(rows[:, j], self.location[j], scale)
        return total


def _best_fit(column: Floats) -> tuple[str, float, float]:
    """Return the family of a variable with its location and scale."""
    low, high, mean = float(column.min()), float(column.max()), float(column.mean())
    n = len(column)
    tried = [
        ("norm", mean, float(column.std())),
        ("uniform", low, high - low),
        ("expon", low, mean - low),
    ]
    if high <= low or n < 5:
        return tried[0]
    root = np.sqrt(n)
    inner = np.sort(column)[1:-1]
    normal, uniform, exponential = (
        stats.kstest(inner if name == "uniform" else column, name, args=(a, b)).statistic
        for name, a, b in tried
    )
    # Each distance in units of what chance exceeds in one of twenty samples.
    excess = [
        normal * (root - 0.01 + 0.85 / root) / 0.895,
        uniform / float(stats.kstwo.isf(0.05, len(inner))),
        (exponential - 0.2 / n) * (root + 0.26 + 0.5 / root) / 1.094,
    ]
    return next((t for t, e in zip(tried, excess, strict=True) if e <= 1), tried[np.argmin(excess)])


@dataclass
class MIMICc(ContinuousEDA):
    """Samples a chain in which each weight depends on the one before.

    Notes
    -----
    Larrañaga et al. (1999, 2000); Inza (2002, section 4.4.2.1). The chain starts with the weight
    of smallest entropy; the next is always the one with the smallest entropy given the last. The
    entropy of a normal variable rises with its variance, so variances are compared.
    """

    name: ClassVar[str] = "mimic-c"
    source: ClassVar[str] = "Larrañaga et al. (2000); Inza (2002, thesis), section 4.4.2.1"

    def learn(self, selected: Floats) -> Density:
        chain = chain_of(np.atleast_2d(np.cov(selected, rowvar=False, bias=True)))
        parents: list[tuple[int, ...]] = [()] * selected.shape[1]
        for before, after in zip(chain, chain[1:], strict=False):
            parents[after] = (before,)
        return GaussianNetwork.learn(Graph(tuple(parents)), selected)


def chain_of(covariance: Floats) -> list[int]:
    """Order the variables by smallest variance given the one before.

    >>> chain_of(np.array([[2.0, 1.9, 0.0], [1.9, 2.0, 0.0], [0.0, 0.0, 1.0]]))
    [2, 0, 1]
    """
    variance = np.diag(covariance)
    left = list(range(len(variance)))
    chain: list[int] = []
    given = variance
    while left:
        last = min(left, key=given.__getitem__)
        left.remove(last)
        chain.append(last)
        given = variance - covariance[last] ** 2 / max(variance[last], 1e-300)
    return chain


@dataclass
class EGNA(ContinuousEDA):
    """Learns which weights of the best candidates go together as a Gaussian network.

    Parameters
    ----------
    learning : "bge", "bic" or "edge-exclusion"
        How the structure is found: Algorithm B with the BGe score, with BIC, or by tests of
        single edges.
    max_parents : int or None
        Largest number of parents of a weight ("bge" and "bic"); None leaves it to the score.
    significance : float
        Level of the tests ("edge-exclusion").

    Notes
    -----
    From the empty graph in each generation, maximum likelihood parameters, ancestral sampling
    (Larrañaga et al., 1999, 2000; Inza, 2002, sections 4.4.3.2 and 7.4).
    """

    name: ClassVar[str] = "egna"
    source: ClassVar[str] = "Larrañaga et al. (2000); Inza (2002, thesis), section 4.4.3.2"

    learning: str = one_of("bge", "bic", "edge-exclusion")
    max_parents: int | None = whole(None, low=1, optional=True)
    significance: float = number(0.05, low=1e-12, high=1.0)

    def learn(self, selected: Floats) -> Density:
        if self.learning == "edge-exclusion":
            graph = learn_by_exclusion(selected, self.significance)
        else:
            graph = learn_gaussian_b(GaussianScore.of(selected, self.learning), self.max_parents)
        return GaussianNetwork.learn(graph, selected)
