"""Smallest loop that runs a search: what a test needs of the run, and nothing more."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..measures._measure import Candidates, Scorer, Scores
from ..search._better import Better
from ..search._search import Search, Verdict
from ..search._spaces.space import Space


@dataclass
class Drive:
    """Proposals of a search, the scores it received, and how it ended.

    ``batches`` holds every batch as it was proposed; ``evaluations`` counts the different
    candidates; ``verdict`` is what the search returned, None where it was stopped; ``reached`` is
    the number of proposals, also repeated ones, up to the first one that reached the target, None
    where none did.

    Examples
    --------
    >>> from fewest.search import Exhaustive, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda mask: mask.sum()).bind(toy_table(n_features=2))
    >>> done = drive(Exhaustive(), Subsets(2), scorer)
    >>> done.evaluations, done.best_value
    (4, 2.0)
    """

    space: Space
    batches: list[Candidates] = field(default_factory=list)
    values: list[NDArray[np.float64]] = field(default_factory=list)
    verdict: Verdict | None = None
    ended: bool = False
    seen: set[bytes] = field(default_factory=set)
    reached: int | None = None

    @property
    def candidates(self) -> Candidates:
        """Return all candidates in the order of their proposal."""
        empty = np.zeros((0, self.space.n_units), dtype=bool)
        return np.concatenate(self.batches) if self.batches else empty

    @property
    def value(self) -> NDArray[np.float64]:
        """Their values."""
        return np.concatenate(self.values) if self.values else np.zeros(0)

    @property
    def evaluations(self) -> int:
        """Number of different candidates that were scored."""
        return len(self.seen)

    @property
    def answer(self) -> Candidates:
        """Answer of the verdict, or the best feasible candidate."""
        if self.verdict is not None and self.verdict.answer is not None:
            return np.asarray(self.verdict.answer)
        return np.asarray(self.candidates[self._best()])

    @property
    def best_value(self) -> float:
        """Value of the best feasible candidate."""
        return float(self.value[self._best()])

    def _best(self) -> int:
        rows = np.flatnonzero(self.space.feasible(self.candidates))
        assert len(rows), "no feasible candidate was proposed"
        best = Better(self.space).best(self.candidates[rows], self.value[rows])
        return int(rows[best])


def drive(
    search: Search,
    space: Space,
    scorer: Scorer,
    rng: np.random.Generator | int = 0,
    max_batches: int = 1000,
    *,
    target: float = np.inf,
    max_proposals: int | None = None,
) -> Drive:
    """Run a search over a space without the run: no cache, no stop rules, no journal.

    Parameters
    ----------
    search : Search
    space : Space
    scorer : Scorer
        For example ``TableMeasure(...).bind(toy_table())``.
    rng : Generator or int
        An int is a seed.
    max_batches : int
        The search is closed after this many batches if it does not end by itself.
    target : float
        The search is closed after the batch in which a value reaches this.
    max_proposals : int or None
        The search is closed after the batch with which this many candidates are proposed.

    Examples
    --------
    >>> from fewest.search import Subsets, resolve_search
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda mask: mask[[0, 2]].sum()).bind(toy_table(n_features=4))
    >>> drive(resolve_search("sfs"), Subsets(4), scorer).answer
    array([ True, False,  True, False])
    """
    rng = np.random.default_rng(rng)
    search.check_parameters()
    done = Drive(space)
    proposals = search.start(space, Better(space), rng, scorer)
    try:
        batch = next(proposals)
        most = np.inf if max_proposals is None else max_proposals
        proposed = 0
        while len(done.batches) < max_batches:
            scores = _score(done, scorer, np.array(batch))
            hits = np.flatnonzero(scores.value >= target)
            if len(hits):
                done.reached = proposed + int(hits[0]) + 1
                break
            proposed += len(batch)
            if proposed >= most:
                break
            batch = proposals.send(scores)
    except StopIteration as end:
        done.verdict, done.ended = end.value, True
    proposals.close()
    return done


def _score(done: Drive, scorer: Scorer, batch: Candidates) -> Scores:
    if len(batch) == 0:
        # An empty batch only waits for a moment; how many there are depends on the clock.
        return scorer.score(done.space.expand(batch))
    done.batches.append(batch)
    done.seen.update(done.space.keys(batch))
    scores = scorer.score(done.space.expand(batch))
    done.values.append(scores.value)
    return scores
