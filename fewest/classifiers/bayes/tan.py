"""Tree augmented networks: naive Bayes whose features also depend on one another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...data.feature_names import Features, feature_position
from ...data.information import Floats, Information
from ...data.table import Table
from ...errors import InputError
from ...kernels.networks.spanning_tree import maximum_spanning_tree
from ...parameters import number, one_of, whole
from .network import NetworkClassifier, Parents, chosen_features, restricted


@dataclass(eq=False)
class TAN(NetworkClassifier):
    """A Bayesian network classifier in which each feature has the class and one other parent.

    Parameters
    ----------
    features : names, positions, slices, patterns, ..., or None
        The features inside the classifier (a selective TAN); None for all.
    root : name or position, or None
        The feature that has no other feature as parent; by default the first. It changes the
        direction of arcs, and through smoothing the probabilities a little, not the tree.
    smoothing : "laplace" or "dirichlet"
        Whether ``strength`` is added to every cell of a table, or is a number of rows spread
        in proportion to the variable's own frequencies (Friedman et al., 1997, section 4.3).
    strength : float
    discretise : "mdl", "width" or "frequency"
        How continuous features are cut, by the rows given to ``fit`` alone.
    bins : int
        Into how many intervals, for "width" and "frequency".

    Attributes
    ----------
    classes_ : array
    families_ : list of Family
        A variable, its parents and their table each.
    parents_ : dict

    Notes
    -----
    The tree is the maximum-weight spanning tree of I(A_i; A_j | C) over the features (Friedman,
    Geiger and Goldszmidt, 1997; Drugan and Wiering, 2010, section 6.1), ties going to the
    features that come first. In these informations an unknown value is a value of its own; the
    tables are counted over the rows in which feature and parents are known, and in
    classification unknown values are summed out exactly.

    Examples
    --------
    Naive Bayes cannot learn an exclusive or, TAN can:

    >>> X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]] * 4
    >>> y = ["same", "other", "other", "same"] * 4
    >>> model = TAN().fit(X, y)
    >>> model.score(X, y)
    1.0
    >>> model.parents_
    {'class': (), 'x0': ('class',), 'x1': ('class', 'x0')}
    """

    features: Features | None = None
    root: str | int | None = None
    smoothing: str = one_of("laplace", "dirichlet")
    strength: float = number(1.0, low=0.0)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def _structure(self, table: Table, weight: Floats | None) -> Parents:
        inside = chosen_features(self.features, table.names)
        weights = Information.of(restricted(table, inside), weight).conditional
        start = -1
        if self.root is not None:
            chosen = feature_position(self.root, table.names, "root")
            if chosen not in inside:
                raise InputError(f"`root` must be one of `features`, but is {self.root!r}.")
            start = inside.index(chosen)
        tree, _ = maximum_spanning_tree(weights, np.ones(len(inside), dtype=bool), start)
        last = table.n_features
        parents: Parents = {last: ()}
        for j, p in zip(inside, tree, strict=True):
            parents[j] = (last,) if p < 0 else (last, inside[p])
        return parents


@dataclass(eq=False)
class SelectiveNaiveBayes(NetworkClassifier):
    """Naive Bayes over discretised features, of which only some are inside.

    Parameters
    ----------
    features : names, positions, slices, patterns, ..., or None
        The features inside the classifier; None for all.
    smoothing, strength, discretise, bins
        As for :class:`TAN`.

    Attributes
    ----------
    classes_, families_, parents_
        As for :class:`TAN`.

    Notes
    -----
    P(C, A) = P(C)·Π P(A_i | C) over the features inside (Drugan and Wiering, 2010, section 2.1).
    Where continuous features should keep a normal density instead of intervals, see
    :class:`~fewest.classifiers.bayes.naive_bayes.NaiveBayes`.

    Examples
    --------
    >>> X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
    >>> model = SelectiveNaiveBayes(features=["x1"]).fit(X, ["u", "v", "u", "v"])
    >>> print(model.to_text())
    P(class)
         u       v
    0.5000  0.5000
    <BLANKLINE>
    P(x1 | class)
    class       x       y
        u  0.7500  0.2500
        v  0.2500  0.7500
    """

    features: Features | None = None
    smoothing: str = one_of("laplace", "dirichlet")
    strength: float = number(1.0, low=0.0)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def _structure(self, table: Table, weight: Floats | None) -> Parents:
        last = table.n_features
        inside = chosen_features(self.features, table.names)
        return {last: (), **dict.fromkeys(inside, (last,))}
