"""C4.5: decision trees that are grown out and pruned back."""

from __future__ import annotations

from dataclasses import dataclass

from ...kernels.trees.forest import Rules
from ...parameters import flag, number, whole
from .tables import TreeTable, tree_rules
from .tree import TreeClassifier


@dataclass(eq=False)
class C45(TreeClassifier):
    """A decision tree by gain ratio, pruned by the errors that must be expected of its leaves.

    Parameters
    ----------
    confidence : float
        The smaller, the more is pruned.
    min_rows : int
        At least two branches must hold this many rows.
    pruning : bool
        Whether subtrees become leaves where that is not expected to cost. Without it, only
        subtrees that make as many errors on the training rows as a leaf become one.
    raising : bool
        Whether pruning may also put the largest branch of a node in the node's place, as C4.5
        does. A search over subsets then trains trees one by one, which is far slower; the
        measure ``"c4.5"`` therefore stands for ``C45(raising=False)``.
    min_gap : float
        No cut lies between two values that differ by this or less, as in C4.5. Use 0, or rescale,
        for features whose values are all close together.

    Attributes
    ----------
    tree_ : Tree
        The tree as flat arrays.
    classes_ : array
    n_leaves_, n_nodes_ : int

    Notes
    -----
    Grown as :class:`ID3` without its test, and as Release 8 of C4.5 (Quinlan, 1993, 1996): cuts
    of a continuous feature leave at least ``min(25, rows / (10 · classes))`` rows on both sides,
    and its gain is lowered by log₂(number of such cuts) / rows. A row with an unknown value goes
    down every branch with the share of the known rows there, in training and in prediction.

    Pruning goes bottom up: a subtree becomes a leaf where the leaf's expected errors, the upper
    limit of the binomial proportion at ``confidence``, exceed the sum over the subtree's leaves
    by no more than 0.1. With ``raising`` its largest branch, with all rows of the node sent down
    it, competes with both, as in Weka's J48 (Quinlan, 1993, chapter 4). Cuts lie half way
    between two values, where Quinlan takes the lower one. Leaves, nodes and training errors are
    those of J48 on all tables of the tests, pruned with and without raising, and unpruned.

    Examples
    --------
    >>> X = [[value] for value in (1.0, 2.0, 3.0, 6.0, 7.0, 8.0)]
    >>> tree = C45().fit(X, ["low"] * 3 + ["high"] * 3)
    >>> print(tree.to_text())
    x0 <= 4.5: low (3)
    x0 > 4.5: high (3)
    """

    fractional = True

    confidence: float = number(0.25, low=0.001, high=0.5)
    min_rows: int = whole(2, low=1)
    pruning: bool = flag(True)
    raising: bool = flag(True)
    min_gap: float = number(1e-5, low=0.0)

    @property
    def raises(self) -> bool:  # type: ignore[override]
        """Whether there is pruning, with subtree raising."""
        return self.pruning and self.raising

    def rules(self, table: TreeTable, n_classes: int) -> Rules:
        """How to grow and prune on this table."""
        return tree_rules(
            table,
            n_classes,
            minimum=self.min_rows,
            release8=True,
            fractional=True,
            confidence=self.confidence if self.pruning else 0.0,
        )
