"""Searches over orderings: hill climbing, genetic algorithm, Plackett-Luce distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._kernels.networks.orders import cycle_crossover, order_crossover, partially_matched_crossover
from .._parameters import number, one_of, whole
from ..measures._measure import Candidates
from ._better import Better
from ._population import Population, proportional, scored
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space


def cross_orderings(
    mothers: Candidates, fathers: Candidates, how: str, rng: np.random.Generator
) -> tuple[Candidates, Candidates]:
    """Breed two children of each pair by ``"ox"``, ``"pmx"`` or ``"cx"``, at random places.

    By order and partially matched crossover children have a segment of their second parent, by
    cycle crossover the cycle of their first parent through a place.
    """
    n, d = mothers.shape
    places = [np.asarray(rng.integers(d, size=n))] if how == "cx" else draw_cuts(n, d, rng)
    cross = {"ox": order_crossover, "pmx": partially_matched_crossover, "cx": cycle_crossover}[how]
    one, other = np.empty_like(mothers), np.empty_like(mothers)
    cross(mothers, fathers, *places, one)
    cross(fathers, mothers, *places, other)
    return one, other


def draw_cuts(n: int, d: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Draw segments of at least one place: where each begins, and where it ends."""
    ends = np.sort(rng.integers(d + 1, size=(n, 2)), axis=1)
    ends[:, 1] = np.maximum(ends[:, 1], np.minimum(ends[:, 0] + 1, d))
    ends[:, 0] = np.minimum(ends[:, 0], ends[:, 1] - 1)
    return [np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])]


def swap(candidates: Candidates, rate: float, rng: np.random.Generator) -> Candidates:
    """Exchange two random places of each ordering with probability ``rate``."""
    n, d = candidates.shape
    changed = candidates.copy()
    rows = np.flatnonzero(rng.random(n) < rate)
    one, other = rng.integers(d, size=(2, len(rows)))
    changed[rows, one], changed[rows, other] = candidates[rows, other], candidates[rows, one]
    return changed


def neighbours(ordering: NDArray[Any]) -> Candidates:
    """Return all orderings one swap of two places or one insertion away, each once."""
    d = len(ordering)
    found = []
    for i in range(d):
        for j in range(i + 1, d):
            swapped = ordering.copy()
            swapped[[i, j]] = swapped[[j, i]]
            found.append(swapped)
    for i in range(d):
        rest = np.delete(ordering, i)
        # One place to the left or right is a swap, which is there already.
        found += [np.insert(rest, j, ordering[i]) for j in range(d) if abs(i - j) > 1]
    return np.array(found) if found else np.zeros((0, d), dtype=ordering.dtype)


class OrderingSearch(Search):
    """Base of the searches over orderings."""

    spaces: ClassVar[tuple[str, ...]] = ("orderings",)
    example: ClassVar[str] = """
        >>> from fewest.search import Orderings, {name}
        >>> from fewest.testing import TableMeasure, drive, toy_table
        >>> measure = TableMeasure(lambda o: -float(abs(o - np.arange(6.0)).sum()))
        >>> drive({name}(), Orderings(6), measure.bind(toy_table()), max_batches=40).best_value
        -0.0
        """


@dataclass(kw_only=True)
class ClimbOrder(OrderingSearch):
    """Improve a random ordering by the best swap or insertion while one helps, several times.

    Parameters
    ----------
    restarts : int
        How many random orderings are improved.
    """

    name: ClassVar[str] = "climb-order"
    source: ClassVar[str] = "Teyssier and Koller (2005), with insertions beside swaps"
    ends: ClassVar[bool] = True

    restarts: int = whole(3, low=1)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch per step: all neighbours of the current ordering."""
        for _ in range(self.restarts):
            here = yield from scored(space.sample(1, rng))
            while space.n_units > 1:
                around = yield from scored(neighbours(here.candidates[0]))
                top = around.best(1, better)
                if not better.improves(float(top.value[0]), float(here.value[0])):
                    break
                here = top
        return Verdict(f"no swap or insertion improves the last of {self.restarts} orderings")


@dataclass(kw_only=True)
class GAOrder(OrderingSearch):
    """Breed good orderings: order crossover, swap mutation, the best always survive.

    Parameters
    ----------
    population : int
        How many orderings a generation has; the paper has 10.
    crossover : "ox", "pmx" or "cx"
        Order, partially matched or cycle crossover.
    rate : float
        The probability that a pair is crossed; otherwise the children are copies.
    mutation : float
        The probability that two places of a child are exchanged.
    elite : int
        How many of the best of a generation go on unchanged.
    patience : int or None
        After this many generations without a better ordering all but the elite are shuffled;
        None never shuffles.

    Notes
    -----
    Hsu (2004), section 4.2: an elitist permutation GA with order crossover and swap mutation.
    *Shuffle* as cataclysmic mutation was not found necessary there, and is off by default.
    Parents are drawn in proportion to their values.
    """

    name: ClassVar[str] = "ga-order"
    source: ClassVar[str] = "Hsu (2004), section 4.2"
    generational: ClassVar[bool] = True

    population: int = whole(100, low=2)
    crossover: str = one_of("ox", "pmx", "cx")
    rate: float = number(0.9, low=0.0, high=1.0)
    mutation: float = number(0.3, low=0.0, high=1.0)
    elite: int = whole(1, low=1)
    patience: int | None = whole(None, low=1, optional=True)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch per generation: the first population, then the children."""
        people = yield from scored(space.sample(self.population, rng))
        best, since = float("nan"), 0
        while True:
            elite = people.best(self.elite, better)
            since = 0 if better.improves(float(elite.value[0]), best) else since + 1
            best = float(elite.value[0])
            if self.patience is not None and since >= self.patience:
                born, since = space.sample(self.population, rng), 0
            else:
                born = self._children(people, rng)
            new = yield from scored(born)
            people = new.join(elite)

    def _children(self, people: Population, rng: np.random.Generator) -> Candidates:
        pairs = (self.population + 1) // 2
        parents = people.candidates[proportional(people.value, 2 * pairs, rng)]
        mothers, fathers = parents[:pairs], parents[pairs:]
        one, other = cross_orderings(mothers, fathers, self.crossover, rng)
        mates = rng.random((pairs, 1)) < self.rate
        born = np.concatenate([np.where(mates, one, mothers), np.where(mates, other, fathers)])
        return swap(born[: self.population], self.mutation, rng)


@dataclass(frozen=True, eq=False)
class PlackettLuce:
    """Orderings drawn item by item, each next one in proportion to its worth.

    worth (d,): positive numbers; only their ratios matter.

    P(ordering) = product over places k of w(k) / (w(k) + w(k + 1) + ... + w(d)) (Plackett, 1975).
    The worths are fitted by minorisation and maximisation (Hunter, 2004), with ``prior``
    imaginary wins of each item against an item of the mean worth, so that an item that always
    stands first has a finite one.
    """

    worth: NDArray[np.float64]

    @staticmethod
    def learn(orders: NDArray[Any], *, prior: float = 1.0, steps: int = 50) -> PlackettLuce:
        """Learn the worths under which these orderings (one per row) are most probable."""
        lines = np.asarray(orders, dtype=np.int64)
        if lines.ndim != 2 or not (np.sort(lines, axis=1) == np.arange(lines.shape[1])).all():
            raise InputError("`orders` must hold one ordering per row, each item once.")
        n, d = lines.shape
        wins = np.full(d, n + prior) - np.bincount(lines[:, -1], minlength=d)
        worth = np.ones(d)
        places = np.argsort(lines, axis=1)
        for _ in range(steps):
            left = np.cumsum(worth[lines][:, ::-1], axis=1)[:, ::-1]
            # An item is compared at every place up to its own, the last one excepted.
            shares = np.cumsum(1 / left[:, :-1], axis=1)
            rows = np.minimum(places, d - 2)
            compared = np.take_along_axis(shares, rows, axis=1).sum(axis=0) if d > 1 else 0.0
            new = wins / (compared + 2 * prior / (worth + 1.0))
            new /= new.mean()
            if np.abs(new - worth).max() < 1e-8 * new.max():
                break
            worth = new
        return PlackettLuce(worth)

    def sample(self, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw ``n`` orderings: sorting log worth plus Gumbel noise draws item by item."""
        noise = rng.gumbel(size=(n, len(self.worth)))
        return np.argsort(-(np.log(self.worth) + noise), axis=1)


@dataclass(kw_only=True)
class PlackettLuceEDA(OrderingSearch):
    """Learn a Plackett-Luce model of the best orderings and draw the next ones from it.

    Parameters
    ----------
    population : int
        How many orderings are kept, and how many are drawn per generation.
    selected : float
        The share of the population that the model is learned from.
    mutation : float
        The probability that two places of a drawn ordering are exchanged.

    Notes
    -----
    Ceberio, Mendiburu and Lozano (2013). Plackett-Luce rather than Mallows, because its worths
    are found by a convex problem while the centre of a Mallows model is a Kemeny ranking, which
    is NP-hard to find; because orderings are drawn exactly by one sort; and because variables
    whose place does not matter get equal worths, where Mallows has one spread for all. Of equally
    good orderings chance decides which ones the model is learned from.
    """

    name: ClassVar[str] = "plackett-luce"
    source: ClassVar[str] = "Ceberio, Mendiburu and Lozano (2013)"
    generational: ClassVar[bool] = True

    population: int = whole(100, low=4)
    selected: float = number(0.25, low=0.01, high=1.0)
    mutation: float = number(0.2, low=0.0, high=1.0)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        people = yield from scored(space.sample(self.population, rng))
        number_selected = max(2, round(self.selected * self.population))
        while True:
            best = people.take(ties_by_chance(people.value, rng)[:number_selected])
            model = PlackettLuce.learn(best.candidates)
            drawn = model.sample(self.population, rng).astype(people.candidates.dtype)
            new = yield from scored(swap(drawn, self.mutation, rng))
            people = people.join(new)
            people = people.take(ties_by_chance(people.value, rng)[: self.population])


def ties_by_chance(value: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.intp]:
    """Return the indices from the best value to the worst, equal values in random order.

    Many orderings lead to equivalent networks. Were ties broken by the key, as elsewhere, the
    model would learn the keys. Sums in another order count as equal.
    """
    known = np.where(np.isfinite(value), value, -np.inf)
    finite = known[np.isfinite(known)]
    scale = 1e-10 * max(1.0, float(np.abs(finite).max(initial=0.0)))
    return np.lexsort((rng.random(len(value)), -np.round(known / scale)))
