"""NaiveBayes: scikit-learn's checks, values by hand, the slow twin, mixed tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB

from fewest._errors import InputError
from fewest.classifiers._naive_bayes import MLCNaiveBayes, NaiveBayes
from tests.naive.naive_bayes import naive_bayes_log_scores


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
