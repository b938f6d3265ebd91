"""Base of searches: a generator that yields candidates and receives their scores."""

from __future__ import annotations

from abc import ABC
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import MismatchError
from .._parameters import Parameters
from ..measures._measure import Candidates, Scorer, Scores
from ._better import Better
from ._curve import Curve
from ._monotone import Bounds, Monotone, monotone_of, unreachable
from ._questions import Advice, Ask, advice_of
from ._spaces.space import Space


@dataclass(frozen=True)
class Verdict:
    """End of a search: the reason, and what it knows.

    ``optimal`` is true only where it is proven; ``bound`` is the smallest size (or cost) that
    is not excluded; ``reason`` is a phrase for why it ended. ``answer`` is given by searches
    whose answer is not simply the best value: the smallest subset that reaches a threshold;
    ``alternatives`` are other answers as small, one per row; ``shared`` is what all answers
    have in common, given only where none is missing; ``curve`` is the honest curve of score
    against size, of searches that have one; ``ranking`` has the units by rank, the best first,
    where the search ranked them on all rows.

    Examples
    --------
    >>> from fewest.search import Verdict
    >>> Verdict("20 rounds done").reason
    '20 rounds done'
    """

    reason: str
    optimal: bool = False
    bound: float | None = None
    answer: NDArray[np.bool_] | None = None
    alternatives: NDArray[np.bool_] | None = None
    shared: NDArray[np.bool_] | None = None
    curve: Curve | None = None
    ranking: NDArray[np.intp] | None = None


@dataclass(frozen=True)
class LearnedGraph:
    """Relations between free units of the best candidates.

    ``arcs`` are pairs of unit numbers, parent first; ``rows`` is the number of candidates that
    the graph was learned from.
    """

    arcs: tuple[tuple[int, int], ...]
    rows: int


#: The goals of a search that does not name its own.
VALUE_AND_COST = ("value", "cost")

#: What ``propose`` returns: it yields candidates, is sent scores, and may return a verdict.
Proposals = Generator[Candidates, Scores, Verdict | None]


class Search(Parameters, ABC):
    """Way from scored candidates to the next ones. It never sees data.

    Subclasses are dataclasses whose fields are their parameters. All state lives in the
    generator, so one search object may drive many runs.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> import fewest
    >>> @dataclass
    ... class Coin(fewest.search.Search):
    ...     name = "coin"
    ...     def propose(self, space, better, rng):
    ...         yield space.sample(100, rng)
    >>> data = fewest.load("wine")
    >>> selector = fewest.SubsetSelector(
    ...     "naive-bayes", search=Coin(), random_state=0).fit(data.X, data.y
    ... )
    >>> selector.result_.evaluations <= 100
    True
    """

    #: The name on the command line and in strings.
    name: ClassVar[str]
    #: Author, year and section of the document it comes from.
    source: ClassVar[str] = ""
    #: The kinds of space it can handle.
    spaces: ClassVar[tuple[str, ...]] = ("subsets",)
    #: Whether it needs a monotone measure (with a threshold and cuts).
    needs_monotone: ClassVar[bool] = False
    #: What the measure must advise on: "importances", "l1_path" or nothing.
    needs_advice: ClassVar[str] = ""
    #: Whether each batch is a generation, so that rules about generations can stop it.
    generational: ClassVar[bool] = False
    #: Whether it samples small batches for ever, so that a run must end it when all is known.
    samples_on: ClassVar[bool] = False
    #: Whether it visits or excludes every subset, so that its answer is the best there is.
    complete: ClassVar[bool] = False
    #: Whether it ends by itself as a rule, so that ``stop="auto"`` adds no rule of its own.
    ends: ClassVar[bool] = False

    def start(
        self,
        space: Space,
        better: Better,
        rng: np.random.Generator,
        scorer: Scorer | None = None,
        bounds: Bounds | None = None,
        ask: Ask | None = None,
    ) -> Proposals:
        """Start the generator of this search for one run, by the one of its three methods it has.

        A monotone search scores the full set first: where that fails the threshold, so does every
        subset; where it does not, there is an answer from the start. ``bounds`` is filled while
        it runs. It may also yield an empty batch, only to give the run a chance to look and to
        stop. ``ask`` answers questions about importances, by default the scorer does.
        """
        bounds = Bounds() if bounds is None else bounds
        own = self.start_on(scorer, space, rng, bounds)
        if own is not None:
            return own
        if self.needs_advice:
            answer = ask or (lambda questions: [scorer.importances(q) for q in questions])  # type: ignore[union-attr]
            advice = advice_of(self.name, self.needs_advice, scorer, space, answer)
            return self.propose_advised(space, better, rng, advice)
        if not self.needs_monotone:
            return self.propose(space, better, rng)
        if scorer is None or scorer.threshold is None:
            raise MismatchError(
                f"The search `{self.name}` needs a monotone measure with a threshold, but this "
                'one has none; use measure="inconsistency", or a search such as "ebna".'
            )
        return self._after_the_full_set(space, better, rng, monotone_of(scorer, space, bounds))

    def start_on(
        self, scorer: Scorer | None, space: Space, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals | None:
        """Return the generator of a search that asks the scorer for more than scores, else None."""
        return None

    def _after_the_full_set(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        everything = np.ones((1, space.n_units), dtype=bool)
        value = (yield everything).value
        if not monotone.reaches(value)[0]:
            raise unreachable(monotone)
        monotone.full_value = float(value[0])
        if space.feasible(everything)[0]:
            monotone.bounds.offer(everything[0], float(space.cost(everything)[0]))
        return (yield from self.propose_monotone(space, better, rng, monotone))

    def goal_names(self) -> Sequence[str]:
        """Return the goals of which the result shows the front."""
        return VALUE_AND_COST

    def learned_graph(
        self, candidates: Candidates, value: NDArray[np.float64], space: Space
    ) -> LearnedGraph | None:
        """Return the graph learned from these candidates (best first), for the report.

        None for a search that learns no graph, and where the graph would be too large to read.
        """
        return None

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield batches of candidates (matrices over ``space.cardinalities``), receive scores.

        Candidates are rows over the free units of the space (see :class:`Space`); every one
        must have passed ``space.repair`` or ``space.feasible``, except the stepping stones of
        sequential searches. All randomness comes from ``rng``.
        """
        raise NotImplementedError(f"{type(self).__name__} has no `propose`.")

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Propose as ``propose`` does, for a search with ``needs_monotone``.

        The answer is the cheapest subset whose value reaches ``monotone.threshold``, as the full
        set does; what is known of it on the way stands in ``monotone.bounds``.
        """
        raise NotImplementedError(f"{type(self).__name__} has no `propose_monotone`.")

    def propose_advised(
        self, space: Space, better: Better, rng: np.random.Generator, advice: Advice
    ) -> Proposals:
        """Propose as ``propose`` does, for a search with ``needs_advice``.

        ``advice`` gives the importances of the units of a candidate, or the subsets of a path.
        """
        raise NotImplementedError(f"{type(self).__name__} has no `propose_advised`.")
