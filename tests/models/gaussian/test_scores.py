"""BGe against predictive Student densities, BIC against plain regressions, and equivalences."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from fewest._errors import InputError
from fewest._models.gaussian import GaussianScore
from fewest._models.graph import Graph

ROWS = np.random.default_rng(3).normal(size=(12, 3)) @ np.array(
    [[1.0, 0.5, 0.0], [0.0, 1.0, 0.8], [0.0, 0.0, 0.6]]
)
#: Standardised, as the score does it, so that plain formulas apply.
ROWS = (ROWS - ROWS.mean(axis=0)) / ROWS.std(axis=0)


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
    score = GaussianScore.of(ROWS, mean_size=mean_size, wishart_size=wishart_size)
    expected = marginal_likelihood(ROWS, (*parents, child), 3, mean_size, size)
    if parents:
        expected -= marginal_likelihood(ROWS, parents, 3, mean_size, size)
    assert score.local(child, parents) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("child", [0, 2])
def test_bic_is_that_of_a_regression(child):
    parents = [j for j in range(3) if j != child]
    design = np.column_stack([np.ones(len(ROWS)), ROWS[:, parents]])
    residual = ROWS[:, child] - design @ np.linalg.lstsq(design, ROWS[:, child], rcond=None)[0]
    logs = stats.norm.logpdf(residual, 0, residual.std()).sum()
    score = GaussianScore.of(ROWS, "bic")
    assert score.local(child, parents) == pytest.approx(logs - 0.5 * np.log(len(ROWS)) * 4)


@pytest.mark.parametrize("kind", ["bge", "bic"])
def test_graphs_with_the_same_independences_have_the_same_score(kind):
    chains = [Graph(((), (0,), (1,))), Graph(((1,), (), (1,))), Graph(((1,), (2,), ()))]
    complete = [Graph(((), (0,), (0, 1))), Graph(((1, 2), (2,), ()))]
    score = GaussianScore.of(ROWS, kind)
    for family in (chains, complete):
        for one, other in pairwise(family):
            assert score.total(one) == pytest.approx(score.total(other), rel=1e-12)
    collider = Graph(((), (0, 2), ()))
    assert abs(score.total(collider) - score.total(chains[0])) > 1e-3


@pytest.mark.parametrize("kind", ["bge", "bic"])
def test_units_of_measurement_do_not_matter(kind):
    narrow = 5 + ROWS * np.array([1e-6, 1.0, 1e4])
    graph = Graph(((), (0,), (0, 1)))
    own, other = GaussianScore.of(ROWS, kind), GaussianScore.of(narrow, kind)
    assert own.total(graph) == pytest.approx(other.total(graph), rel=1e-6)
    constant = np.column_stack([ROWS, np.ones(len(ROWS))])
    assert np.isfinite(GaussianScore.of(constant, kind).total(Graph(((), (0,), (0, 1), ()))))


def test_refuses():
    with pytest.raises(InputError, match="`kind` must be"):
        GaussianScore.of(ROWS, "aic")
    with pytest.raises(InputError, match="`wishart_size` must be above 4"):
        GaussianScore.of(ROWS, wishart_size=4.0)
    with pytest.raises(InputError, match="`rows` must have two dimensions"):
        GaussianScore.of(np.zeros(3))
