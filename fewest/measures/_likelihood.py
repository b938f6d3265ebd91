"""Likelihoods of Bayesian network classifiers over a subset, without a price."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._kernels.bayes.tan_likelihood import conditional_log_likelihoods
from .._parameters import flag, one_of, whole
from ..data._information import CodedRows
from ..data._table import Table
from ._description_length import AUXILIARIES, CLASSIFIERS, Floats, NetworkMeasure, network_score
from ._measure import Candidates, Scorer, Scores, short_batch


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

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count all pairs once."""
        self.check_parameters()
        bits = self._counted(table)
        empty = -bits.n_rows * bits.class_entropy
        score = network_score(bits, self.classifier, self.auxiliary, 0.0, empty)
        return score.scaled(1.0 / max(1, bits.n_rows)) if self.per_row else score


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

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count all pairs once."""
        self.check_parameters()
        bits = self._counted(table)
        empty = -bits.n_rows * (bits.class_entropy + float(bits.entropy.sum()))
        score = network_score(bits, self.classifier, "empty", 0.0, empty)
        return score.scaled(1.0 / max(1, bits.n_rows)) if self.per_row else score


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
        self.check_parameters()
        bits = self._counted(table)
        factor = 1.0 / max(1, bits.n_rows) if self.per_row else 1.0
        rows = bits.source
        assert isinstance(rows, CodedRows)
        weight = np.ones(len(rows.target)) if rows.weight is None else rows.weight
        tree = self.classifier == "tan"
        batch = short_batch(128, float(rows.codes.size) * rows.n_classes)
        return ConditionalScore(rows, weight, bits.conditional, tree, factor, batch)
