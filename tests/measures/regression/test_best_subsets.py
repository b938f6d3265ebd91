"""Proven best subsets against enumeration."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest._errors import InputError
from fewest.measures import resolve_measure
from fewest.measures._abilities import Allowed
from fewest.measures._regression import best_subsets
from tests.measures.regression.cases import rows, table
from tests.naive.least_squares import naive_best, naive_criteria


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
