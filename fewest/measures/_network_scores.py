"""Scores of graphs and of orderings: a sum over the families of a network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._models.family_scores import FamilyScores, Score, bits_of_arcs
from .._parameters import number, one_of, whole
from ..data._table import Table
from ._measure import Candidates, Measure, Scorer, Scores


class GraphScorer(Scorer):
    """Scores graphs, one per row: the matrix of arcs [parent, child], row after row.

    Searches over graphs also walk on its cache of families, so that a step from graph to graph
    costs the families that are new.
    """

    def __init__(self, families: FamilyScores) -> None:
        self.families = families

    def score(self, candidates: Candidates) -> Scores:
        d = len(self.families.cardinalities)
        arcs = np.asarray(candidates, dtype=bool).reshape(-1, d, d)
        return Scores(self.families.of_bits(bits_of_arcs(arcs)))


@dataclass(kw_only=True)
class OrderingScore(Measure):
    """Score of the network that K2 learns when the variables come in a given order.

    Parameters
    ----------
    score : "bic", "k2" or "bdeu"
    max_parents : int or None
    alpha : float
        The equivalent sample size of "bdeu".
    parents : "earlier" or "later"
        Where the parents of a variable stand in the ordering.

    Notes
    -----
    Families are counted once per run: an ordering costs what is new in it.
    """

    name: ClassVar[str] = "ordering-score"
    source: ClassVar[str] = "Hsu (2004), section 4.2"
    needs_classes: ClassVar[bool] = False

    score: str = one_of("bic", "k2", "bdeu")
    max_parents: int | None = whole(4, low=0, optional=True)
    alpha: float = number(1.0, low=1e-9)
    parents: str = one_of("earlier", "later")

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> OrderingScorer:
        """Return the scorer over the rows of an all-nominal table without unknown values."""
        self.check_parameters()
        return OrderingScorer(
            FamilyScores(*coded_rows(table), score=Score(self.score, self.alpha)),
            self.max_parents,
            self.parents,
        )


def coded_rows(table: Table) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return rows and cardinalities of a table whose features are all nominal and known."""
    if not table.nominal.all() or table.incomplete.any():
        raise InputError(
            "A measure of orderings needs nominal features without unknown values; discretise "
            "the table first, or use fewest.NetworkLearner, which does so."
        )
    return table.values.astype(np.uint8), np.maximum(table.cardinalities, 1)


class OrderingScorer(Scorer):
    """Scores orderings, one per row."""

    def __init__(self, families: FamilyScores, max_parents: int | None, parents: str) -> None:
        self.families = families
        self.max_parents = max_parents
        self.parents = parents

    def score(self, candidates: Candidates) -> Scores:
        """Score the network that K2 learns from each ordering."""
        _, scores = self.families.k2_bits(
            candidates, max_parents=self.max_parents, parents=self.parents
        )
        return Scores(scores)
