"""What dropping columns costs at least, beside what it costs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest.measures._regression.best_subsets import dropping_costs, floors_by_size


def _case(seed, d=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2)) @ rng.normal(size=(2, d)) + rng.normal(size=(30, d))
    return np.linalg.inv(X.T @ X), rng.normal(size=d)


def _cost(inverse, beta, dropped):
    own = list(dropped)
    return beta[own] @ np.linalg.solve(inverse[np.ix_(own, own)], beta[own])


@pytest.mark.parametrize("seed", range(6))
def test_no_set_costs_less(seed):
    inverse, beta = _case(seed)
    costs, ceiling = dropping_costs(inverse, beta)
    assert np.linalg.eigvalsh(np.diag(ceiling) - inverse)[0] > -1e-12
    assert_allclose(costs, beta**2 / ceiling)
    for size in range(1, 7):
        for dropped in combinations(range(6), size):
            assert costs[list(dropped)].sum() <= _cost(inverse, beta, dropped) * (1 + 1e-9)


def test_steps_raise_the_sum_over_that_of_the_largest_eigenvalue():
    inverse, beta = _case(1)
    own = np.diagonal(inverse)
    related = inverse / np.sqrt(np.outer(own, own))
    plain = (beta**2 / own).sum() / np.linalg.eigvalsh(related)[-1]
    assert dropping_costs(inverse, beta)[0].sum() > 1.02 * plain


def test_a_part_starts_from_the_diagonal_of_the_whole():
    inverse, beta = _case(2)
    _, ceiling = dropping_costs(inverse, beta)
    costs, own = dropping_costs(inverse[1:, 1:], beta[1:], ceiling[1:])
    assert costs.sum() >= (beta[1:] ** 2 / ceiling[1:]).sum() * (1 - 1e-6)
    assert np.linalg.eigvalsh(np.diag(own) - inverse[1:, 1:])[0] > -1e-12


@pytest.mark.parametrize("sizes", [[1, 1, 1, 1, 1, 1], [2, 1, 3, 1, 1, 2]])
def test_floors(sizes):
    inverse, beta = _case(3)
    costs, _ = dropping_costs(inverse, beta)
    sizes = np.array(sizes)
    alone = beta**2 / np.diagonal(inverse)
    floors = floors_by_size(0.25, alone, costs, sizes, 2, 12)
    whole = 2 + int(sizes.sum())
    assert np.isinf(floors[:2]).all()
    assert np.isinf(floors[whole + 1 :]).all()
    for count in range(7):
        for dropped in combinations(range(6), count):
            size = whole - int(sizes[list(dropped)].sum())
            if size <= 12:
                rest = 0.25 + (_cost(inverse, beta, dropped) if dropped else 0.0)
                assert floors[size] <= rest * (1 + 1e-9)
