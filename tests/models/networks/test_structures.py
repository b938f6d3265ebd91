"""Trees, forests, chains, groups, K2, hill climbing and PC against slow twins and by design."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency
from sklearn.metrics import mutual_info_score

from fewest.errors import InputError
from fewest.kernels.counting.bitplanes import (
    configurations,
    fill_configurations,
    joint_counts,
    mask_sizes,
    pack_planes,
    room_for_masks,
)
from fewest.kernels.networks.independence import (
    G_SQUARED,
    PEARSON,
    independence_statistic,
    log_table,
)
from fewest.models.groups import Groups, learn_groups
from fewest.models.networks.graph import Graph
from fewest.models.networks.hill_climbing import learn_by_climbing
from fewest.models.networks.k2 import learn_k2
from fewest.models.networks.network import Network
from fewest.models.networks.pc import learn_pc
from fewest.models.trees import learn_chain, learn_forest, learn_tree
from tests.naive import discrete_models, structures

CARDS = [[2] * 7, [2, 3, 4, 2, 3]]


def tangled(cards, n=90, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in cards], axis=1)
    for i in range(1, len(cards)):
        copied = rng.random(n) < 0.5
        rows[copied, i] = rows[copied, rng.integers(0, i)] % cards[i]
    return rows


def edges(graph):
    return {frozenset(arc) for arc in graph.arcs}


@pytest.mark.parametrize("cards", CARDS)
def test_planes_count(cards):
    rows = tangled(cards)
    planes, offsets, everything = pack_planes(rows.astype(np.uint8), np.array(cards))
    assert mask_sizes(everything[None]).tolist() == [90]
    masks = configurations(planes, offsets, np.array(cards), everything, np.array([0, 1]))
    room = room_for_masks(90, len(everything), max(cards), 2)
    same = fill_configurations(planes, offsets, np.array(cards), everything, np.array([0, 1]), room)
    assert np.array_equal(same, masks)
    counts = joint_counts(masks, planes)
    seen = sorted({tuple(r) for r in rows[:, :2].tolist()})
    expected = sorted(
        [
            int(((rows[:, :2] == case).all(axis=1) & (rows[:, i] == v)).sum())
            for i, r in enumerate(cards)
            for v in range(1, r)
        ]
        for case in seen
    )
    assert sorted(counts.tolist()) == expected


@pytest.mark.parametrize("cards", CARDS)
@pytest.mark.parametrize("seed", range(3))
def test_tree_is_the_heaviest(cards, seed):
    rows = tangled(cards, seed=seed)
    graph = learn_tree(rows, np.array(cards))
    d = len(cards)
    weights = {
        (u, v): mutual_info_score(rows[:, u], rows[:, v]) for u, v in combinations(range(d), 2)
    }
    assert len(graph.arcs) == d - 1
    assert len(graph.order) == d
    total = sum(weights[min(arc), max(arc)] for arc in graph.arcs)
    assert total == pytest.approx(structures.heaviest_forest(weights, d)[0])


@pytest.mark.parametrize("cards", CARDS)
def test_forest_is_the_heaviest_of_the_significant_edges(cards):
    rows = tangled(cards, n=60, seed=5)
    rows[:, 3] = np.random.default_rng(1).integers(0, cards[3], 60)
    d = len(cards)
    weights = {}
    for u, v in combinations(range(d), 2):
        table = np.zeros((cards[u], cards[v]))
        np.add.at(table, (rows[:, u], rows[:, v]), 1)
        found = chi2_contingency(table, correction=False)
        if found.pvalue < 0.01:
            weights[u, v] = found.statistic
    expected = structures.heaviest_forest(weights, d)
    graph = learn_forest(rows, np.array(cards), significance=0.01)
    assert edges(graph) == {frozenset(e) for e in expected[1]}
    assert 0 < len(graph.arcs) < d - 1
    assert len(graph.order) == d


@pytest.mark.parametrize("cards", CARDS)
@pytest.mark.parametrize("seed", range(3))
def test_chain_is_the_slow_twin(cards, seed):
    rows = tangled(cards, seed=seed)
    graph = learn_chain(rows, np.array(cards))
    order = structures.chain(rows.tolist(), len(cards))
    assert list(graph.order) == order
    assert graph.arcs == sorted(zip(order, order[1:], strict=False), key=lambda arc: arc[1])


@pytest.mark.parametrize("cards", CARDS)
def test_groups_are_the_slow_twin(cards):
    rows = tangled(cards, n=200)
    found = learn_groups(rows, np.array(cards))
    assert sorted(found) == structures.groups(rows.tolist(), cards)
    assert max(len(g) for g in found) > 1


def test_groups_sample_their_joint_frequencies():
    rows = np.array([[0, 0, 1], [0, 0, 0], [1, 1, 0], [1, 0, 1]])
    cards = np.array([2, 2, 2])
    model = Groups.learn(((0, 1), (2,)), rows, cards)
    drawn = model.sample(8000, np.random.default_rng(0))
    assert not (drawn[:, :2] == [0, 1]).all(axis=1).any()
    assert (drawn[:, :2] == 0).all(axis=1).mean() == pytest.approx(0.5, abs=0.02)
    every = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).T.reshape(-1, 3)
    assert np.exp(model.log_probability(every)).sum() == pytest.approx(1.0)
    smooth = Groups.learn(((0, 1), (2,)), rows, cards, prior=1.0)
    # (count + 1) / (rows + combinations): (0 + 1) / (4 + 4) x (2 + 1) / (4 + 2)
    assert np.exp(smooth.log_probability(np.array([[0, 1, 1]]))) == pytest.approx([1 / 16])
    share = (smooth.sample(8000, np.random.default_rng(1))[:, :2] == [0, 1]).all(axis=1).mean()
    assert share == pytest.approx(1 / 8, abs=0.015)


@pytest.mark.parametrize("cards", CARDS)
@pytest.mark.parametrize("name", ["k2", "bic"])
def test_k2_is_figure_3_5(cards, name):
    rows = tangled(cards)
    order = np.random.default_rng(1).permutation(len(cards)).tolist()

    def score(child, parents):
        return discrete_models.family_score(rows.tolist(), cards, child, parents, name)

    expected = structures.k2(rows.tolist(), cards, order, 2, score)
    expected = tuple(tuple(sorted(found)) for found in expected)
    assert learn_k2(rows, np.array(cards), order, 2, name).parents == expected
    backwards = learn_k2(rows, np.array(cards), order[::-1], 2, name, parents="later")
    assert backwards.parents == expected


def test_k2_refuses_a_wrong_order():
    with pytest.raises(InputError, match=r"`order` must name each of the 2 variables once"):
        learn_k2(np.zeros((3, 2)), np.array([2, 2]), order=[0, 0])


@pytest.mark.parametrize("cards", CARDS)
@pytest.mark.parametrize("seed", range(3))
def test_climbing_ends_where_no_single_change_helps(cards, seed):
    rows = tangled(cards, seed=seed)
    graph = learn_by_climbing(rows, np.array(cards))
    listed, parents = rows.tolist(), [set(p) for p in graph.parents]
    top = discrete_models.graph_score(listed, cards, graph.parents, "bic")
    for child in range(len(cards)):
        for p in range(len(cards)):
            if p == child:
                continue
            changes = [[*(set(q) for q in parents)] for _ in range(2)]
            if p in parents[child]:
                changes[0][child] = parents[child] - {p}
                changes[1][child] = parents[child] - {p}
                changes[1][p] = parents[p] | {child}
            else:
                changes[0][child] = parents[child] | {p}
            for changed in changes:
                if discrete_models.acyclic(changed):
                    score = discrete_models.graph_score(
                        listed, cards, [tuple(q) for q in changed], "bic"
                    )
                    assert score <= top + 1e-6


def test_climbing_takes_back_a_wrong_arc():
    rows = tangled([2] * 4, n=300)
    rows[:, 3] = np.random.default_rng(9).integers(0, 2, 300)
    start = Graph(((3,), (), (), ()))
    assert (3, 0) not in learn_by_climbing(rows, np.full(4, 2), start=start).arcs


@pytest.mark.parametrize(("kind", "name"), [(G_SQUARED, "g2"), (PEARSON, "chi2")])
@pytest.mark.parametrize("given", [(), (2,), (2, 3)])
def test_independence_statistics(kind, name, given):
    cards = [2, 3, 4, 2, 3]
    rows = tangled(cards, n=50)
    planes, offsets, everything = pack_planes(rows.astype(np.uint8), np.array(cards))
    shared = (planes, offsets, np.array(cards))
    room = room_for_masks(50, len(everything), 4, 2)
    masks = fill_configurations(*shared, everything, np.array(given, dtype=np.int64), room)
    table = np.empty((4, 4), dtype=np.int64)
    found = independence_statistic(*shared, masks, 0, 1, kind, log_table(50), table)
    expected = structures.independence(rows.tolist(), cards, 0, 1, given, name)
    assert found[0] == pytest.approx(expected[0])
    assert found[1] == expected[1]


def test_g_squared_is_pyagrums():
    gum = pytest.importorskip("pyagrum")
    pandas = pytest.importorskip("pandas")
    cards = [2, 3, 2, 2, 3]
    rows = tangled(cards, n=300)
    names = [f"x{i}" for i in range(5)]
    learner = gum.BNLearner(pandas.DataFrame(rows.astype(str), columns=names))
    statistic, p_value = learner.G2("x0", "x1", ["x2"])
    found, freedom = structures.independence(rows.tolist(), cards, 0, 1, (2,), "g2")
    assert found == pytest.approx(statistic)
    assert chi2.sf(found, freedom) == pytest.approx(p_value)


def test_pc_keeps_an_edge_only_where_no_set_separates():
    cards = [2] * 6
    rows = tangled(cards, n=150, seed=4)
    graph = learn_pc(rows, np.array(cards), significance=0.05, max_given=4)
    kept = edges(graph)
    near = {i: {j for j in range(6) if frozenset((i, j)) in kept} for i in range(6)}
    for x, y in combinations(range(6), 2):
        rests = [r for a in (x, y) for k in range(5) for r in combinations(near[a] - {x, y}, k)]
        p_values = [
            chi2.sf(*structures.independence(rows.tolist(), cards, x, y, given, "g2"))
            for given in rests
        ]
        # The sets tested were subsets of earlier, larger neighbourhoods: an edge that is left
        # survived all of those of its final neighbours too.
        if frozenset((x, y)) in kept:
            assert max(p_values) < 0.05


def test_pc_finds_a_known_structure():
    """0 -> 2 <- 1, 2 -> 3: all directions are determined by the independences."""
    rng = np.random.default_rng(3)
    parents = ((), (), (0, 1), (2,))
    tables = [[0.5, 0.5], [0.5, 0.5], [0.9, 0.1, 0.3, 0.7, 0.25, 0.75, 0.05, 0.95],
              [0.9, 0.1, 0.15, 0.85]]  # fmt: skip
    truth = Network(np.full(4, 2), Graph(parents), np.concatenate(tables))
    rows = truth.sample(4000, rng)
    for test in ("g2", "chi2"):
        assert learn_pc(rows, np.full(4, 2), 0.01, test).parents == parents


@pytest.mark.parametrize("seed", range(8))
def test_pc_is_acyclic_on_few_rows(seed):
    rows = tangled([2] * 9, n=25, seed=seed)
    graph = learn_pc(rows, np.full(9, 2), significance=0.3)
    assert len(graph.order) == 9
