"""Estimation of distribution over real numbers: populations, and densities that move."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from scipy import stats
from scipy.special import ndtri

from .._errors import InputError
from .._models.gaussian import (
    Density,
    Floats,
    GaussianNetwork,
    GaussianScore,
    IndependentNormals,
    MultivariateNormal,
    learn_by_exclusion,
    learn_gaussian_b,
)
from .._models.graph import Graph
from .._parameters import number, one_of, whole
from ._better import Better
from ._population import Population, first_population, scored, survivors
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
    """Order the variables by smallest variance given the one before."""
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


@dataclass
class EMNA(ContinuousEDA):
    """Samples a multivariate normal distribution with the mean and covariance of the best.

    Notes
    -----
    Larrañaga et al. (1999); Inza (2002, section 4.4.3.1): EMNA_global, maximum likelihood
    estimates in each generation.
    """

    name: ClassVar[str] = "emna"
    source: ClassVar[str] = "Larrañaga et al. (1999); Inza (2002, thesis), section 4.4.3.1"

    def learn(self, selected: Floats) -> Density:
        return MultivariateNormal.learn(selected)


@dataclass
class OneByOne(Search):
    """Base: a normal distribution that is updated after every single candidate.

    Parameters
    ----------
    population : int
        Size of the first population.
    selected : float
        Part of the first population, the best of it, that the search goes on with.
    steps : int
        Number of candidates sampled in all.
    """

    spaces: ClassVar[tuple[str, ...]] = ("box",)
    ends: ClassVar[bool] = True
    example: ClassVar[str] = """
        >>> from fewest.search import Box, {name}
        >>> from fewest.testing import TableMeasure, drive, toy_table
        >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
        >>> drive({name}(steps=200), Box(3), scorer).best_value > -0.3
        True
        """

    population: int = whole(200, low=2)
    selected: float = number(0.5, low=0.0, high=1.0)
    steps: int = whole(2000, low=1)

    @abstractmethod
    def take_in(self, members: Population, new: Population, better: Better) -> Population:
        """Return the population after one more candidate; the same object where nothing changes."""

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        members = yield from scored(space.sample(self.population, rng, 1.0))
        members = members.best(max(2, round(self.selected * self.population)), better)
        density = MultivariateNormal.learn(members.candidates)
        for _ in range(self.steps):
            if same_weights(members.candidates):
                return Verdict("all individuals of the population are the same")
            new = yield from scored(space.repair(density.sample(1, rng), rng))
            after = self.take_in(members, new, better)
            if after is not members:
                members = after
                density = MultivariateNormal.learn(members.candidates)
        return Verdict(f"{self.steps} candidates sampled")


@dataclass
class EMNAAdaptive(OneByOne):
    """Samples one candidate at a time; if it is better than the worst, it takes its place.

    Notes
    -----
    Larrañaga and Lozano (2001); Inza (2002, section 4.4.3.1). The distribution is learned anew
    from the population after every replacement.
    """

    name: ClassVar[str] = "emna-adaptive"
    source: ClassVar[str] = "Larrañaga and Lozano (2001); Inza (2002, thesis), section 4.4.3.1"

    def take_in(self, members: Population, new: Population, better: Better) -> Population:
        """Replace the last of the sorted population, if the new one is better."""
        if not better.improves(float(new.value[0]), float(members.value[-1])):
            return members
        kept = members.take(np.arange(len(members) - 1)).join(new)
        return kept.best(len(kept), better)


@dataclass
class EMNAIncremental(OneByOne):
    """Samples one candidate at a time and adds every one to the population.

    Notes
    -----
    Larrañaga and Lozano (2001); Inza (2002, section 4.4.3.1). Since every candidate is added
    without a restriction, nothing drives the distribution to better ones after the first
    selection: it keeps to the region of the first selected candidates.
    """

    name: ClassVar[str] = "emna-incremental"
    source: ClassVar[str] = "Larrañaga and Lozano (2001); Inza (2002, thesis), section 4.4.3.1"

    def take_in(self, members: Population, new: Population, better: Better) -> Population:
        """Add it, whatever its value."""
        return members.join(new)


@dataclass
class CMAES(Search):
    """CMA-ES of the package ``cmaes``, for comparison with the other searches over numbers.

    Parameters
    ----------
    population : int or None
        Candidates in each generation; None is 4 + 3 ln(d).
    sigma : float
        First step size; the search starts in the middle of the box.
    generations : int
        Largest number of generations; it ends before that where it has converged.

    Notes
    -----
    Hansen and Ostermeier (2001). Needs the extra ``fewest[continuous]``.

    Examples
    --------
    >>> from fewest.search import CMAES, Box
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
    >>> drive(CMAES(), Box(3), scorer, max_batches=60).best_value > -0.05
    True
    """

    name: ClassVar[str] = "cma-es"
    source: ClassVar[str] = "Hansen and Ostermeier (2001)"
    spaces: ClassVar[tuple[str, ...]] = ("box",)
    ends: ClassVar[bool] = True

    population: int | None = whole(None, low=3, optional=True)
    sigma: float = number(0.3, low=1e-9, high=10.0)
    generations: int = whole(200, low=1)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        d = space.n_units
        if d < 2:
            yield space.sample(100, rng, 1.0)
            return Verdict("100 candidates scored: the method needs two weights")
        strategy = _strategy(d, self.sigma, self.population, int(rng.integers(2**31)))
        for _ in range(self.generations):
            drawn = np.array([strategy.ask() for _ in range(strategy.population_size)])
            given = space.repair(drawn, rng)
            value = (yield given).value
            ranks = np.empty(len(given))
            ranks[better.order(given, value)] = np.arange(len(given))
            # Ranks are all it looks at; they also order what has no value.
            strategy.tell(list(zip(drawn, ranks.tolist(), strict=True)))
            if strategy.should_stop():
                return Verdict("the strategy has converged")
        return Verdict(f"{self.generations} generations done")


def _strategy(d: int, sigma: float, population: int | None, seed: int) -> Any:
    try:
        from cmaes import CMA
    except ImportError:
        raise InputError(
            'The search "cma-es" needs the package cmaes; install it with '
            'pip install "fewest[continuous]".'
        ) from None
    bounds = np.column_stack([np.zeros(d), np.ones(d)])
    return CMA(np.full(d, 0.5), sigma, bounds=bounds, seed=seed, population_size=population)


State = TypeVar("State")


@dataclass
class Moving(Search, Generic[State]):
    """Base: sample a state, move it by what was best, and so on.

    Parameters
    ----------
    population : int
        Number of candidates sampled in each generation.
    """

    spaces: ClassVar[tuple[str, ...]] = ("box",)
    generational: ClassVar[bool] = True
    example: ClassVar[str] = """
        >>> from fewest.search import Box, {name}
        >>> from fewest.testing import TableMeasure, drive, toy_table
        >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
        >>> drive({name}(population=100), Box(3), scorer, max_batches=90).best_value > -0.1
        True
        """

    population: int = whole(200, low=3)

    @abstractmethod
    def begin(self, d: int) -> State:
        """Return the first state for d weights."""

    @abstractmethod
    def draw(self, state: State, n: int, rng: np.random.Generator) -> Floats:
        """Draw candidates of a state, before they are repaired."""

    @abstractmethod
    def move(self, state: State, ranked: Floats, first: int = 0) -> State:
        """Return the next state.

        ``ranked`` are the candidates of a generation, the best first, and ``first`` is the place
        of the best in the order in which they were drawn.
        """

    @abstractmethod
    def width(self, state: State) -> float:
        """Return how far candidates of a state can differ; the search ends where they cannot."""

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        state = self.begin(space.n_units)
        while True:
            drawn = space.repair(self.draw(state, self.population, rng), rng)
            value = (yield drawn).value
            order = better.order(drawn, value)
            state = self.move(state, drawn[order], int(order[0]))
            if space.n_units == 0 or self.width(state) < 1e-12:
                return Verdict("the density has no width left")


class MovingNormals(Moving[IndependentNormals]):
    """Base: the state is a normal density of each weight, at first as wide as the box."""

    def begin(self, d: int) -> IndependentNormals:
        return IndependentNormals(np.full(d, 0.5), np.full(d, 12**-0.5))

    def draw(self, state: IndependentNormals, n: int, rng: np.random.Generator) -> Floats:
        return state.sample(n, rng)

    def width(self, state: IndependentNormals) -> float:
        return float(state.deviation.max(initial=0.0))


@dataclass
class PBILc(MovingNormals):
    """Moves a normal density towards the two best candidates and away from the worst.

    Parameters
    ----------
    alpha : float
        How far to move in each generation.
    best : int
        Number of the best candidates that give the standard deviations.
    variance : "moved", "best", "evolved" or "constant"
        Where the standard deviations come from: they move to those of the ``best`` candidates as
        the mean moves, are those of the ``best`` candidates, are those with which the best
        candidate was drawn (each candidate is drawn with its own), or stay as they are.
    first_width : float
        First standard deviation; that of a uniform density unless given.

    Notes
    -----
    The mean moves to (1 - alpha) mean + alpha (best + second best - worst) (Inza, 2002, equation
    4.14); the four rules for the deviations are those of Sebag and Ducoulombier (1998). For
    "evolved", the candidates of a generation have deviations multiplied by exp(z / sqrt(2 n)),
    with z evenly spaced quantiles of the normal distribution and n the number of weights, as in
    an evolution strategy.
    """

    name: ClassVar[str] = "pbil-c"
    source: ClassVar[str] = "Sebag and Ducoulombier (1998); Inza (2002, thesis), section 4.4.1.3"

    alpha: float = number(0.1, low=0.0, high=1.0)
    best: int = whole(20, low=2)
    variance: str = one_of("moved", "best", "evolved", "constant")
    first_width: float = number(12**-0.5, low=1e-9, high=10.0)

    def begin(self, d: int) -> IndependentNormals:
        """Start in the middle of the box."""
        return replace(super().begin(d), deviation=np.full(d, self.first_width))

    def draw(self, state: IndependentNormals, n: int, rng: np.random.Generator) -> Floats:
        """Draw independent normal weights."""
        drawn = super().draw(state, n, rng)
        if self.variance != "evolved":
            return drawn
        own = self._factors(n, len(state.mean))[:, None]
        return np.asarray(state.mean + own * (drawn - state.mean))

    def move(self, state: IndependentNormals, ranked: Floats, first: int = 0) -> IndependentNormals:
        """Move the mean part of the way, and the deviations by their rule."""
        towards = ranked[0] + ranked[1] - ranked[-1]
        spread = ranked[: self.best].std(axis=0)
        deviation = {
            "moved": (1 - self.alpha) * state.deviation + self.alpha * spread,
            "best": spread,
            "evolved": state.deviation * self._factors(len(ranked), len(state.mean))[first],
            "constant": state.deviation,
        }[self.variance]
        mean = (1 - self.alpha) * state.mean + self.alpha * towards
        return IndependentNormals(mean, deviation)

    def _factors(self, n: int, d: int) -> Floats:
        """Return what the deviations of each candidate of a generation are multiplied by."""
        factors: Floats = np.exp(ndtri((np.arange(n) + 0.5) / n) / np.sqrt(2 * d))
        return factors


@dataclass
class SHCLVND(MovingNormals):
    """Moves a normal density to the centre of the best candidates and narrows it.

    Parameters
    ----------
    alpha : float
        How far the mean moves to the centre of the best.
    beta : float
        What the standard deviations are multiplied by in each generation.
    best : int
        Number of candidates that count as the best.

    Notes
    -----
    Rudlof and Köppen (1996); Inza (2002, equations 4.12 and 4.13).
    """

    name: ClassVar[str] = "shclvnd"
    source: ClassVar[str] = "Rudlof and Köppen (1996); Inza (2002, thesis), section 4.4.1.2"

    alpha: float = number(0.5, low=0.0, high=1.0)
    beta: float = number(0.93, low=0.0, high=0.999999)
    best: int = whole(10, low=1)

    def move(self, state: IndependentNormals, ranked: Floats, first: int = 0) -> IndependentNormals:
        """Use the Hebbian rule for the mean, a constant factor for the deviations."""
        centre = ranked[: self.best].mean(axis=0)
        mean = state.mean + self.alpha * (centre - state.mean)
        return IndependentNormals(mean, self.beta * state.deviation)


@dataclass(frozen=True, eq=False)
class LevelIntervals:
    """Lower and upper ends, and the probability of the upper half."""

    low: Floats
    high: Floats
    upper: Floats


@dataclass
class Servet(Moving[LevelIntervals]):
    """Keeps an interval for each weight and halves it once the best lie in one half.

    Parameters
    ----------
    alpha : float
        How far the probability of the upper half moves to its share among the best.
    best : int
        Number of candidates that count as the best.
    certain : float
        An interval is halved when the probability of one of its halves exceeds this.

    Notes
    -----
    Servet et al. (1997); Inza (2002, section 4.4.1.4). A weight is drawn in the upper half with
    its probability, and uniformly inside of the half. After halving, the probability is ½ again.
    """

    name: ClassVar[str] = "servet"
    source: ClassVar[str] = "Servet et al. (1997); Inza (2002, thesis), section 4.4.1.4"

    alpha: float = number(0.3, low=0.0, high=1.0)
    best: int = whole(20, low=1)
    certain: float = number(0.9, low=0.5, high=1.0)

    def begin(self, d: int) -> LevelIntervals:
        return LevelIntervals(np.zeros(d), np.ones(d), np.full(d, 0.5))

    def draw(self, state: LevelIntervals, n: int, rng: np.random.Generator) -> Floats:
        half = (state.high - state.low) / 2
        upper = rng.random((n, len(half))) < state.upper
        drawn: Floats = state.low + half * (upper + rng.random((n, len(half))))
        return drawn

    def move(self, state: LevelIntervals, ranked: Floats, first: int = 0) -> LevelIntervals:
        """Learn the probabilities, then halve what is certain."""
        middle = (state.low + state.high) / 2
        share = (ranked[: self.best] > middle).mean(axis=0)
        upper = (1 - self.alpha) * state.upper + self.alpha * share
        rises, falls = upper > self.certain, upper < 1 - self.certain
        return LevelIntervals(
            np.where(rises, middle, state.low),
            np.where(falls, middle, state.high),
            np.where(rises | falls, 0.5, upper),
        )

    def width(self, state: LevelIntervals) -> float:
        return float((state.high - state.low).max(initial=0.0))
