"""The score of a graph: the sum over its families."""

from __future__ import annotations

import numpy as np

from ...models.networks.family_scores import FamilyScores, bits_of_arcs
from ..base import Candidates, Scorer, Scores


class GraphScorer(Scorer):
    """Scores graphs, one per row: the matrix of arcs [parent, child], row after row.

    Searches over graphs also walk on its cache of families, so that a step from graph to graph
    costs the families that are new.

    Parameters
    ----------
    families : FamilyScores

    Examples
    --------
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    >>> scorer = GraphScorer(FamilyScores(np.stack([a, b, a], axis=1), np.full(3, 2)))
    >>> empty, copied = np.zeros((3, 3), dtype=bool), np.zeros((3, 3), dtype=bool)
    >>> copied[0, 2] = True
    >>> values = scorer.score(np.stack([empty.ravel(), copied.ravel()])).value
    >>> bool(values[1] > values[0])
    True
    """

    def __init__(self, families: FamilyScores) -> None:
        self.families = families

    def score(self, candidates: Candidates) -> Scores:
        """The score of each graph."""
        d = len(self.families.cardinalities)
        arcs = np.asarray(candidates, dtype=bool).reshape(-1, d, d)
        return Scores(self.families.of_bits(bits_of_arcs(arcs)))
