"""Exact: the smallest subset that reaches a threshold, or the best subset, with a proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._parameters import flag, whole
from ...measures._measure import Scorer
from .._better import Better
from .._exhaustive import prove_best
from .._monotone import Bounds, Monotone
from .._questions import Ask
from .._search import Proposals, Search, Verdict
from .._spaces.space import Space
from .hitting_sets import Desk, in_background
from .proof import HittingProof

Mask = NDArray[np.bool_]


@dataclass
class Exact(Search):
    """Smallest subset that reaches the threshold, or the best by least squares, proven.

    Parameters
    ----------
    all_optima : bool
        Whether to find every smallest subset; the others come as alternatives, and the result
        names the features that are in all of them (``result.extra["in_all_optima"]``).
    max_optima : int
        Largest number of them.
    threads : int
        How many threads share the proof; the answer does not depend on it.
    each_size : bool
        For criteria of least squares: whether the best subset of each size is proven, not only
        the best of all; ``result.extra["sizes"]`` lists them.

    Notes
    -----
    With a monotone measure such as ``"inconsistency"``, the smallest (cheapest) subset that
    reaches its threshold. With ``"aic"``, ``"bic"``, ``"adjusted-r2"``, ``"mallows-cp"`` and
    ``"rss"``, the subset with the best score, by leaps and bounds (Furnival and Wilson, 1974); a
    run that is stopped has the best subset so far, and ``result.bound`` is the highest score that
    is not excluded. Scores of least squares are equal where the residual sums of squares differ
    by less than 1e-10 of them.

    A subset that fails the threshold comes with cuts: sets of features of which every answer
    has at least one. An answer is then a minimum hitting set of all cuts, and a hitting set of
    those known so far gives a lower bound (Moreno-Centeno and Karp, 2013, section 2). The
    hitting sets are found by CP-SAT where structure helps, and by a compiled branch and bound
    over the masks where the table looks random. Dash and Liu (2003, section 4) search the
    subsets themselves.

    Examples
    --------
    >>> from fewest.data._as_table import as_table
    >>> from fewest.measures._consistency.inconsistency import Inconsistency
    >>> from fewest.search import Exact, Subsets
    >>> from fewest.testing import drive
    >>> X = [[a, b, c] for a in "01" for b in "01" for c in "01"]
    >>> y = [int(a != b) for a, b, c in X]
    >>> drive(Exact(), Subsets(3), Inconsistency().bind(as_table(X, y))).answer
    array([ True,  True, False])
    """

    name: ClassVar[str] = "exact"
    source: ClassVar[str] = (
        "Dash and Liu (2003), section 4; Moreno-Centeno and Karp (2013); Furnival and Wilson (1974)"
    )
    needs_monotone: ClassVar[bool] = True
    complete: ClassVar[bool] = True

    all_optima: bool = flag(False)
    max_optima: int = whole(1000, low=1)
    threads: int = whole(2, low=1)
    each_size: bool = flag(False)

    def start(
        self,
        space: Space,
        better: Better,
        rng: np.random.Generator,
        scorer: Scorer | None = None,
        bounds: Bounds | None = None,
        ask: Ask | None = None,
    ) -> Proposals:
        """Start the proof that fits the measure: of the smallest subset, or of the best one."""
        if scorer is not None and scorer.proves_best:
            return prove_best(space, rng, scorer, self.each_size, bounds or Bounds())
        return super().start(space, better, rng, scorer, bounds, ask)

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Grow the set of cuts until a smallest hitting set of them reaches the threshold."""

        def work(desk: Desk) -> tuple[Mask, bool]:
            proof = HittingProof(space, monotone, desk, self.threads)
            answer = proof.prove()
            return proof.every(self.max_optima) if self.all_optima else (answer[None], False)

        answers, complete = yield from in_background(work, space.n_units)
        answer = answers[0]
        others = answers[1:] if self.all_optima else None
        shared = np.asarray(answers.all(axis=0)) if complete else None
        cost = float(space.cost(answer[None])[0])
        return Verdict(
            "proven: no smaller subset reaches the threshold", True, cost, answer, others, shared
        )
