"""Scores of Bayesian network classifiers over subsets, from information tables alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...data.information import Information
from ...data.table import Table
from ...parameters import one_of, whole
from ..base import Candidates, Measure, Scorer, Scores
from ..filters.pair_values import adds_only, sums_of
from ..steps import Steps
from .arcs import Arcs, Tree

Floats = NDArray[np.float64]

CLASSIFIERS = ("naive-bayes", "tan", "complete")
AUXILIARIES = ("tree", "tan", "empty", "complete")


@dataclass(eq=False)
class NetworkScore(Scorer):
    """constant + sums over features + sums over spanning trees + entropies of the subset.

    Every score of naive Bayes, TAN and their auxiliary networks has this form, so scoring a
    subset touches no row; only complete networks look at the rows again (``patterns``).

    Parameters
    ----------
    constant : float
        The value of the empty subset.
    unary : float64 array of shape (d,)
        What each feature of the subset adds.
    trees : list of (weights, payload)
        For each, the arcs ``payload`` are added over the edges of the maximum spanning tree of
        the arcs ``weights`` over the subset.
    alone, with_class : float
        Factors of H(S) and of H(S, C).
    parameters : float
        Factor of the number of parameters of a complete classifier over S, less those of the
        same variables as isolated nodes.
    """

    constant: float
    unary: Floats
    trees: list[tuple[Arcs, Arcs]] = field(default_factory=list)
    alone: float = 0.0
    with_class: float = 0.0
    parameters: float = 0.0
    patterns: Information | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_grown"}

    @cached_property
    def _grown(self) -> list[Tree]:
        return [Tree(weights.values(), payload.values()) for weights, payload in self.trees]

    def score_steps(self, steps: Steps) -> Scores:
        """The same for neighbours of one subset: trees need pairs with its features only."""
        shares = self.patterns is None and adds_only(steps)
        return Scores(self._sums(steps)) if shares else super().score_steps(steps)

    def _sums(self, batch: Candidates | Steps) -> Floats:
        value = self.constant + sums_of(self.unary, batch)
        for tree in self._grown:
            value += tree.sums(batch)
        return value

    def score(self, candidates: Candidates) -> Scores:
        """Score every subset."""
        subsets = np.ascontiguousarray(candidates, dtype=bool)
        value = self._sums(subsets)
        if self.patterns is not None:
            entropies = self.patterns.of_subsets(subsets)
            value += self.alone * entropies[:, 0] + self.with_class * entropies[:, 1]
            value += self.parameters * self._complete_parameters(subsets)
        return Scores(value)

    def scaled(self, factor: float) -> NetworkScore:
        """The same score in another unit."""
        return NetworkScore(
            self.constant * factor,
            self.unary * factor,
            [(weights, payload.scaled(factor)) for weights, payload in self.trees],
            self.alone * factor,
            self.with_class * factor,
            self.parameters * factor,
            self.patterns,
        )

    def _complete_parameters(self, subsets: Candidates) -> Floats:
        assert self.patterns is not None
        sizes = self.patterns.cardinalities
        cells = np.where(subsets, sizes, 1).astype(float).prod(axis=1)
        isolated = np.where(subsets, sizes - 1, 0).sum(axis=1)
        counts: Floats = (cells - 1.0) * self.patterns.n_classes - isolated
        return counts


class NetworkMeasure(Measure):
    """Base of the measures that look at a Bayesian network classifier over the subset.

    Continuous features are cut by ``discretise`` (into ``bins`` intervals where it needs a
    number); an unknown value is a value of its own.
    """

    reads: ClassVar[frozenset[str]] = frozenset({"sample_weight"})
    scans: ClassVar[bool] = True

    classifier: str
    discretise: str
    bins: int

    def _counted(self, table: Table) -> Information:
        return table.information(self.discretise, self.bins)

    def left_out(self, table: Table, subset: NDArray[np.bool_]) -> dict[str, str]:
        """What each feature outside adds to the class, alone and given one inside."""
        from ..filters.redundancy import explain_redundancy

        rows = explain_redundancy(table, subset, discretise=self.discretise, bins=self.bins)
        return {row.feature: row.reason for row in rows if not row.inside}


def classifier_field() -> str:
    """The parameter that names the classifier."""
    chosen: str = one_of(*CLASSIFIERS)
    return chosen


def discretise_field() -> str:
    """The parameter that names how continuous features are cut."""
    chosen: str = one_of("mdl", "width", "frequency")
    return chosen


def bins_field() -> int:
    """The parameter that says into how many intervals."""
    chosen: int = whole(10, low=2)
    return chosen


def network_score(
    bits: Information,
    classifier: str,
    auxiliary: str = "empty",
    penalty: float = 0.0,
    constant: float = 0.0,
) -> NetworkScore:
    """LL(classifier) - LL(auxiliary) - penalty·parameters, relative to no feature at all.

    All terms are differences from the networks in which every variable is isolated, so the
    empty subset scores ``constant``.

    Notes
    -----
    The parameters of a TAN classifier do not depend on the root of its tree: an arc from p to
    i adds (r_i - 1)(r_p - 1)·r_C to the (r_i - 1)(r_C - 1) of the feature alone.
    """
    n, r, r_c = bits.n_rows, bits.cardinalities.astype(float), bits.n_classes
    score = NetworkScore(constant, np.zeros(len(r)))
    if classifier == "complete":
        score.unary += n * bits.entropy
        score.constant += n * bits.class_entropy
        score.with_class -= n
        score.parameters -= penalty
    else:
        score.unary += n * bits.relevance - penalty * (r - 1.0) * (r_c - 1.0)
    if classifier == "tan" or auxiliary == "tan":
        arcs = Arcs(
            bits,
            conditional=n if classifier == "tan" else 0.0,
            mutual=-n if auxiliary == "tan" else 0.0,
            parameters=-penalty * r_c if classifier == "tan" else 0.0,
        )
        score.trees.append((Arcs(bits, conditional=1.0), arcs))
    if auxiliary == "tree":
        score.trees.append((Arcs(bits, mutual=1.0), Arcs(bits, mutual=-n)))
    if auxiliary == "complete":
        score.unary -= n * bits.entropy
        score.alone += n
    if "complete" in (classifier, auxiliary):
        score.patterns = bits
    return score
