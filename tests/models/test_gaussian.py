"""Gaussian models."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from fewest._errors import InputError
from fewest._models.gaussian import (
    GaussianNetwork,
    GaussianScore,
    IndependentNormals,
    MultivariateNormal,
    as_numbers,
    exclusion_p_values,
    learn_by_exclusion,
    learn_gaussian_b,
)
from fewest._models.graph import Graph


# Rows of real numbers: what is taken and what is refused.
def test_whole_numbers_become_floats():
    assert as_numbers([[1, 2]]).dtype == np.float64


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([1.0, 2.0], r"two dimensions and at least one row, but has shape \(2,\)"),
        (np.zeros((0, 3)), r"at least one row, but has shape \(0, 3\)"),
        ([[1.0, np.nan]], "must hold finite numbers"),
        ([[1.0, np.inf]], "must hold finite numbers"),
    ],
)
def test_other_rows_are_refused(rows, sentence):
    with pytest.raises(InputError, match=sentence):
        as_numbers(rows)


# Normal distributions against scipy.
ROWS = np.random.default_rng(0).normal(size=(300, 3)) * [1.0, 2.0, 0.5] + [0.0, 1.0, 2.0]


def test_estimates_are_those_of_scipy():
    joint, single = MultivariateNormal.learn(ROWS), IndependentNormals.learn(ROWS)
    mean, covariance = stats.multivariate_normal.fit(ROWS)
    assert_allclose(joint.mean, mean)
    assert_allclose(joint.covariance, covariance)
    fitted = np.array([stats.norm.fit(column) for column in ROWS.T])
    assert_allclose(np.column_stack([single.mean, single.deviation]), fitted)


@pytest.mark.parametrize("model", [MultivariateNormal, IndependentNormals])
def test_samples_have_the_moments(model):
    drawn = model.learn(ROWS).sample(50_000, np.random.default_rng(1))
    assert_allclose(drawn.mean(axis=0), ROWS.mean(axis=0), atol=0.05)
    assert_allclose(drawn.std(axis=0), ROWS.std(axis=0), rtol=0.03)


def test_a_singular_covariance_can_be_sampled():
    rows = np.column_stack([ROWS[:, 0], 2 * ROWS[:, 0]])
    drawn = MultivariateNormal.learn(rows).sample(10, np.random.default_rng(0))
    assert_allclose(drawn[:, 1], 2 * drawn[:, 0], atol=1e-6)


def test_refuses_what_is_not_finite():
    with pytest.raises(InputError, match="`rows` must hold finite numbers"):
        MultivariateNormal.learn(np.array([[np.nan]]))


# Gaussian networks: regressions, densities, samples.
DEPENDENT = np.random.default_rng(0).normal(size=(400, 3)) @ np.array(
    [[1.0, 2.0, 0.0], [0.0, 0.5, -1.0], [0.0, 0.0, 0.7]]
)


def test_a_complete_network_is_the_multivariate_normal():
    network = GaussianNetwork.learn(Graph(((), (0,), (0, 1))), DEPENDENT)
    # x - m = B (x - m) + noise, so that the covariance is (I - B)^-1 V (I - B)^-T.
    weights = np.zeros((3, 3))
    weights[1, :1], weights[2, :2] = network.coefficients[1:]
    spread = np.linalg.inv(np.eye(3) - weights)
    assert_allclose(spread * network.variance @ spread.T, np.cov(DEPENDENT.T, bias=True))
    assert_allclose(network.mean, DEPENDENT.mean(axis=0))


def test_coefficients_are_those_of_a_regression():
    network = GaussianNetwork.learn(Graph(((), (), (0, 1))), DEPENDENT)
    design = np.column_stack([np.ones(len(DEPENDENT)), DEPENDENT[:, :2]])
    fitted, rest, *_ = np.linalg.lstsq(design, DEPENDENT[:, 2], rcond=None)
    assert_allclose(network.coefficients[2], fitted[1:])
    assert network.variance[2] == pytest.approx(rest[0] / len(DEPENDENT))


def test_samples_have_the_moments_of_the_rows():
    network = GaussianNetwork.learn(Graph(((1,), (), (1, 0))), DEPENDENT)
    drawn = network.sample(40_000, np.random.default_rng(1))
    assert_allclose(drawn.mean(axis=0), DEPENDENT.mean(axis=0), atol=0.06)
    assert_allclose(np.cov(drawn.T), np.cov(DEPENDENT.T), atol=0.12)


def test_constant_variables_stay_constant():
    rows = np.column_stack([DEPENDENT[:, 0], np.full(len(DEPENDENT), 0.25)])
    network = GaussianNetwork.learn(Graph(((), (0,))), rows)
    assert_allclose(network.sample(5, np.random.default_rng(0))[:, 1], 0.25)


# BGe against predictive Student densities, BIC against plain regressions, and equivalences.
FEW_ROWS = np.random.default_rng(3).normal(size=(12, 3)) @ np.array(
    [[1.0, 0.5, 0.0], [0.0, 1.0, 0.8], [0.0, 0.0, 0.6]]
)
#: Standardised, as the score does it, so that plain formulas apply.
FEW_ROWS = (FEW_ROWS - FEW_ROWS.mean(axis=0)) / FEW_ROWS.std(axis=0)


def marginal_likelihood(rows, subset, d, mean_size, wishart_size):
    """The product of the predictive densities of a normal-Wishart model, row after row.

    Each is a multivariate Student density (scipy); a subset of l variables has
    wishart_size - d + l degrees of freedom.
    """
    size = len(subset)
    part = rows[:, subset]
    scale = mean_size * (wishart_size - d - 1) / (mean_size + 1)
    mean, strength = rows.mean(axis=0)[list(subset)], mean_size
    freedom, matrix = wishart_size - d + size, scale * np.eye(size)
    total = 0.0
    for x in part:
        df = freedom - size + 1
        shape = matrix * (strength + 1) / (strength * df)
        total += stats.multivariate_t.logpdf(x, mean, shape, df)
        matrix = matrix + strength / (strength + 1) * np.outer(x - mean, x - mean)
        mean = (strength * mean + x) / (strength + 1)
        strength, freedom = strength + 1, freedom + 1
    return total


@pytest.mark.parametrize(("mean_size", "wishart_size"), [(1.0, None), (2.0, 9.0)])
@pytest.mark.parametrize(("child", "parents"), [(0, ()), (1, (0,)), (2, (0, 1))])
def test_bge_is_a_ratio_of_marginal_likelihoods(child, parents, mean_size, wishart_size):
    size = 5.0 if wishart_size is None else wishart_size
    score = GaussianScore.of(FEW_ROWS, mean_size=mean_size, wishart_size=wishart_size)
    expected = marginal_likelihood(FEW_ROWS, (*parents, child), 3, mean_size, size)
    if parents:
        expected -= marginal_likelihood(FEW_ROWS, parents, 3, mean_size, size)
    assert score.local(child, parents) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("child", [0, 2])
def test_bic_is_that_of_a_regression(child):
    parents = [j for j in range(3) if j != child]
    design = np.column_stack([np.ones(len(FEW_ROWS)), FEW_ROWS[:, parents]])
    residual = (
        FEW_ROWS[:, child] - design @ np.linalg.lstsq(design, FEW_ROWS[:, child], rcond=None)[0]
    )
    logs = stats.norm.logpdf(residual, 0, residual.std()).sum()
    score = GaussianScore.of(FEW_ROWS, "bic")
    assert score.local(child, parents) == pytest.approx(logs - 0.5 * np.log(len(FEW_ROWS)) * 4)


@pytest.mark.parametrize("kind", ["bge", "bic"])
def test_graphs_with_the_same_independences_have_the_same_score(kind):
    chains = [Graph(((), (0,), (1,))), Graph(((1,), (), (1,))), Graph(((1,), (2,), ()))]
    complete = [Graph(((), (0,), (0, 1))), Graph(((1, 2), (2,), ()))]
    score = GaussianScore.of(FEW_ROWS, kind)
    for family in (chains, complete):
        for one, other in pairwise(family):
            assert score.total(one) == pytest.approx(score.total(other), rel=1e-12)
    collider = Graph(((), (0, 2), ()))
    assert abs(score.total(collider) - score.total(chains[0])) > 1e-3


@pytest.mark.parametrize("kind", ["bge", "bic"])
def test_units_of_measurement_do_not_matter(kind):
    narrow = 5 + FEW_ROWS * np.array([1e-6, 1.0, 1e4])
    graph = Graph(((), (0,), (0, 1)))
    own, other = GaussianScore.of(FEW_ROWS, kind), GaussianScore.of(narrow, kind)
    assert own.total(graph) == pytest.approx(other.total(graph), rel=1e-6)
    constant = np.column_stack([FEW_ROWS, np.ones(len(FEW_ROWS))])
    assert np.isfinite(GaussianScore.of(constant, kind).total(Graph(((), (0,), (0, 1), ()))))


def test_refuses():
    with pytest.raises(InputError, match="`kind` must be"):
        GaussianScore.of(FEW_ROWS, "aic")
    with pytest.raises(InputError, match="`wishart_size` must be above 4"):
        GaussianScore.of(FEW_ROWS, wishart_size=4.0)
    with pytest.raises(InputError, match="`rows` must have two dimensions"):
        GaussianScore.of(np.zeros(3))


# Algorithm B against plain local scores; edges against their tests.
def naive_b(score, d, most):
    parents = [[] for _ in range(d)]
    while True:
        gains = {}
        for child in range(d):
            for parent in range(d):
                trial = [list(p) for p in parents]
                trial[child].append(parent)
                if parent == child or parent in parents[child] or len(trial[child]) > most:
                    continue
                try:
                    _ = Graph(tuple(map(tuple, trial))).order
                except ValueError:
                    continue
                local = score.local(child, trial[child]) - score.local(child, parents[child])
                gains[child, parent] = local
        if not gains or max(gains.values()) <= 1e-9:
            return Graph(tuple(map(tuple, parents)))
        child, parent = next(k for k, v in gains.items() if v >= max(gains.values()) - 1e-9)
        parents[child].append(parent)


@pytest.mark.parametrize("kind", ["bge", "bic"])
@pytest.mark.parametrize("most", [1, 2, 5])
def test_like_the_naive_way(kind, most):
    rng = np.random.default_rng(most)
    rows = rng.normal(size=(80, 5)) @ (np.eye(5) + np.triu(rng.normal(size=(5, 5)), 1))
    score = GaussianScore.of(rows, kind)
    assert learn_gaussian_b(score, most) == naive_b(score, 5, most)


def test_independent_variables_get_no_arcs_and_copies_do_not_break_it():
    rng = np.random.default_rng(0)
    assert learn_gaussian_b(GaussianScore.of(rng.normal(size=(500, 4)), "bic")).arcs == []
    a = rng.normal(size=50)
    found = learn_gaussian_b(GaussianScore.of(np.column_stack([a, a, np.ones(50)])))
    assert len(found.arcs) >= 1
    assert len(found.order) == 3


RNG = np.random.default_rng(0)
A, B, C = RNG.normal(size=(3, 100))
CHAIN = np.column_stack([A, A + B, A + B + 0.5 * C])


def residual_square(child, others):
    design = np.column_stack([np.ones(len(CHAIN)), CHAIN[:, others]])
    fitted = design @ np.linalg.lstsq(design, CHAIN[:, child], rcond=None)[0]
    return ((CHAIN[:, child] - fitted) ** 2).sum()


def test_p_values_are_likelihood_ratios_of_regressions():
    p = exclusion_p_values(CHAIN)
    for i, j, other in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        ratio = len(CHAIN) * np.log(residual_square(i, [other]) / residual_square(i, [other, j]))
        assert p[i, j] == pytest.approx(stats.chi2.sf(ratio, 1), rel=1e-6)


def test_only_edges_that_are_needed_are_kept():
    assert learn_by_exclusion(CHAIN, 0.01).arcs == [(0, 1), (1, 2)]
