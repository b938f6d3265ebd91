"""Bayesian network classifiers: over a given graph, and tree augmented naive Bayes (TAN)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from .._errors import InputError
from .._kernels.networks.spanning_tree import maximum_spanning_tree
from .._parameters import ClassifierMixin, Parameters, TakesAnyTable, number, one_of, whole
from ..data._as_table import as_target
from ..data._feature_names import Features, feature_position, feature_positions
from ..data._information import Information
from ..data._schema import Schema, learn_encode
from ..data._table import Table, checked_weights
from ._base import checked_table
from ._factors import Codes, Family, Floats, class_posteriors, learn_family
from ._trees.rule_text import quoted


def tables_text(families: list[Family], names: list[str], values: list[list[str]]) -> str:
    """Write every conditional table, one line per combination of the parents' values."""
    return "\n\n".join(_table(f, names, values) for f in families)


def _table(family: Family, names: list[str], values: list[list[str]]) -> str:
    parents = [names[p] for p in family.parents]
    title = f"P({names[family.child]}" + (f" | {', '.join(parents)})" if parents else ")")
    heads = [*parents, *(f"{v}" for v in values[family.child])]
    rows = []
    for case in product(*(range(len(values[p])) for p in family.parents)):
        labels = [values[p][i] for p, i in zip(family.parents, case, strict=True)]
        rows.append([*labels, *(f"{share:.4f}" for share in family.table[case])])
    widths = [max(len(cells[i]) for cells in [heads, *rows]) for i in range(len(heads))]
    lines = ["  ".join(c.rjust(w) for c, w in zip(cells, widths, strict=True)) for cells in rows]
    head = "  ".join(h.rjust(w) for h, w in zip(heads, widths, strict=True))
    return "\n".join([title, head, *lines])


def dot_text(families: list[Family], names: list[str], target: int) -> str:
    """Write the graph in the language of Graphviz, the class with a double border."""
    nodes = [f"  {quoted(names[f.child])};" for f in families if f.child != target]
    arcs = [
        f"  {quoted(names[p])} -> {quoted(names[f.child])};" for f in families for p in f.parents
    ]
    head = f"  {quoted(names[target])} [peripheries=2];"
    return "\n".join(["digraph network {", head, *nodes, *arcs, "}"])


def network_figure(families: list[Family], names: list[str], target: int) -> Any:
    """Draw the parents above their children and the class in a darker frame."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            "a figure needs matplotlib, which is not installed; install `fewest[plot]`."
        ) from None
    places = _places(families)
    width = 1.0 + max(x for x, _ in places.values()) * 1.6
    height = 1.0 + max(y for _, y in places.values()) * 1.1
    figure = Figure(figsize=(max(3.0, width), max(2.0, height)), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    for family in families:
        for parent in family.parents:
            _arrow(axes, places[parent], places[family.child])
    for variable, (x, y) in places.items():
        frame = {
            "boxstyle": "round,pad=0.4",
            "facecolor": "white",
            "edgecolor": "black" if variable == target else "grey",
            "linewidth": 2.0 if variable == target else 1.0,
        }
        axes.text(x, -y, names[variable], ha="center", va="center", bbox=frame, zorder=2)
    axes.set_xlim(-0.6, max(x for x, _ in places.values()) + 0.6)
    axes.set_ylim(-max(y for _, y in places.values()) - 0.5, 0.5)
    return figure


def _arrow(axes: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    style: dict[str, Any] = {"arrowstyle": "-|>", "color": "grey", "shrinkA": 12, "shrinkB": 14}
    style["connectionstyle"] = "arc3,rad=0.12"
    axes.annotate("", (end[0], -end[1]), (start[0], -start[1]), arrowprops=style, zorder=1)


def _places(families: list[Family]) -> dict[int, tuple[float, float]]:
    """Place each variable one line below its lowest parent, spread evenly over the line."""
    depth: dict[int, int] = {}
    parents = {f.child: f.parents for f in families}
    while len(depth) < len(parents):
        for variable, above in parents.items():
            if variable not in depth and all(p in depth for p in above):
                depth[variable] = 1 + max((depth[p] for p in above), default=-1)
    lines: dict[int, list[int]] = {}
    for variable in sorted(depth):
        lines.setdefault(depth[variable], []).append(variable)
    widest = max(len(line) for line in lines.values())
    return {
        variable: ((i + 0.5) * widest / len(line) - 0.5, float(level))
        for level, line in lines.items()
        for i, variable in enumerate(line)
    }


#: The parents of every variable that is in the network; the class is the last variable.
Parents = dict[int, tuple[int, ...]]


class NetworkClassifier(TakesAnyTable, ClassifierMixin, Parameters, ABC):
    """Base: discretise, code, learn the tables of a structure, and classify exactly.

    A subclass defines the parents of each variable in ``_structure``.

    Parameters
    ----------
    smoothing : "laplace" or "dirichlet"
        Whether ``strength`` is added to every cell of a table, or is a number of rows spread
        in proportion to the variable's own frequencies (Friedman et al., 1997, section 4.3).
    strength : float
        Amount of smoothing.
    discretise : "mdl", "width" or "frequency"
        How continuous features are cut, by the rows given to ``fit`` alone.
    bins : int
        Number of intervals, for "width" and "frequency".
    """

    smoothing: str
    strength: float
    discretise: str
    bins: int

    classes_: NDArray[Any]
    families_: list[Family]

    @abstractmethod
    def _structure(self, table: Table, weight: Floats | None) -> Parents: ...

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        nominal: Features | None = None,
    ) -> Any:
        """Learn from a frame or an array.

        Parameters
        ----------
        X : frame or array of shape (rows, features)
            Numbers are continuous and get cut points from these rows; strings, categories and
            booleans are nominal; NaN and None are unknown.
        y : class labels
        sample_weight : how many rows each row stands for, or None
        nominal : numeric columns to treat as categories: names, positions, patterns, ...
        """
        self.check_parameters()
        X = checked_table(self, X, reset=True)
        self._schema, values = learn_encode(X, nominal)
        self.n_features_in_: int = values.shape[1]
        target, classes, labels = as_target(y, len(values), "classification")
        check_classification_targets(labels)
        assert classes is not None
        table = Table(self._schema.names, values, self._schema.levels, target, classes)
        weight = None if sample_weight is None else checked_weights(sample_weight, len(values))
        return self.fit_table(table, weight)

    def fit_table(self, table: Table, weight: Floats | None = None) -> Any:
        """Learn from a table, whose columns are typed and coded already."""
        self.check_parameters()
        if weight is not None:
            table, weight = table.take(weight > 0.0), weight[weight > 0.0]
        self._schema = Schema(table.names, table.levels)
        self.n_features_in_ = table.n_features
        self.classes_ = np.asarray(table.classes)
        self._learn(self._cut(table, learn=True, weight=weight), weight)
        return self

    def _cut(self, table: Table, learn: bool, weight: Floats | None = None) -> Table:
        if learn:
            self._cuts = None
            if not table.nominal.all():
                from ..data._discretise import Discretiser

                discretiser = Discretiser(method=self.discretise, bins=self.bins)
                self._cuts = discretiser.fit(table, weight)
        return table if self._cuts is None else self._cuts.apply(table)

    def _learn(self, table: Table, weight: Floats | None) -> None:
        codes = table.codes().T
        # Only values seen in training have a probability; any other is unknown.
        self.seen_: list[NDArray[Any]] = [np.unique(column[column >= 0]) for column in codes]
        levels = [v if v is not None else () for v in table.levels]
        self._values = [[str(levels[j][i]) for i in seen] for j, seen in enumerate(self.seen_)] + [
            [str(c) for c in self.classes_]
        ]
        self._names = [*table.names, _free_name(table.names)]
        dense = self._dense(codes, table.target)
        sizes = [*(max(1, len(seen)) for seen in self.seen_), len(self.classes_)]
        parents = self._structure(table, weight)
        how = (self.smoothing, self.strength, weight)
        self.families_ = [
            learn_family(dense, sizes, child, parents[child], *how)
            for child in sorted(parents, key=lambda v: (v != len(sizes) - 1, v))
        ]

    def _dense(self, codes: NDArray[Any], target: NDArray[Any]) -> Codes:
        out = np.full((len(codes) + 1, codes.shape[1]), -1, dtype=np.int32)
        for j, seen in enumerate(self.seen_):
            if len(seen):
                place = np.searchsorted(seen, codes[j]).clip(max=len(seen) - 1)
                out[j] = np.where(seen[place] == codes[j], place, -1)
        out[-1] = target
        return out

    def predict_proba(self, X: Any) -> Floats:
        """Return each class's probability given each row's known values, shape (rows, classes)."""
        check_is_fitted(self)
        values = self._schema.encode(checked_table(self, X, reset=False))
        nobody = np.zeros(len(values), dtype=np.int64)
        return self.predict_table(
            Table(self._schema.names, values, self._schema.levels, nobody, self.classes_)
        )

    def predict_table(self, table: Table) -> Floats:
        """Return each class's probability for the rows of a table coded like that of the fit."""
        codes = self.coded(table)
        return class_posteriors(self.families_, codes, len(codes) - 1, len(self.classes_))

    def coded(self, table: Table) -> Codes:
        """Return codes of the values seen in training by variable, the class last; -1: unknown."""
        return self._dense(self._cut(table, learn=False).codes().T, table.target)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        chances = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[np.argmax(chances, axis=1)]
        return labels

    @property
    def parents_(self) -> dict[str, tuple[str, ...]]:
        """Parents of every variable of the network, by name."""
        names = self._names
        return {names[f.child]: tuple(names[p] for p in f.parents) for f in self.families_}

    def to_text(self) -> str:
        """Write all conditional tables, one line per combination of the parents' values."""
        check_is_fitted(self)
        return tables_text(self.families_, self._names, self._values)

    def to_dot(self) -> str:
        """Write the graph in the language of Graphviz."""
        check_is_fitted(self)
        return dot_text(self.families_, self._names, len(self._names) - 1)

    def to_figure(self) -> Any:
        """Draw the graph as a matplotlib figure (``fewest[plot]``)."""
        check_is_fitted(self)
        return network_figure(self.families_, self._names, len(self._names) - 1)


def _free_name(names: Sequence[str]) -> str:
    """Return the name of the class in a network over these features."""
    name = "class"
    while name in names:
        name += "_"
    return name


def chosen_features(features: Features | None, names: Sequence[str]) -> list[int]:
    """Return the positions of the features inside a classifier; all of them for None."""
    if features is None:
        return list(range(len(names)))
    return list(feature_positions(features, names, "features"))


@dataclass(eq=False)
class BayesianNetworkClassifier(NetworkClassifier):
    """Classifier over a graph of your own: any arcs between class and features.

    Parameters
    ----------
    graph : mapping of name to the names of its parents
        ``"class"`` is the class (``"class_"`` if a feature has that name). Variables that are
        not mentioned are left out; without a graph, every feature has the class as its parent.

    Attributes
    ----------
    classes_ : array
    families_ : list of Family
        A variable, its parents and their table each.
    parents_ : dict

    Notes
    -----
    P(C | known) is exact: unknown values are summed out by variable elimination. Tables are
    counted over the rows in which variable and parents are known. Values never seen in
    training are unknown.

    Examples
    --------
    >>> X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]] * 4
    >>> y = ["same", "other", "other", "same"] * 4
    >>> xor = BayesianNetworkClassifier({"x0": ["class"], "x1": ["class", "x0"], "class": []})
    >>> xor.fit(X, y).predict([["a", "x"], ["b", "x"]]).tolist()
    ['same', 'other']
    >>> print(xor.to_dot())
    digraph network {
      "class" [peripheries=2];
      "x0";
      "x1";
      "class" -> "x0";
      "class" -> "x1";
      "x0" -> "x1";
    }
    """

    graph: Mapping[str, Iterable[str]] | None = None
    smoothing: str = one_of("laplace", "dirichlet")
    strength: float = number(1.0, low=0.0)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def _structure(self, table: Table, weight: Floats | None) -> Parents:
        names = [*table.names, _free_name(table.names)]
        last = len(names) - 1
        if self.graph is None:
            return {last: (), **dict.fromkeys(range(last), (last,))}
        arcs = {child: list(parents) for child, parents in self.graph.items()}
        mentioned = {*arcs, *(p for ps in arcs.values() for p in ps), names[-1]}
        for name in sorted(mentioned - set(names)):
            raise InputError(
                f"`graph` must name features of `X` and {names[-1]!r} only, but names {name!r}."
            )
        place = {name: j for j, name in enumerate(names)}
        found = {place[m]: tuple(place[p] for p in arcs.get(m, ())) for m in mentioned}
        _refuse_cycles(found, names)
        return found


def _refuse_cycles(parents: Parents, names: Sequence[str]) -> None:
    left = dict(parents)
    while left:
        ready = [v for v, ps in left.items() if not any(p in left for p in ps)]
        if not ready:
            cycle = ", ".join(sorted(names[v] for v in left))
            raise InputError(
                f"`graph` must have no directed cycle, but {cycle} lead to each other; "
                "turn or drop an arc."
            )
        left = {v: ps for v, ps in left.items() if v not in ready}


def restricted(table: Table, features: list[int]) -> Table:
    """Return the table with these features only."""
    return replace(
        table,
        names=tuple(table.names[j] for j in features),
        values=table.doubles[:, features],
        levels=tuple(table.levels[j] for j in features),
        X=None,
    )


@dataclass(eq=False)
class TAN(NetworkClassifier):
    """Bayesian network classifier in which each feature has the class and one other parent.

    Parameters
    ----------
    features : names, positions, slices, patterns, ..., or None
        The features inside the classifier (a selective TAN); None for all.
    root : name or position, or None
        The feature that has no other feature as parent; by default the first. It changes the
        direction of arcs, and through smoothing the probabilities a little, not the tree.

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

    Attributes
    ----------
    classes_, families_, parents_
        As for :class:`TAN`.

    Notes
    -----
    P(C, A) = P(C)·Π P(A_i | C) over the features inside (Drugan and Wiering, 2010, section 2.1).
    Where continuous features should keep a normal density instead of intervals, see
    :class:`~fewest.classifiers._naive_bayes.NaiveBayes`.

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
