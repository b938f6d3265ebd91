"""Naive Bayes and Bayesian network classifiers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB

from fewest._errors import InputError
from fewest.classifiers._factors import Family
from fewest.classifiers._naive_bayes import MLCNaiveBayes, NaiveBayes
from fewest.classifiers._network_classifiers import (
    TAN,
    BayesianNetworkClassifier,
    SelectiveNaiveBayes,
    dot_text,
    tables_text,
)
from fewest.data._information import Information
from fewest.data._table import Table
from tests.measures.networks.xor_example import xor_example
from tests.naive.naive_bayes import naive_bayes_log_scores
from tests.naive.posteriors import learn, posterior
from tests.oracles.weka import ask_weka, needs_weka, write_arff

# Tables that several tests of network classifiers use.
NAMES = ["x0", "x1", "x2", "x3"]


CHAIN = {"class": [], "x0": ["class"], "x1": ["x0", "class"], "x2": ["x1"], "x3": ["x2", "x0"]}


def data(rng, n=60, unknown=0.15):
    codes = np.column_stack([rng.integers(0, r, n) for r in (2, 3, 2, 3)])
    target = (codes[:, 0] + codes[:, 1] + rng.integers(0, 2, n)) % 3
    X = np.array([[f"v{c}" for c in row] for row in codes], dtype=object)
    X[rng.random(X.shape) < unknown] = None
    return X, target


# NaiveBayes: scikit-learn's checks, values by hand, the slow twin, mixed tables.
def _rows(rng, n=60, classes=3):
    y = rng.integers(0, classes, n)
    rows = [
        [rng.normal(c), "abcd"[(c + rng.integers(0, 2)) % 4], 7.0, rng.normal(2 * c) * 100]
        for c in y
    ]
    for row in rows:
        if rng.random() < 0.3:
            row[rng.integers(0, 4)] = None
    return rows, y


@pytest.mark.parametrize("seed", range(5))
def test_equals_the_slow_twin_on_mixed_tables_with_unknown_values(seed):
    rng = np.random.default_rng(seed)
    rows, y = _rows(rng)
    model = NaiveBayes().fit(rows[:40], y[:40])
    expected = naive_bayes_log_scores(rows[:40], y[:40], rows[40:], floor=0.1)
    assert_allclose(model.predict_joint_log_proba(rows[40:]), expected, rtol=1e-10)
    shares = np.exp(np.array(expected) - np.max(expected, axis=1, keepdims=True))
    assert_allclose(
        model.predict_proba(rows[40:]), shares / shares.sum(axis=1, keepdims=True), rtol=1e-9
    )


def test_laplace_by_hand():
    X = [["a"], ["a"], ["b"], [None], ["b"]]
    y = [0, 0, 0, 0, 1]
    model = NaiveBayes().fit(X, y)
    scores = model.predict_joint_log_proba([["a"], ["b"], ["new"], [None]])
    # class 0: three known values, two levels: (2+1)/(3+2); class 1: (0+1)/(1+2)
    expected = [
        [0.8 * 3 / 5, 0.2 * 1 / 3],
        [0.8 * 2 / 5, 0.2 * 2 / 3],
        [0.8, 0.2],
        [0.8, 0.2],
    ]
    assert_allclose(np.exp(scores), expected)


def test_is_gaussian_nb_where_every_class_varies():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 200)
    X = rng.normal(size=(200, 5)) + y[:, None]
    ours = NaiveBayes(variance_floor=0.0).fit(X, y)
    theirs = GaussianNB(var_smoothing=0.0).fit(X, y)
    assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-9)


def test_a_constant_column_says_nothing():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 50)
    X = rng.normal(size=(50, 2)) + y[:, None]
    with_constant = np.column_stack([X, np.full(50, 0.1)])
    a = NaiveBayes().fit(X, y).predict_joint_log_proba(X)
    b = NaiveBayes().fit(with_constant, y)
    with_constant[:, 2] = 5.0
    assert np.array_equal(a, b.predict_joint_log_proba(with_constant))


def test_a_column_constant_within_one_class_does_not_outvote_the_others():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 100)
    X = np.column_stack([rng.normal(size=200) + 6 * y, np.where(y, 1.0, rng.normal(size=200))])
    model = NaiveBayes().fit(X, y)
    assert model.predict([[6.0, 1.2]])[0] == 1
    assert GaussianNB().fit(X, y).predict([[6.0, 1.2]])[0] == 0


def test_nominal_numbers():
    X = np.array([[0], [0], [2], [2], [1], [1]])
    y = [0, 0, 0, 0, 1, 1]
    assert NaiveBayes().fit(X, y, nominal=[0]).predict([[1]])[0] == 1
    assert NaiveBayes().fit(X, y, nominal=[0]).score(X, y) == 1.0


def test_names_are_kept():
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "colour": ["r", "r", "b", None]})
    model = NaiveBayes().fit(X, ["n", "n", "y", "y"])
    assert model.feature_names_in_.tolist() == ["size", "colour"]
    assert model.predict(X).tolist() == ["n", "n", "y", "y"]


@pytest.mark.parametrize("value", [-1.0, "a", np.inf, True])
def test_parameters(value):
    with pytest.raises(InputError, match="`alpha` of NaiveBayes must be a number of at least 0"):
        NaiveBayes(alpha=value).fit([[1.0], [2.0]], [0, 1])


def test_without_correction_frequencies_rule_classes_out():
    X = np.array([["r"], ["r"], ["b"], ["b"], ["b"]], dtype=object)
    model = NaiveBayes(alpha=0.0).fit(X, ["one", "two", "two", "two", "two"])
    assert model.predict_proba(X[[0, 2]]).tolist() == [
        [pytest.approx(0.5), pytest.approx(0.5)],
        [0.0, 1.0],
    ]


def test_without_correction_what_no_class_can_explain_is_left_to_the_priors():
    X = np.array([["r", "x"], ["b", "y"], ["b", "y"], [None, None]], dtype=object)
    model = NaiveBayes(alpha=0.0).fit(X, ["one", "two", "two", "three"])
    # "three" has never shown a value, so it says nothing; "r" with "y" excludes the others.
    assert model.predict(np.array([["r", "y"]], dtype=object)).tolist() == ["three"]
    two = NaiveBayes(alpha=0.0).fit(X[:3], ["one", "two", "two"])
    shares = two.predict_proba(np.array([["r", "y"]], dtype=object))[0]
    assert shares.tolist() == pytest.approx([1 / 3, 2 / 3])


def test_the_rules_of_mlc_by_hand():
    X = pd.DataFrame(
        {
            "label": pd.Categorical(["a", "a", None, "b"], categories=["a", "b", "c"]),
            "number": [1.0, 3.0, 4.0, 7.0],
            "same": [2.0, 2.0, 2.0, 5.0],
        }
    )
    model = MLCNaiveBayes().fit(X, ["x", "x", "x", "y"])
    new = X.iloc[:1].assign(label="a", number=2.0, same=2.0)
    found = model.predict_joint_log_proba(new)[0]
    # P(a | x) is 2 / 3: the unknown label counts. The variance of 1, 3 and 4 is 7 / 3, that of
    # three equal values 0.01; y has no row with a.
    expected = np.log(3 / 4) + np.log(2 / 3)
    expected += norm.logpdf(2.0, 8 / 3, np.sqrt(7 / 3)) + norm.logpdf(2.0, 2.0, 0.1)
    assert found[0] == pytest.approx(expected)
    assert np.isneginf(found[1])
    # A single value has the variance 1.
    other = model.predict_joint_log_proba(new.assign(label="b"))[0]
    assert other[1] == pytest.approx(
        np.log(1 / 4) + norm.logpdf(2.0, 7.0, 1.0) + norm.logpdf(2.0, 5.0, 1.0)
    )
    # A category that no row shows rules out every class: the most frequent one is the answer.
    assert model.predict(new.assign(label="c", number=7.0, same=5.0)).tolist() == ["x"]


# Tables of a network and exact posteriors.
TOWARDS = {"x0": [], "x1": ["x0"], "class": ["x0", "x1"], "x2": ["class"], "x3": []}


def _with_none(X):
    return [[None if v is None else int(v[1]) for v in row] for row in X]


@pytest.mark.parametrize("graph", [CHAIN, TOWARDS, None])
def test_posteriors_equal_the_sum_over_all_completions(graph):
    X, y = data(np.random.default_rng(0))
    model = BayesianNetworkClassifier(graph, strength=0.5).fit(X, y)
    arcs = graph or {"class": [], **{name: ["class"] for name in NAMES}}
    place = {name: j for j, name in enumerate([*NAMES, "class"])}
    parents = {place[c]: tuple(place[p] for p in ps) for c, ps in arcs.items()}
    sizes = [2, 3, 2, 3, 3]
    tables = learn([[*r, c] for r, c in zip(_with_none(X), y, strict=True)], parents, sizes, 0.5)
    expected = [posterior(tables, [*row, None], 4, sizes) for row in _with_none(X)]
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-12)


def test_tan_sums_out_unknown_values_in_the_tree():
    X, y = data(np.random.default_rng(1))
    model = TAN(root="x2").fit(X, y)
    assert model.parents_["x2"] == ("class",)
    place = {name: j for j, name in enumerate([*NAMES, "class"])}
    parents = {place[c]: tuple(place[p] for p in ps) for c, ps in model.parents_.items()}
    sizes = [2, 3, 2, 3, 3]
    tables = learn([[*r, c] for r, c in zip(_with_none(X), y, strict=True)], parents, sizes, 1.0)
    expected = [posterior(tables, [*row, None], 4, sizes) for row in _with_none(X)]
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-12)


def test_dirichlet_smoothing_spreads_by_the_own_frequencies():
    X = np.array([["a"], ["a"], ["a"], ["b"]], dtype=object)
    model = SelectiveNaiveBayes(smoothing="dirichlet", strength=4.0).fit(X, [0, 0, 1, 1])
    # P(a | 0) = (2 + 4 · 3/4) / (2 + 4)
    np.testing.assert_allclose(model.families_[1].table, [[5 / 6, 1 / 6], [4 / 6, 2 / 6]])


#
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


#
def _table(seed, n, sizes, n_classes):
    """Features that hang together in a chain, given the class."""
    rng = np.random.default_rng(seed)
    target = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n - n_classes)])
    values = np.zeros((n, len(sizes)))
    before = target
    for j, r in enumerate(sizes):
        noise = rng.random(n) < 0.4
        values[:, j] = np.where(noise, rng.integers(0, r, n), (before + target) % r)
        before = values[:, j].astype(int)
        values[:r, j] = np.arange(r)
    names = tuple(f"x{j}" for j in range(len(sizes)))
    levels = tuple(tuple(f"v{i}" for i in range(r)) for r in sizes)
    return Table(names, values, levels, target, np.array([f"c{c}" for c in range(n_classes)]))


TABLES = [
    _table(0, 200, (2, 3, 4, 2, 3), 2),
    _table(1, 300, (3, 3, 2, 5, 2, 4, 3), 3),
    _table(2, 150, (4, 2, 2, 3), 4),
]


@needs_weka
@pytest.mark.parametrize("table", TABLES)
def test_tree_and_probabilities_equal_weka(table, tmp_path):
    lines = ask_weka("tan", write_arff(tmp_path / "table.arff", table), 0.5)
    arcs = [tuple(map(int, line.split()[1:])) for line in lines if line.startswith("arc")]
    shares = [list(map(float, line.split()[1:])) for line in lines if line.startswith("row")]
    root = next(j for j in range(table.n_features) if j not in {child for _, child in arcs})
    model = TAN(root=root, strength=0.5).fit_table(table)
    ours = [(f.parents[1], f.child) for f in model.families_ if len(f.parents) == 2]
    assert sorted(ours) == sorted(arcs)
    np.testing.assert_allclose(model.predict_table(table), shares, atol=1e-9)


@pytest.mark.parametrize("table", TABLES)
def test_conditional_information_equals_pyagrum(table):
    gum = pytest.importorskip("pyagrum")
    pandas = pytest.importorskip("pandas")
    words = [[table.levels[j][int(v)] for j, v in enumerate(row)] for row in table.values]
    frame = pandas.DataFrame(words, columns=list(table.names))
    frame["class"] = table.classes[table.target]
    learner = gum.BNLearner(frame)
    learner.useNoPrior()
    bits = Information.of(table).conditional
    d = table.n_features
    theirs = np.array(
        [[_conditional(learner, a, b) if a != b else 0.0 for b in table.names] for a in table.names]
    )
    off = ~np.eye(d, dtype=bool)
    np.testing.assert_allclose(bits[off], theirs[off], atol=1e-9)


def _conditional(learner, a, b):
    """I(a; b | class) from pyAgrum's log-likelihoods (base 2), per row."""
    n = learner.nbRows()
    together = learner.logLikelihood([a], [b, "class"]) / n
    alone = learner.logLikelihood([a], ["class"]) / n
    return together - alone
