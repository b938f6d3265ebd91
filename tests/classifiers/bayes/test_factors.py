"""Tables of a network and exact posteriors."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.classifiers._network_classifiers import (
    TAN,
    BayesianNetworkClassifier,
    SelectiveNaiveBayes,
)
from tests.classifiers.bayes.cases import CHAIN, NAMES, data
from tests.naive.posteriors import learn, posterior

TOWARDS = {"x0": [], "x1": ["x0"], "class": ["x0", "x1"], "x2": ["class"], "x3": []}


def _rows(X):
    return [[None if v is None else int(v[1]) for v in row] for row in X]


@pytest.mark.parametrize("graph", [CHAIN, TOWARDS, None])
def test_posteriors_equal_the_sum_over_all_completions(graph):
    X, y = data(np.random.default_rng(0))
    model = BayesianNetworkClassifier(graph, strength=0.5).fit(X, y)
    arcs = graph or {"class": [], **{name: ["class"] for name in NAMES}}
    place = {name: j for j, name in enumerate([*NAMES, "class"])}
    parents = {place[c]: tuple(place[p] for p in ps) for c, ps in arcs.items()}
    sizes = [2, 3, 2, 3, 3]
    tables = learn([[*r, c] for r, c in zip(_rows(X), y, strict=True)], parents, sizes, 0.5)
    expected = [posterior(tables, [*row, None], 4, sizes) for row in _rows(X)]
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-12)


def test_tan_sums_out_unknown_values_in_the_tree():
    X, y = data(np.random.default_rng(1))
    model = TAN(root="x2").fit(X, y)
    assert model.parents_["x2"] == ("class",)
    place = {name: j for j, name in enumerate([*NAMES, "class"])}
    parents = {place[c]: tuple(place[p] for p in ps) for c, ps in model.parents_.items()}
    sizes = [2, 3, 2, 3, 3]
    tables = learn([[*r, c] for r, c in zip(_rows(X), y, strict=True)], parents, sizes, 1.0)
    expected = [posterior(tables, [*row, None], 4, sizes) for row in _rows(X)]
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-12)


def test_dirichlet_smoothing_spreads_by_the_own_frequencies():
    X = np.array([["a"], ["a"], ["a"], ["b"]], dtype=object)
    model = SelectiveNaiveBayes(smoothing="dirichlet", strength=4.0).fit(X, [0, 0, 1, 1])
    # P(a | 0) = (2 + 4 · 3/4) / (2 + 4)
    np.testing.assert_allclose(model.families_[1].table, [[5 / 6, 1 / 6], [4 / 6, 2 / 6]])
