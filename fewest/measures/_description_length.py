"""Description lengths and likelihoods of Bayesian network classifiers over a subset."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._kernels.bayes.tan_likelihood import conditional_log_likelihoods
from .._kernels.networks.spanning_tree import tree_sums
from .._parameters import flag, one_of, whole
from ..data._information import CodedRows, Information
from ..data._table import Table
from ._filters.rankings import ALL_PAIRS_UP_TO, PairValues, adds_only, sums_of
from ._measure import Candidates, Measure, Scorer, Scores, short_batch
from ._steps import Steps

#: Steps whose trees are grown together.
STEPS_PER_BATCH = 128


@dataclass(frozen=True, eq=False)
class Arcs:
    """conditional·I(A_i; A_j | C) + mutual·I(A_i; A_j) + parameters·(r_i - 1)(r_j - 1).

    Examples
    --------
    >>> from fewest.data._information import count_nominal
    >>> from fewest.testing import toy_table
    >>> Arcs(count_nominal(toy_table(n_features=3)), mutual=2.0).values().n_features
    3
    """

    bits: Information
    conditional: float = 0.0
    mutual: float = 0.0
    parameters: float = 0.0

    def column(self, j: int) -> Floats:
        """Return the values of feature j with every feature."""
        bits, free = self.bits, self.bits.cardinalities - 1.0
        value = self.parameters * (free * free[j])
        if self.conditional:
            value += self.conditional * bits.conditional_with(j)
        if self.mutual:
            value += self.mutual * bits.mutual_with(j)
        return np.asarray(value)

    def everything(self) -> Floats:
        """Return all values."""
        bits, free = self.bits, self.bits.cardinalities - 1.0
        value = self.parameters * np.outer(free, free)
        if self.conditional:
            value += self.conditional * bits.conditional
        if self.mutual:
            value += self.mutual * bits.mutual
        return np.asarray(value)

    def values(self) -> PairValues:
        """Return a matrix whose columns are computed when they are needed."""
        return PairValues(self.bits.n_features, self.column, self.everything)

    def scaled(self, factor: float) -> Arcs:
        """Return the same in another unit."""
        return Arcs(
            self.bits, self.conditional * factor, self.mutual * factor, self.parameters * factor
        )


@dataclass(frozen=True, eq=False)
class SpanningTree:
    """Sum of ``payload`` over the edges of the maximum spanning tree of ``weights``."""

    weights: PairValues
    payload: PairValues

    def sums(self, batch: Candidates | Steps) -> Floats:
        """Return the sum of each subset; steps must only add."""
        if isinstance(batch, Steps):
            return self._steps(batch)
        reached = np.flatnonzero(batch.any(axis=0))
        if len(reached) > ALL_PAIRS_UP_TO or self.weights.n_features <= ALL_PAIRS_UP_TO:
            return np.asarray(tree_sums(self.weights.matrix, self.payload.matrix, batch))
        return self._among(reached, reached, np.ascontiguousarray(batch[:, reached]))

    def _steps(self, steps: Steps) -> Floats:
        """Sum some steps at a time: only values of pairs with a feature of the base are needed."""
        have, sums = np.flatnonzero(steps.base), np.empty(len(steps))
        for low in range(0, len(steps), STEPS_PER_BATCH):
            new = steps.units[low : low + STEPS_PER_BATCH]
            inside = np.sort(np.concatenate([have, new]))
            subsets = np.repeat(np.isin(inside, have)[None], len(new), axis=0)
            subsets[np.arange(len(new)), np.searchsorted(inside, new)] = True
            sums[low : low + STEPS_PER_BATCH] = self._among(inside, have, subsets)
        return sums

    def _among(
        self, inside: NDArray[np.intp], known: NDArray[np.intp], subsets: NDArray[np.bool_]
    ) -> Floats:
        """Sum trees over some features, in their order; values of pairs without ``known`` are 0."""
        place = np.searchsorted(inside, known)
        parts = []
        for values in (self.weights, self.payload):
            part = np.zeros((len(inside), len(inside)))
            part[place] = values.columns(known)[:, inside]
            part[:, place] = part[place].T
            parts.append(part)
        return np.asarray(tree_sums(*parts, subsets))


Floats = NDArray[np.float64]

CLASSIFIERS = ("naive-bayes", "tan", "complete")
AUXILIARIES = ("tree", "tan", "empty", "complete")


@dataclass(eq=False)
class NetworkScore(Scorer):
    """constant + sums over features + sums over spanning trees + entropies of the subset.

    Every score of naive Bayes, TAN and their auxiliary networks has this form, so scoring a
    subset touches no row; only complete networks look at the rows again (``patterns``).

    constant: the value of the empty subset.
    unary (d,): what each feature of the subset adds.
    trees: list of (weights, payload); for each, the arcs ``payload`` are added over the edges of
        the maximum spanning tree of the arcs ``weights`` over the subset.
    alone, with_class: factors of H(S) and of H(S, C).
    parameters: factor of the number of parameters of a complete classifier over S, less those of
        the same variables as isolated nodes.
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
    def _grown(self) -> list[SpanningTree]:
        return [SpanningTree(weights.values(), payload.values()) for weights, payload in self.trees]

    def score_steps(self, steps: Steps) -> Scores:
        """Score neighbours of one subset: trees need pairs with its features only."""
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
        """Return the same score in another unit."""
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
    """Base of the measures that use a Bayesian network classifier over the subset.

    Continuous features are cut by ``discretise`` (into ``bins`` intervals where it needs a
    number); an unknown value is a value of its own.
    """

    reads: ClassVar[frozenset[str]] = frozenset({"sample_weight"})
    scans: ClassVar[bool] = True

    classifier: str
    auxiliary = "empty"
    per_row = False
    discretise: str
    bins: int

    def _counted(self, table: Table) -> Information:
        self.check_parameters()
        return table.information(self.discretise, self.bins)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count all pairs once."""
        bits = self._counted(table)
        score = self._score(bits)
        return score.scaled(1.0 / max(1, bits.n_rows)) if self.per_row else score

    def _score(self, bits: Information) -> NetworkScore:
        penalty = np.log2(max(1, bits.n_rows)) / 2.0
        return network_score(bits, self.classifier, self.auxiliary, penalty)

    def left_out(self, table: Table, subset: NDArray[np.bool_]) -> dict[str, str]:
        """Return what each feature outside adds to the class, alone and given one inside."""
        from ._filters.redundant_features import explain_redundancy

        rows = explain_redundancy(table, subset, discretise=self.discretise, bins=self.bins)
        return {row.feature: row.reason for row in rows if not row.inside}


def network_score(
    bits: Information,
    classifier: str,
    auxiliary: str = "empty",
    penalty: float = 0.0,
    constant: float = 0.0,
) -> NetworkScore:
    """Return LL(classifier) - LL(auxiliary) - penalty·parameters, relative to no feature at all.

    All terms are differences from the networks in which every variable is isolated, so the
    empty subset scores ``constant``.

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


@dataclass
class MDL(NetworkMeasure):
    """Description length of data and classifier together, in bits saved over no feature.

    Parameters
    ----------
    classifier, discretise, bins
        As for :class:`~fewest.measures._description_length.MDLFS`.

    Notes
    -----
    MDL = (log N / 2)·|B| - LL(B | D), base 2, smaller is better; the value is the negative,
    less that of the empty subset, which therefore scores 0 (Drugan and Wiering, 2010,
    section 2.2.3). For naive Bayes: Σ N·I(A_i; C) - (log N / 2)(r_i - 1)(r_C - 1). TAN adds
    the arcs of the maximum spanning tree of I(A_i; A_j | C), each N·I(A_i; A_j | C) -
    (log N / 2)(r_i - 1)(r_j - 1)·r_C. r_i counts the values that occur, r_C the classes of the
    table.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.data._table import Table
    >>> values = np.tile([[0.0, 0], [0, 1], [1, 0], [1, 1]], (8, 1))
    >>> labels = np.array(["no", "yes"])
    >>> table = Table(("a", "b"), values, ((0, 1), (0, 1)), values[:, 0].astype(int), labels)
    >>> MDL().bind(table).score(np.array([[True, False], [False, True]])).value.tolist()
    [29.5, -2.5]
    """

    name: ClassVar[str] = "mdl"
    source: ClassVar[str] = "Drugan and Wiering (2010), section 2.2.3"

    classifier: str = one_of(*CLASSIFIERS)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)


@dataclass
class MDLFS(NetworkMeasure):
    """Description length of the *class* given the features, in bits saved over no feature.

    Unlike MDL it removes what the features merely predict of each other, by the likelihood
    of an auxiliary network over the features alone; so copies and other redundant features do
    not pay.

    Parameters
    ----------
    classifier : "naive-bayes", "tan" or "complete"
        The network over the class and the features of the subset; the others are isolated.
    auxiliary : "tree", "tan", "empty" or "complete"
        The network over the features alone: the tree of maximum likelihood; the attribute
        tree of the TAN classifier over the subset; no arcs (then it is MDL); all arcs.
    discretise : "mdl", "width" or "frequency"
        How continuous features are cut.
    bins : int
        Number of intervals, for "width" and "frequency".

    Notes
    -----
    MDL-FS = (log N / 2)·|B| - CALL, CALL = LL(B | D) - LL(auxiliary | D), base 2, smaller is
    better; the value is the negative, less that of the empty subset (Drugan and Wiering, 2010,
    definition 4). With the tree: MDL's value less N times the weight of the maximum spanning
    tree of I(A_i; A_j) over the subset (Chow and Liu, 1968). Complete networks look at the
    rows for each subset; all others do not. A value below 0 says that no feature at all is better;
    ``SubsetSelector(measure="mdl-fs", min_features=0)`` may answer so.

    Examples
    --------
    A copy adds nothing, and its parameters cost:

    >>> import numpy as np
    >>> from fewest.data._table import Table
    >>> values = np.tile([[0.0, 0], [0, 0], [1, 1], [1, 1]], (8, 1))
    >>> labels = np.array(["no", "yes"])
    >>> table = Table(("a", "b"), values, ((0, 1), (0, 1)), values[:, 0].astype(int), labels)
    >>> MDLFS().bind(table).score(np.array([[True, False], [True, True]])).value.tolist()
    [29.5, 27.0]
    """

    name: ClassVar[str] = "mdl-fs"
    source: ClassVar[str] = "Drugan and Wiering (2010), section 4"

    classifier: str = one_of(*CLASSIFIERS)
    auxiliary: str = one_of(*AUXILIARIES)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)


@dataclass
class CALL(NetworkMeasure):
    """Conditional auxiliary log-likelihood of the class given the features, in bits.

    Parameters
    ----------
    classifier, auxiliary, discretise, bins
        As for :class:`~fewest.measures._description_length.MDLFS`.
    per_row : bool
        Divide by the number of rows.

    Notes
    -----
    CALL = LL(classifier | D) - LL(auxiliary | D) (Drugan and Wiering, 2010, definition 4); the
    empty subset has -N·H(C). Their tables leave that constant out: add H(C) to the value per
    row to compare. With complete networks it is -N·H(C | S) (proposition 1).

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("corral")
    >>> selector = fewest.SubsetSelector(measure="call", search="exhaustive")
    >>> selector.fit(data.X, data.y).result_.features
    ['A0', 'A1', 'B0', 'correlated']
    """

    name: ClassVar[str] = "call"
    source: ClassVar[str] = "Drugan and Wiering (2010), section 4.1"

    classifier: str = one_of(*CLASSIFIERS)
    auxiliary: str = one_of(*AUXILIARIES)
    per_row: bool = flag(False)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def _score(self, bits: Information) -> NetworkScore:
        empty = -bits.n_rows * bits.class_entropy
        return network_score(bits, self.classifier, self.auxiliary, 0.0, empty)


@dataclass
class LogLikelihood(NetworkMeasure):
    """Log-likelihood of the classifier over the subset, the other features being isolated.

    Parameters
    ----------
    classifier, discretise, bins
        As for :class:`~fewest.measures._description_length.MDLFS`.
    per_row : bool
        Divide by the number of rows.

    Notes
    -----
    LL = -N·Σ H(V_i | parents of V_i) over class and features, base 2 (Drugan and Wiering
    2010, section 2.2.2). A larger subset never has less: it is no criterion by itself.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("corral")
    >>> selector = fewest.SubsetSelector(
    ...     measure="log-likelihood", search="exhaustive", max_features=2
    ... )
    >>> selector.fit(data.X, data.y).result_.features
    ['A0', 'correlated']
    """

    name: ClassVar[str] = "log-likelihood"
    source: ClassVar[str] = "Drugan and Wiering (2010), section 2.2.2"

    classifier: str = one_of(*CLASSIFIERS)
    per_row: bool = flag(False)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def _score(self, bits: Information) -> NetworkScore:
        empty = -bits.n_rows * (bits.class_entropy + float(bits.entropy.sum()))
        return network_score(bits, self.classifier, self.auxiliary, 0.0, empty)


@dataclass(frozen=True, eq=False)
class ConditionalScore(Scorer):
    """Σ log2 P(C | S) over the rows; unlike the other scores it passes over them."""

    rows: CodedRows
    weight: Floats
    edges: Floats
    tree: bool
    factor: float
    batch: int = 128

    def score(self, candidates: Candidates) -> Scores:
        """Score every subset."""
        p = self.rows
        value = conditional_log_likelihoods(
            p.codes, p.cardinalities, p.target, p.n_classes, self.weight, self.edges, self.tree,
            np.ascontiguousarray(candidates, dtype=bool),
        )  # fmt: skip
        return Scores(value * self.factor)


@dataclass
class ConditionalLogLikelihood(NetworkMeasure):
    """Conditional log-likelihood of the class under the classifier over the subset.

    Parameters
    ----------
    classifier : "naive-bayes" or "tan"
    per_row : bool
        Divide by the number of rows.
    discretise, bins
        How continuous features are cut.

    Notes
    -----
    CLL = Σ log2 P(c | a) over the rows, with observed frequencies as parameters (Drugan and
    Wiering, 2010, section 2.2.2). It does not fall apart into pairs: every subset takes a pass
    over the rows. CALL approximates it.

    Examples
    --------
    >>> from fewest.data import as_table
    >>> table = as_table([["a"], ["a"], ["b"], ["b"]], ["u", "v", "v", "v"])
    >>> ConditionalLogLikelihood().bind(table).score(np.array([[True]])).value.tolist()
    [-2.0]
    """

    name: ClassVar[str] = "conditional-log-likelihood"
    scans: ClassVar[bool] = False
    source: ClassVar[str] = "Drugan and Wiering (2010), section 2.2.2"

    classifier: str = one_of("naive-bayes", "tan")
    per_row: bool = flag(False)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count all pairs once, for the tree."""
        bits = self._counted(table)
        factor = 1.0 / max(1, bits.n_rows) if self.per_row else 1.0
        rows = bits.source
        assert isinstance(rows, CodedRows)
        weight = np.ones(len(rows.target)) if rows.weight is None else rows.weight
        tree = self.classifier == "tan"
        batch = short_batch(128, float(rows.codes.size) * rows.n_classes)
        return ConditionalScore(rows, weight, bits.conditional, tree, factor, batch)
