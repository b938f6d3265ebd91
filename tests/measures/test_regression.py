"""Filters and criteria over a numeric target."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.feature_selection import f_regression, mutual_info_regression, r_regression

import fewest
from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.measures import (
    AIC,
    BIC,
    RSS,
    AdjustedR2,
    CorrelationCFS,
    CorrelationMRMR,
    DistanceCorrelation,
    FTest,
    InformationMRMR,
    MallowsCp,
    Pearson,
    RReliefF,
)
from fewest.measures._regression.correlations import CrossProducts
from fewest.measures._regression.criteria import Criterion
from fewest.measures._regression.distances import distance_correlation
from fewest.testing import parametrize_with_measure_checks
from tests.measures.number_tables import rows, table
from tests.naive import numeric_filters as naive
from tests.naive.filters import greedy_order
from tests.naive.least_squares import naive_criteria, naive_rss


# What the criteria share.
def test_values_from_criteria():
    plain = Criterion(np.ones(3), np.arange(3.0), 5.0, 2.0)
    assert_allclose(plain.of(np.array([0.5, 0.5]), np.array([0, 2])), [4.0, 0.0])
    logarithm = Criterion(np.ones(1), np.zeros(1), 0.0, 3.0, logarithm=True)
    assert_allclose(logarithm.value(np.array([np.e])), [-3.0])


def test_subsets_that_leave_no_row_are_the_worst():
    value = AIC().bind(table(n=6)).score(np.tril(np.ones((6, 6), dtype=bool))).value
    assert np.isfinite(value[:4]).all()
    assert (value[4:] == -np.inf).all()


def test_the_task_is_regression():
    assert AIC().task == "regression"


# Correlations with numeric targets against scikit-learn and definitions.
CRITERIA = [RSS(), AIC(), BIC(), AdjustedR2(), MallowsCp()]
MEASURES = [
    *(Pearson(), Pearson(threshold=0.2), FTest(), CorrelationCFS(), CorrelationMRMR()),
    *(InformationMRMR(), InformationMRMR(samples=20), RReliefF(neighbours=3)),
    *(DistanceCorrelation(), DistanceCorrelation(samples=20), *CRITERIA),
]


@parametrize_with_measure_checks([(measure, table()) for measure in MEASURES])
def test_conformance(measure, table, check):
    check(measure, table)


def _alone(measure, seed=0):
    return measure.bind(table(seed, trouble=False)).score(np.eye(6, dtype=bool)).value


def test_one_by_one():
    X, y = rows(trouble=False)
    assert_allclose(_alone(Pearson(threshold=0.1)), np.abs(r_regression(X, y)) - 0.1, atol=1e-12)
    f, p = f_regression(X, y)
    assert_allclose(_alone(FTest()), f - stats.f.isf(0.05, 1, len(y) - 2), rtol=1e-9)
    assert_allclose(_alone(FTest()) > 0, p < 0.05)
    assert_allclose(_alone(CorrelationMRMR()), f, rtol=1e-9)


def test_a_constant_column_is_worth_nothing():
    assert Pearson().bind(table()).score(np.eye(6, dtype=bool)[2:3]).value == 0


def test_merit():
    X, y = rows(1)
    X[:, 2] = y**2
    masks = np.random.default_rng(0).random((12, 6)) < 0.5
    masks[0] = True
    value = CorrelationCFS().bind(fewest.data.as_table(X, y, task="regression")).score(masks).value
    r = np.abs(np.corrcoef(np.column_stack([X, y]).T))
    for mask, own in zip(masks, value, strict=True):
        members = np.flatnonzero(mask)
        inside = sum(r[i, j] for i in members for j in members if i < j)
        expected = r[members, 6].sum() / np.sqrt(max(len(members) + 2 * inside, 1e-300))
        assert_allclose(own, expected, atol=1e-12)


def test_forward_selection_by_correlation_is_the_classical_order():
    X, y = rows(2, trouble=False, noise=20.0)
    f, r = f_regression(X, y)[0], np.abs(np.corrcoef(X.T))

    def gain(j, chosen):
        return f[j] - sum(r[j, s] for s in chosen) / max(1, len(chosen))

    order = greedy_order(list(X.T), gain)
    for k in range(1, 5):
        selector = fewest.SubsetSelector(measure="mrmr-f", search="sfs", max_features=k)
        features = selector.fit(X, y).result_.features
        assert features == [f"x{j}" for j in sorted(order[:k])]


# mRMR by mutual information for numeric targets.
def test_relevance_is_that_of_scikit_learn():
    X, y = rows(3, trouble=False)
    scorer = InformationMRMR().bind(fewest.data.as_table(X, y, task="regression"))
    alone = scorer.score(np.eye(X.shape[1], dtype=bool)).value
    assert_allclose(alone, mutual_info_regression(X, y, random_state=0), atol=1e-8)


def test_forward_selection_by_information_is_the_classical_order():
    X, y = rows(2, trouble=False)
    relevance = mutual_info_regression(X, y, random_state=0)
    between = np.array([mutual_info_regression(X, x, random_state=0) for x in X.T])

    def gain(j, chosen):
        return relevance[j] - sum(between[j, s] for s in chosen) / max(1, len(chosen))

    order = greedy_order(list(X.T), gain)
    for k in (1, 2, 4):
        selector = fewest.SubsetSelector(
            "mrmr-information", search="sfs", min_features=k, max_features=k
        )
        chosen = selector.fit(X, y).support_
        assert set(np.flatnonzero(chosen)) == set(order[:k])


def test_a_relation_that_is_not_linear():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(200, 4))
    selector = fewest.SubsetSelector("mrmr-information", search="sfs", max_features=1)
    assert selector.fit(X, X[:, 2] ** 2).result_.support.tolist() == [False, False, True, False]


def test_constant_columns_are_worth_nothing():
    X, y = rows(0)
    value = InformationMRMR().bind(table()).score(np.eye(X.shape[1], dtype=bool)).value
    assert (value[X.std(axis=0) == 0] == 0).all()


# Distance correlation and RReliefF against loops.
def test_against_loops():
    X, y = rows(n=15, trouble=False)
    own = DistanceCorrelation().bind(table(n=15, trouble=False)).score(np.eye(6, dtype=bool)).value
    expected = [naive.distance_correlation(X[:, j].tolist(), y.tolist()) for j in range(6)]
    assert_allclose(own, expected, rtol=1e-9)
    scaled = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    weights = naive.rrelieff(scaled.tolist(), ((y - y.min()) / np.ptp(y)).tolist(), 3)
    bound = RReliefF(neighbours=3).bind(table(n=15, trouble=False))
    assert_allclose(bound.score(np.eye(6, dtype=bool)).value, weights, rtol=1e-9)


def test_labels_unknown_and_constant_values():
    x, y = np.array([0.0, 0, 1, 1, 2, 2]), np.arange(6.0)
    codes = np.array([0.0, 0, 2, 2, 1, 1])
    # Distances of labels do not depend on their codes.
    assert_allclose(distance_correlation(x, y, True), distance_correlation(codes, y, True))
    assert distance_correlation(np.ones(6), y) == 0
    X = np.column_stack([y, y, np.full(6, np.nan)])
    X[0, 1] = np.nan
    worth = DistanceCorrelation().bind(as_table(X, y, task="regression"))
    assert_allclose(worth.score(np.eye(3, dtype=bool)).value, [1, 1, 0], atol=1e-12)


def test_classes_are_refused():
    X, y = rows()
    for measure in (RReliefF(), DistanceCorrelation()):
        with pytest.raises(InputError, match=f"`{measure.name}` needs a target that is a number"):
            measure.bind(as_table(X, np.where(y > 0, "a", "b")))


# Cross products of tables, and what they refuse.
def test_correlations_and_a_constant_column():
    X, y = rows()
    squares = CrossProducts.of(table(), "aic")
    others = [0, 1, 3, 4, 5]
    assert_allclose(squares.gram[np.ix_(others, others)], np.corrcoef(X[:, others].T), atol=1e-12)
    assert_array_equal(squares.gram[2], np.zeros(6))
    assert_allclose(squares.total, naive_rss(X, y, []))


def test_far_from_zero():
    X, y = rows(trouble=False)
    X[:, 0] += 1e7
    squares = CrossProducts.of(as_table(X, y, task="regression"), "aic")
    share = squares.unexplained(np.eye(6, dtype=bool)[:1])[0]
    assert_allclose(share * squares.total, naive_rss(X - X.mean(axis=0), y, [0]), rtol=1e-8)


def test_numbers_that_are_labels():
    X, y = rows(trouble=False)
    X[:, 0] = np.round(X[:, 0])
    plain = CrossProducts.of(as_table(X, y, task="regression"), "aic")
    nominal = CrossProducts.of(as_table(X, y, nominal=[0], task="regression"), "aic")
    assert_allclose(nominal.right, plain.right, atol=1e-12)


def test_what_is_refused():
    X, y = rows()
    with pytest.raises(InputError, match="`aic` needs a target that is a number, but"):
        CrossProducts.of(as_table(X, np.where(y > 0, "a", "b")), "aic")
    with pytest.raises(InputError, match="a target that is not constant"):
        CrossProducts.of(as_table(X, np.ones(len(y)), task="regression"), "aic")
    X[3, 2] = np.nan
    with pytest.raises(InputError, match="needs known values, but 'x2'.* has unknown ones; impute"):
        CrossProducts.of(as_table(X, y, task="regression"), "aic")
    labels = np.array([["u", "v"][i % 2] for i in range(len(y))], dtype=object)[:, None]
    with pytest.raises(InputError, match="needs numbers, but .* has labels; encode"):
        CrossProducts.of(as_table(labels, y, task="regression"), "aic")


# The criteria against their definitions and R.
@pytest.mark.parametrize("measure", CRITERIA, ids=lambda m: m.name)
def test_definitions(measure):
    X, y = rows()
    masks = np.random.default_rng(0).random((20, 6)) < 0.5
    value = measure.bind(table()).score(masks).value
    expected = [naive_criteria(X, y, np.flatnonzero(mask))[measure.name] for mask in masks]
    assert_allclose(value, expected, rtol=1e-9)


#: R 4.2: AIC(m), BIC(m), sum(resid(m)^2), summary(m)$adj.r.squared of m = lm(target ~ sex + bmi +
#: bp + s1 + s2 + s5), and $cp of regsubsets of leaps 3.1, on scikit-learn's diabetes.
BY_R = {
    "aic": -4790.60348462, "bic": -4823.33396368, "rss": -1271493.99729,
    "adjusted-r2": 0.508192537938, "mallows-cp": -5.56018640458,
}  # fmt: skip


@pytest.mark.parametrize("measure", CRITERIA, ids=lambda m: m.name)
def test_values_of_r(measure):
    X, y = load_diabetes(return_X_y=True)
    mask = np.isin(np.arange(10), [1, 2, 3, 4, 5, 8])
    value = measure.bind(as_table(X, y, task="regression")).score(mask[None]).value
    assert_allclose(value, [BY_R[measure.name]], rtol=1e-10)


def test_mallows_needs_rows():
    with pytest.raises(InputError, match="needs more rows than features, but there are 5 rows"):
        MallowsCp().bind(table(n=5, trouble=False))
