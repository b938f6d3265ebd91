"""Matrices of nodes, and parts where columns depend on each other."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from fewest.measures._abilities import Allowed
from fewest.measures._regression.best_subsets import Node, Ready, open_node
from fewest.measures._regression.squares import CrossProducts
from tests.measures.regression.cases import rows, table
from tests.naive.least_squares import naive_rss


def _allowed(d=6, fixed=()):
    units = np.eye(d, dtype=bool)[[j for j in range(d) if j not in fixed]]
    mask = np.isin(np.arange(d), fixed)
    return Allowed(mask, units, np.ones(len(units)), np.inf, 0, d)


def _root(allowed):
    return Node(np.zeros(len(allowed.units), dtype=np.int8), np.zeros(6, dtype=bool))


def test_what_dropping_a_column_costs():
    X, y = rows(trouble=False)
    squares, allowed = CrossProducts.of(table(trouble=False), "rss"), _allowed(fixed=(2,))
    ready = open_node(squares, allowed, _root(allowed))
    assert isinstance(ready, Ready)
    assert_allclose(ready.rest * squares.total, naive_rss(X, y, range(6)), rtol=1e-9)
    for unit, worth in zip(ready.units, ready.worth, strict=True):
        others = set(range(6)) - {int(np.flatnonzero(allowed.units[unit])[0])}
        raised = naive_rss(X, y, others) - naive_rss(X, y, range(6))
        assert_allclose(worth * squares.total, raised, rtol=1e-7)
    assert (np.diff(ready.worth) <= 0).all()


def test_parts_hold_every_subset_once():
    squares, allowed = CrossProducts.of(table(), "rss"), _allowed()
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
    squares, allowed = CrossProducts.of(table(trouble=False), "rss"), _allowed()
    ready = open_node(squares, allowed, _root(allowed))
    children = ready.children()
    assert sum(2.0 ** np.sum(child.state == 0) for child in children) == 2**6 - 1
    assert all(child.rest >= ready.rest for child in children)
