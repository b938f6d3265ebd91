"""The kernels of the discrete models against their slow twins, on bare arrays."""

from itertools import combinations

import numpy as np
import pytest

from fewest.kernels.counting.bitplanes import pack_planes, popcount
from fewest.kernels.networks.algorithm_b import algorithm_b
from fewest.kernels.networks.ancestral import (
    count_families,
    count_rows,
    log_families,
    sample_families,
    smooth_families,
)
from fewest.kernels.networks.family import (
    DIRICHLET,
    EQUIVALENT,
    LIKELIHOOD,
    family_score,
    parent_gains,
)
from fewest.kernels.networks.grouping import copy_groups, group_variables
from fewest.kernels.networks.independence import G_SQUARED, next_combination, skeleton
from fewest.kernels.networks.pairs import MUTUAL_INFORMATION, grow_chain, grow_forest
from tests.naive import discrete_models, structures

CARDS = np.array([2, 3, 2, 4, 2])


def some_rows(n=70, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in CARDS], axis=1).astype(np.uint8)
    for i in (1, 2, 4):
        rows[: n // 2, i] = rows[: n // 2, i - 1] % CARDS[i]
    return rows


def test_popcount():
    words = np.random.default_rng(0).integers(0, 2**64, 20, dtype=np.uint64)
    for word in (*words, np.uint64(0), np.uint64(2**64 - 1)):
        assert popcount(word) == bin(int(word)).count("1")


@pytest.mark.parametrize(
    ("kind", "penalty", "name"),
    [(LIKELIHOOD, np.log(70) / 2, "bic"), (DIRICHLET, 0.0, "k2"), (EQUIVALENT, 0.0, "bde")],
)
def test_family_scores(kind, penalty, name):
    rows = some_rows()
    shared = pack_planes(rows, CARDS)
    for child, parents in ((0, []), (1, [2]), (4, [1, 3])):
        args = (shared[0], shared[1], CARDS, shared[2], child)
        args += (np.array(parents, dtype=np.int64), kind, 1.0, penalty)
        expected = discrete_models.family_score(rows.tolist(), CARDS.tolist(), child, parents, name)
        assert family_score(*args) == pytest.approx(expected)
        wider = expected + parent_gains(*args)
        for p in set(range(5)) - {child, *parents}:
            expected = discrete_models.family_score(
                rows.tolist(), CARDS.tolist(), child, [*parents, p], name
            )
            assert wider[p] == pytest.approx(expected)


def test_algorithm_b():
    rows = some_rows()
    parents, number = algorithm_b(rows, CARDS, LIKELIHOOD, 1.0, np.log(70) / 2, 3, 1e9)
    found = [tuple(p[:k].tolist()) for p, k in zip(parents, number, strict=True)]
    assert found == discrete_models.algorithm_b(rows.tolist(), CARDS.tolist(), "bic", 3)


def test_tables_and_samples():
    rows = some_rows()
    weights = np.random.default_rng(1).random(70)
    first, parents = np.array([0, 0, 1, 3, 3, 3]), np.array([0, 1, 0])
    starts = np.cumsum([0, 2, 6, 12, 4, 2])
    counts = count_families(rows, weights, CARDS, first, parents, starts)
    tables = smooth_families(counts, CARDS, starts, 1.0)
    graph = ((), (0,), (1, 0), (), ())
    learned = discrete_models.tables(rows.tolist(), weights, CARDS.tolist(), graph, 1.0)
    logs = log_families(rows, CARDS, first, parents, starts, np.log(tables))
    for row, found in zip(rows.tolist(), logs, strict=True):
        assert np.exp(found) == pytest.approx(discrete_models.probability(row, graph, learned))
    uniform = np.random.default_rng(2).random((50, 5))
    drawn = sample_families(uniform, np.arange(5), CARDS, first, parents, starts, tables)
    for row, draws in zip(drawn.tolist(), uniform, strict=True):
        for i, ps in enumerate(graph):
            cells = learned[i].get(tuple(row[p] for p in ps), [1 / CARDS[i]] * CARDS[i])
            assert row[i] == sum(draws[i] >= c for c in np.cumsum(cells)[:-1])


@pytest.mark.parametrize("n", [3, 70])
def test_counts_by_bits(n):
    # With three rows the larger tables have more cells than there are rows.
    rows = some_rows(n)
    first, parents = np.array([0, 0, 1, 3, 3, 3]), np.array([0, 1, 0])
    starts = np.cumsum([0, 2, 6, 12, 4, 2])
    counts = count_rows(rows, CARDS, first, parents, starts)
    expected = np.zeros(26)
    for row in rows.tolist():
        for i, ps in enumerate(((), (0,), (1, 0), (), ())):
            case = 0
            for p in ps:
                case = case * CARDS[p] + row[p]
            expected[starts[i] + case * CARDS[i] + row[i]] += 1
    assert counts.tolist() == expected.tolist()


def test_groups_are_copied_from_the_rows_picked():
    rows = some_rows(6)
    picks, group = np.array([[5, 0, 2], [1, 1, 4]]), np.array([0, 1, 0, 1, 1])
    drawn = copy_groups(rows, picks, group)
    for t, i in np.ndindex(3, 5):
        assert drawn[t, i] == rows[picks[group[i], t], i]


def test_tree_chain_and_groups():
    rows = some_rows()
    listed, d = rows.tolist(), len(CARDS)
    weights = {(u, v): structures.information(listed, u, v) for u, v in combinations(range(d), 2)}
    parents = grow_forest(rows, CARDS, MUTUAL_INFORMATION, np.full(10, -np.inf))
    total = sum(weights[min(v, p), max(v, p)] for v, p in enumerate(parents) if p >= 0)
    assert total == pytest.approx(structures.heaviest_forest(weights, d)[0])
    assert grow_chain(rows, CARDS).tolist() == structures.chain(listed, d)
    number = group_variables(rows, CARDS)
    found = sorted(tuple(np.flatnonzero(number == g).tolist()) for g in np.unique(number))
    assert found == structures.groups(listed, CARDS.tolist())


def test_skeleton_at_level_zero_is_pairwise_tests():
    rows = some_rows()
    critical = np.full(20, 9.0)
    edges, _, number = skeleton(rows, CARDS, critical, G_SQUARED, 0)
    for x, y in combinations(range(5), 2):
        statistic, _ = structures.independence(rows.tolist(), CARDS.tolist(), x, y, (), "g2")
        assert edges[x, y] == edges[y, x] == (statistic > 9.0)
        assert number[x, y] == (-1 if edges[x, y] else 0)


def test_combinations_in_order():
    chosen = np.arange(3)
    seen = [tuple(chosen.tolist())]
    while next_combination(chosen, 5):
        seen.append(tuple(chosen.tolist()))
    assert seen == list(combinations(range(5), 3))
