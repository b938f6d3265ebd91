"""Search over several goals: the front of subsets that none beats in all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._parameters import number, whole
from ..measures._measure import Candidates, Scores
from ._better import Better
from ._genetic import mutate, mutation_rate, uniform
from ._population import Population, first_population, scored
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space

Matrix = NDArray[np.float64]


def _clean(matrix: Matrix) -> Matrix:
    goals = np.asarray(matrix, dtype=np.float64)
    return np.where(np.isnan(goals), np.inf, goals)


def non_dominated(matrix: Matrix) -> NDArray[np.bool_]:
    """Mark the rows that no other row beats: no worse in all goals and better in one."""
    goals = _clean(matrix)
    # Good rows first: each throws out at once all that it dominates, so few are left to look at.
    left = np.argsort(goals.sum(axis=1), kind="stable")
    at = 0
    while at < len(left):
        here, others = goals[left[at]], goals[left]
        keep = (others < here).any(axis=1) | (others == here).all(axis=1)
        at = int(keep[: at + 1].sum())
        left = left[keep]
    front = np.zeros(len(goals), dtype=bool)
    front[left] = True
    return front


def fronts(matrix: Matrix, enough: int | None = None) -> NDArray[np.int64]:
    """Return the front of each row: 0 if non-dominated, 1 if so once those are gone, ...

    Once ``enough`` rows have their front, all others share the next.
    """
    goals = _clean(matrix)
    front = np.full(len(goals), -1, dtype=np.int64)
    left = np.arange(len(goals))
    number = 0
    enough = len(goals) if enough is None else enough
    while len(left):
        filled = len(goals) - len(left) >= enough
        top = np.ones(len(left), dtype=bool) if filled else non_dominated(goals[left])
        front[left[top]] = number
        left = left[~top]
        number += 1
    return front


def crowding(matrix: Matrix) -> Matrix:
    """Sum over the goals how far apart the neighbours of each row are; infinite at the ends.

    Deb, Pratap, Agarwal and Meyarivan (2002), section III-B, with each goal scaled to its range.
    """
    goals = _clean(matrix)
    distance = np.zeros(len(goals))
    for column in goals.T:
        order = np.argsort(column, kind="stable")
        ordered = column[order]
        ends_known = len(ordered) > 0 and np.isfinite(ordered[[0, -1]]).all()
        span = ordered[-1] - ordered[0] if ends_known else 0.0
        distance[order[[0, -1]] if len(order) else order] = np.inf
        if len(order) > 2 and span > 0:
            distance[order[1:-1]] += (ordered[2:] - ordered[:-2]) / span
    return distance


def knee(matrix: Matrix) -> int:
    """Return the row of the front where giving a little of one goal stops buying much of another.

    The goals of the non-dominated rows are scaled to [0, 1]; the knee is the row nearest to the
    ideal corner measured along the diagonal (for two goals: farthest below the line through the
    two ends of the front). Ties go to the smaller first goal, then to the earlier row.
    """
    goals = _clean(matrix)
    front = np.flatnonzero(non_dominated(goals))
    finite = front[np.isfinite(goals[front]).all(axis=1)]
    front = finite if len(finite) else front
    if not len(finite):
        return int(front[0])
    low = goals[front].min(axis=0)
    span = goals[front].max(axis=0) - low
    scaled = (goals[front] - low) / np.where(span > 0, span, 1.0)
    order = np.lexsort((front, goals[front][:, 0], np.round(scaled.sum(axis=1), 12)))
    return int(front[order[0]])


def _are_goals(goals: object) -> bool:
    return (
        isinstance(goals, list | tuple)
        and len(goals) >= 2
        and all(isinstance(goal, str) and goal.lstrip("-") for goal in goals)
    )


@dataclass
class Pareto(Search):
    """Find the front of several goals at once: value, size, cost, and what the measure reports.

    Parameters
    ----------
    goals : list of str
        ``"value"``, ``"size"`` (number of features), ``"cost"`` and the further goals of the
        measure (``"accuracy"``, ``"leaves"``, ...). Size and cost are best small, the others
        large; a minus before the name (``"-leaves"``) turns it round.
    population : int
        How many subsets are kept, and how many children a generation has.
    generations : int
        Number of generations after which the search ends.
    mutation : float or None
        The probability of each unit of a child to change; None is 1 / number of units.
    p0 : float or None
        Probability of each unit in the first population. None is one half for up to 100 units;
        beyond, the first population has subsets of all sizes, small ones as often as large ones.

    Notes
    -----
    NSGA-II of Deb, Pratap, Agarwal and Meyarivan (2002): survivors by front, then by crowding
    distance; parents by tournaments of two; uniform crossover. Copies of a subset are removed
    before the survivors are chosen, as subsets repeat easily. The answer is taken from the front
    by the choice rule: ``choose="knee"`` suits.

    Examples
    --------
    >>> from fewest.search import Pareto, Subsets
    >>> from fewest.search._pareto import front
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda mask: 2.0 * mask[0] + mask[1]).bind(toy_table(n_features=5))
    >>> done = drive(Pareto(generations=10), Subsets(5), scorer)
    >>> rows = front(done.space, done.candidates, scorer.score(done.candidates), ["value", "size"])
    >>> sorted(set(done.value[rows].tolist()))
    [0.0, 2.0, 3.0]
    """

    name: ClassVar[str] = "pareto"
    source: ClassVar[str] = "Deb, Pratap, Agarwal and Meyarivan (2002); Hsu (2004), section 2"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")
    generational: ClassVar[bool] = True
    ends: ClassVar[bool] = True

    goals: Sequence[str] = field(
        default=("value", "size"),
        metadata={"must": "a list of two or more names of goals", "check": _are_goals},
    )
    population: int = whole(200, low=4)
    generations: int = whole(50, low=1)
    mutation: float | None = number(None, low=0.0, high=1.0, optional=True)
    p0: float | None = number(None, low=0.0, high=1.0, optional=True)

    def goal_names(self) -> Sequence[str]:
        return self.goals

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        rate = mutation_rate(self.mutation, space)
        population = yield from scored(first_population(space, self.population, rng, self.p0))
        population = self._survivors(population, space)
        for _ in range(self.generations - 1):
            # Winners of random pairs: members stand best first.
            winners = rng.integers(len(population), size=(self.population, 2)).min(axis=1)
            parents = population.candidates[winners]
            half = len(parents) // 2
            born = np.concatenate(uniform(parents[:half], parents[half : 2 * half], rng))
            born = mutate(born, rate, space.cardinalities, rng)
            new = yield from scored(space.repair(born, rng))
            population = self._survivors(population.join(new), space)
        return Verdict(f"{self.generations} generations done")

    def _survivors(self, population: Population, space: Space) -> Population:
        """Return the best by front and crowding, best first, without copies."""
        keys = space.keys(population.candidates)
        population = population.take(np.array(sorted({k: i for i, k in enumerate(keys)}.values())))
        matrix = goal_matrix(space, population.candidates, population.scores, self.goals)
        front = fronts(matrix, self.population)
        apart = np.zeros(len(population))
        for number_ in np.unique(front):
            rows = np.flatnonzero(front == number_)
            apart[rows] = crowding(matrix[rows])
        order = np.lexsort((-apart, front))
        return population.take(order[: self.population])


def goal_matrix(
    space: Space, candidates: Candidates, scores: Scores, goals: Sequence[str]
) -> NDArray[np.float64]:
    """Return one column per goal, turned so that smaller is better (see ``dominance``)."""
    return np.column_stack([_goal(space, candidates, scores, goal) for goal in goals])


def _goal(space: Space, candidates: Candidates, scores: Scores, goal: str) -> NDArray[np.float64]:
    turned, name = goal.startswith("-"), goal.removeprefix("-")
    if name in ("size", "cost"):
        small = space.size(candidates) if name == "size" else space.cost(candidates)
        return -small.astype(np.float64) if turned else small.astype(np.float64)
    if name != "value" and name not in scores.goals:
        known = ", ".join(["value", "size", "cost", *sorted(scores.goals)])
        raise InputError(
            f"`goals` must name goals that the measure reports ({known}), but one is {goal!r}."
        )
    large = scores.value if name == "value" else scores.goals[name]
    return large if turned else -large


def front(
    space: Space, candidates: Candidates, scores: Scores, goals: Sequence[str]
) -> NDArray[np.intp]:
    """Return the feasible candidates that no other beats in all goals."""
    rows = np.flatnonzero(space.feasible(candidates))
    matrix = goal_matrix(space, candidates[rows], scores.take(rows), goals)
    return rows[non_dominated(matrix)]
