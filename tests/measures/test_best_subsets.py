"""The best subsets of a linear model, proven."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest._errors import InputError
from fewest.measures import resolve_measure
from fewest.measures._abilities import Allowed
from fewest.measures._regression import best_subsets
from fewest.measures._regression.best_subsets import (
    Node,
    Ready,
    dropping_costs,
    exchange,
    floors_by_size,
    open_node,
    stepwise,
)
from fewest.measures._regression.correlations import CrossProducts
from tests.measures.number_tables import rows, table
from tests.naive.least_squares import naive_best, naive_criteria, naive_rss


# Proven best subsets against enumeration.
def _allowed(d, each_size=False):
    return Allowed(
        np.zeros(d, dtype=bool), np.eye(d, dtype=bool), np.ones(d), np.inf, 0, d, each_size
    )


def _prove(scorer, allowed):
    proof = scorer.best_subsets(allowed)
    found = []
    while not proof.done:
        found.append(proof.work())
    return proof, np.concatenate(found)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_each_size(seed):
    X, y = rows(seed)
    proof, found = _prove(resolve_measure("rss").bind(table(seed)), _allowed(6, each_size=True))
    expected = naive_best(X, y)
    sizes, values, bounds = np.array(proof.sizes()).T
    assert_allclose(sizes, range(7))
    assert_allclose(-values, expected, rtol=1e-9)
    assert_allclose(bounds, values, rtol=1e-9)
    assert len(found) >= 7


@pytest.mark.parametrize("name", ["aic", "bic", "adjusted-r2", "mallows-cp"])
def test_the_best_of_all(name):
    X, y = rows(3)
    proof, found = _prove(resolve_measure(name).bind(table(3)), _allowed(6))
    masks = [[i >> j & 1 for j in range(6)] for i in range(64)]
    best = max(naive_criteria(X, y, np.flatnonzero(mask))[name] for mask in masks)
    assert_allclose(proof.bound(), best, rtol=1e-9)
    own = [naive_criteria(X, y, np.flatnonzero(mask))[name] for mask in found]
    assert_allclose(max(own), best, rtol=1e-9)


def test_the_bound_holds_all_the_way(monkeypatch):
    # Small parts and slices, so that there is something to see.
    monkeypatch.setattr(best_subsets, "NODES_BEFORE_DIVISION", 2)
    monkeypatch.setattr(best_subsets, "NODES_PER_SLICE", 3)
    monkeypatch.setattr(best_subsets, "MOST_OPEN_PARTS", 4)
    scorer = resolve_measure("aic").bind(table(5, d=12, trouble=False, noise=20.0))
    best = _prove(scorer, _allowed(12))[0].bound()
    proof, bounds = scorer.best_subsets(_allowed(12)), []
    while not proof.done:
        proof.work()
        bounds.append(proof.bound())
    assert len(bounds) > 5
    assert bounds[0] > best
    assert min(bounds) >= best - 1e-9
    assert (np.diff(bounds) <= 1e-9).all()
    assert_allclose(bounds[-1], best, rtol=1e-12)


def test_too_many_columns(monkeypatch):
    monkeypatch.setattr(best_subsets, "MOST_FREE", 5)
    with pytest.raises(InputError, match="at most 5 free features .* but there are 6; exclude"):
        resolve_measure("bic").bind(table()).best_subsets(_allowed(6))


def _hard(monkeypatch):
    """Every proof is a hard one, in small parts."""
    small = {
        "NODES_UNTIL_HARD": 0,
        "NODES_BEFORE_DIVISION": 2,
        "NODES_BEFORE_DIVISION_IF_HARD": 2,
        "NODES_PER_SLICE": 3,
        "MOST_OPEN_PARTS": 4,
    }
    for name, value in small.items():
        monkeypatch.setattr(best_subsets, name, value)


@pytest.mark.parametrize("seed", range(8))
def test_hard_proofs_are_right(monkeypatch, seed):
    _hard(monkeypatch)
    trouble = seed % 2 == 0
    X, y = rows(seed, trouble=trouble, noise=10.0)
    scorer = resolve_measure("bic").bind(table(seed, trouble=trouble, noise=10.0))
    proof, _ = _prove(scorer, _allowed(6))
    masks = [[i >> j & 1 for j in range(6)] for i in range(64)]
    best = max(naive_criteria(X, y, np.flatnonzero(mask))["bic"] for mask in masks)
    assert_allclose(proof.bound(), best, rtol=1e-9)


def test_hard_proofs_with_groups_are_right(monkeypatch):
    _hard(monkeypatch)
    X, y = rows(4, d=8, trouble=False, noise=10.0)
    units = np.array([[1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 0, 0, 0]], dtype=bool)
    units = np.vstack([units, np.eye(8, dtype=bool)[5:]])
    allowed = Allowed(np.zeros(8, dtype=bool), units, np.ones(5), np.inf, 0, 8, False)
    scorer = resolve_measure("aic").bind(table(4, d=8, trouble=False, noise=10.0))
    proof, _ = _prove(scorer, allowed)
    masks = [units[[i >> j & 1 == 1 for j in range(5)]].any(axis=0) for i in range(32)]
    best = max(naive_criteria(X, y, np.flatnonzero(mask))["aic"] for mask in masks)
    assert_allclose(proof.bound(), best, rtol=1e-9)


def test_the_bound_of_a_hard_proof_holds_all_the_way(monkeypatch):
    scorer = resolve_measure("aic").bind(table(5, d=12, trouble=False, noise=20.0))
    best = _prove(scorer, _allowed(12))[0].bound()
    _hard(monkeypatch)
    proof, bounds = scorer.best_subsets(_allowed(12)), []
    while not proof.done:
        proof.work()
        bounds.append(proof.bound())
    assert len(bounds) > 5
    assert min(bounds) >= best - 1e-9
    assert_allclose(bounds[-1], best, rtol=1e-12)


# Matrices of nodes, and parts where columns depend on each other.
def _allowed_below(d=6, fixed=()):
    units = np.eye(d, dtype=bool)[[j for j in range(d) if j not in fixed]]
    mask = np.isin(np.arange(d), fixed)
    return Allowed(mask, units, np.ones(len(units)), np.inf, 0, d)


def _root(allowed):
    return Node(np.zeros(len(allowed.units), dtype=np.int8), np.zeros(6, dtype=bool))


def test_what_dropping_a_column_costs():
    X, y = rows(trouble=False)
    squares, allowed = CrossProducts.of(table(trouble=False), "rss"), _allowed_below(fixed=(2,))
    ready = open_node(squares, allowed, _root(allowed))
    assert isinstance(ready, Ready)
    assert_allclose(ready.rest * squares.total, naive_rss(X, y, range(6)), rtol=1e-9)
    for unit, worth in zip(ready.units, ready.worth, strict=True):
        others = set(range(6)) - {int(np.flatnonzero(allowed.units[unit])[0])}
        raised = naive_rss(X, y, others) - naive_rss(X, y, range(6))
        assert_allclose(worth * squares.total, raised, rtol=1e-7)
    assert (np.diff(ready.worth) <= 0).all()


def test_parts_hold_every_subset_once():
    squares, allowed = CrossProducts.of(table(), "rss"), _allowed_below()
    open_nodes, ready = [_root(allowed)], []
    while open_nodes:
        opened = open_node(squares, allowed, open_nodes.pop())
        if isinstance(opened, Ready):
            ready.append(opened.node)
        else:
            open_nodes += opened
    assert len(ready) > 1
    masks = np.array([[i >> j & 1 for j in range(6)] for i in range(64)], dtype=bool)
    held = sum(
        (masks[:, node.state > 0].all(axis=1) & ~masks[:, node.state < 0].any(axis=1)).astype(int)
        for node in ready
    )
    assert (held == 1).all()


def test_children_divide_the_rest():
    squares, allowed = CrossProducts.of(table(trouble=False), "rss"), _allowed_below()
    ready = open_node(squares, allowed, _root(allowed))
    children = ready.children()
    assert sum(2.0 ** np.sum(child.state == 0) for child in children) == 2**6 - 1
    assert all(child.rest >= ready.rest for child in children)


# What dropping columns costs at least, beside what it costs.
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


# Subsets to start from.
def _offers():
    seen = []
    worth = np.array([1.0, 2.0, 4.0, 8.0])

    def offer(subsets):
        seen.extend(map(tuple, subsets.astype(int)))
        return np.asarray(100.0 - subsets @ worth)

    return seen, offer


def test_both_ways():
    seen, offer = _offers()
    stepwise(4, offer, offer)
    # Forward and backward: none, the best one, two and three, and all.
    assert {(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 1)} <= set(seen)


def test_exchanges_climb():
    seen, offer = _offers()
    exchange(np.array([True, True, False, False]), offer)
    assert (0, 0, 1, 1) in seen
    assert all(sum(row) == 2 for row in seen)


def test_nothing_to_exchange():
    seen, offer = _offers()
    exchange(np.ones(4, dtype=bool), offer)
    assert seen == []
