"""ID3: decision trees that stop growing where the class no longer depends on any feature."""

from __future__ import annotations

from dataclasses import dataclass

from ...kernels.trees.forest import Rules
from ...parameters import number, whole
from .tables import TreeTable, tree_rules
from .tree import TreeClassifier


@dataclass(eq=False)
class ID3(TreeClassifier):
    """A decision tree by gain ratio, with a chi-squared test before every split.

    Parameters
    ----------
    significance : float
        A feature may split a node when Pearson's chi-squared test rejects, at this level, that
        branch and class are independent there; 1 does without the test. The default was chosen
        to fit the published ID3 figures of Inza et al. (2000, tables 2 and 4).
    min_rows : int
        At least two branches must hold this many rows.

    Attributes
    ----------
    tree_ : Tree
        The tree as flat arrays.
    classes_ : array
    n_leaves_, n_nodes_ : int

    Notes
    -----
    A nominal feature splits into a branch a level, a continuous one into two at the cut (half
    way between two neighbouring values) with the largest gain. With n rows at a node, n_b of
    them in branch b, and the entropy H of the class,

        gain = share of known rows · (H(known rows) − Σ n_b/n · H(branch b)),
        ratio = gain / H(branch, unknown being one more).

    The feature with the largest ratio splits the node, among those that pass the test and gain
    at least the average of those (Quinlan, 1986, p. 102, without which the ratio favours very
    uneven splits). Nodes of one class and nodes that no feature may split become leaves; nothing
    is pruned afterwards (Inza et al., 2000, section 5.2). A row with an unknown value goes down
    the largest branch; a row whose value no training row of the node has gets the node's class.

    Examples
    --------
    >>> X = [["sunny", 85.0], ["rain", 70.0], ["sunny", 69.0], ["rain", 96.0]]
    >>> tree = ID3(significance=1.0).fit(X, ["no", "yes", "yes", "yes"])
    >>> print(tree.to_text())
    x0 = rain: yes (2)
    x0 = sunny
    |   x1 <= 77: yes (1)
    |   x1 > 77: no (1)
    """

    significance: float = number(0.25, low=0.0, high=1.0)
    min_rows: int = whole(1, low=1)

    def rules(self, table: TreeTable, n_classes: int) -> Rules:
        """How to grow on this table."""
        return tree_rules(table, n_classes, significance=self.significance, minimum=self.min_rows)
