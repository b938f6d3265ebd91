from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.classifiers._factors import Family
from fewest.classifiers._network_classifiers import (
    TAN,
    BayesianNetworkClassifier,
    SelectiveNaiveBayes,
    dot_text,
    tables_text,
)
from tests.classifiers.bayes.cases import CHAIN, NAMES, data
from tests.measures.networks.xor_example import xor_example


@pytest.mark.parametrize("smoothing", ["laplace", "dirichlet"])
@pytest.mark.parametrize("discretise", ["mdl", "width", "frequency"])
def test_a_weight_stands_for_so_many_rows(discretise, smoothing):
    rng = np.random.default_rng(7)
    X, y = data(rng, 120)
    numbers = y[:, None] * 1.5 + rng.normal(size=(120, 2))
    X = np.column_stack([X, numbers.astype(object)])
    times = rng.integers(0, 4, 120)
    how = {"smoothing": smoothing, "discretise": discretise, "bins": 4}
    for model in (TAN(**how), BayesianNetworkClassifier(**how)):
        weighted = model.fit(X, y, sample_weight=times).predict_proba(X)
        parents = model.parents_
        repeated = model.fit(np.repeat(X, times, axis=0), np.repeat(y, times))
        assert repeated.parents_ == parents
        np.testing.assert_allclose(weighted, repeated.predict_proba(X), atol=1e-12)


def test_weights_that_are_no_weights_are_refused():
    X, y = data(np.random.default_rng(8))
    with pytest.raises(InputError, match="`sample_weight` must hold 60 numbers of at least 0"):
        TAN().fit(X, y, sample_weight=[-1.0] * 60)


def test_a_value_never_seen_is_unknown():
    X, y = data(np.random.default_rng(2), unknown=0.0)
    model = TAN().fit(X, y)
    strange, hidden = X[:1].copy(), X[:1].copy()
    strange[0, 1], hidden[0, 1] = "never", None
    np.testing.assert_array_equal(model.predict_proba(strange), model.predict_proba(hidden))


def test_a_selective_classifier_looks_at_its_features_only():
    X, y = data(np.random.default_rng(3))
    for selective in (TAN(features=["x0", 2]), SelectiveNaiveBayes(features=["x0", 2])):
        chances = selective.fit(X, y).predict_proba(X)
        other = X.copy()
        other[:, [1, 3]] = None
        np.testing.assert_array_equal(selective.predict_proba(other), chances)
        assert set(selective.parents_) == {"class", "x0", "x2"}


def test_without_smoothing_an_impossible_row_gets_the_prior():
    X = np.array([["a", "x"], ["b", "y"]] * 3, dtype=object)
    y = ["p", "q"] * 3
    model = SelectiveNaiveBayes(strength=0.0).fit(X, y)
    assert model.predict_proba(np.array([["a", "y"]], dtype=object)).tolist() == [[0.5, 0.5]]


def test_tan_classifies_the_xor_example_without_error():
    example = xor_example()
    kept = example.values[:, [0, 1, 3, 5]].astype(int).astype(str).astype(object)
    assert TAN().fit(kept, example.target).score(kept, example.target) == 1.0
    assert SelectiveNaiveBayes().fit(kept, example.target).score(kept, example.target) < 1.0


def test_wrong_graphs_and_features_are_refused():
    X, y = data(np.random.default_rng(4))
    with pytest.raises(InputError, match="but names 'colour'"):
        BayesianNetworkClassifier({"colour": ["class"]}).fit(X, y)
    with pytest.raises(InputError, match="no directed cycle, but x0, x1 lead to each other"):
        BayesianNetworkClassifier({"x0": ["x1"], "x1": ["x0"]}).fit(X, y)
    with pytest.raises(
        InputError, match="`features` holds the position 7, but positions run from 0 to 3"
    ):
        TAN(features=[7]).fit(X, y)
    with pytest.raises(InputError, match="`root` must be one of `features`, but is 'x3'"):
        TAN(features=["x0", "x1"], root="x3").fit(X, y)


def test_the_figure_names_every_variable_and_draws_every_arc(tmp_path):
    pytest.importorskip("matplotlib")
    X, y = data(np.random.default_rng(5))
    model = BayesianNetworkClassifier(CHAIN).fit(X, y)
    figure = model.to_figure()
    texts = figure.axes[0].texts
    assert {text.get_text() for text in texts} - {""} == {*NAMES, "class"}
    arcs = sum(len(parents) for parents in CHAIN.values())
    assert sum(text.get_text() == "" for text in texts) == arcs
    figure.savefig(tmp_path / "network.png")
    assert (tmp_path / "network.png").stat().st_size > 0


FAMILIES = [
    Family(1, (), np.array([0.25, 0.75])),
    Family(0, (1,), np.array([[0.5, 0.5], [0.1, 0.9]])),
]
LABELS, VALUES = ['a "b"', "class"], [["x", "y"], ["no", "yes"]]


def test_tables():
    assert tables_text(FAMILIES, LABELS, VALUES).splitlines() == [
        "P(class)",
        "    no     yes",
        "0.2500  0.7500",
        "",
        'P(a "b" | class)',
        "class       x       y",
        "   no  0.5000  0.5000",
        "  yes  0.1000  0.9000",
    ]


def test_graphviz():
    assert dot_text(FAMILIES, LABELS, 1).splitlines() == [
        "digraph network {",
        '  "class" [peripheries=2];',
        r'  "a \"b\"";',
        r'  "class" -> "a \"b\"";',
        "}",
    ]
