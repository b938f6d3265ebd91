"""Kernels of networks: families, caches, climbs, orders, draws."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import chi2

from fewest._kernels.counting.bitplanes import (
    fill_configurations,
    pack_planes,
    popcount,
    room_for_masks,
)
from fewest._kernels.networks.draws import (
    count_families,
    importance_samples,
    log_families,
    logic_samples,
    sample_families,
    smooth_families,
)
from fewest._kernels.networks.families import (
    DIRICHLET,
    EQUIVALENT,
    LIKELIHOOD,
    algorithm_b,
    family_score,
)
from fewest._kernels.networks.family_cache import (
    DELETE,
    anneal_graph,
    best_change,
    can_turn,
    cases_of_rows,
    climb_graph,
    find_ancestors,
    first_best,
    graph_scores,
    kick_graph,
    members,
    new_climb,
    renew_ancestors,
    row_gains,
    start_climb,
)
from fewest._kernels.networks.independence import (
    G_SQUARED,
    PEARSON,
    independence_statistic,
    log_table,
    next_combination,
    skeleton,
)
from fewest._kernels.networks.orders import (
    add_arcs,
    arcs_over_orders,
    best_place,
    climb_order,
    climb_orders,
    known_families,
    log_add,
    move,
    random_order,
    settle,
    sum_inside,
    sum_subsets,
    walk_orders,
)
from fewest._kernels.networks.pairs import (
    MUTUAL_INFORMATION,
    copy_groups,
    group_variables,
    grow_chain,
    grow_forest,
)
from fewest._models import family_scores
from fewest._models.family_scores import FamilyScores, graph_of_bits
from fewest._models.structure_search import Walk, climb_families
from fewest.networks._bif import load_network
from fewest.networks._inference.sampling import SampleTally
from tests.discrete_rows import tangled
from tests.naive import annealing, discrete_models, structures, weighted_samples
from tests.naive import discrete_models as naive
from tests.naive.orders import arcs_by_orders
from tests.naive.tabu import changes, kick, tabu

# Scores of families over rows that depend on each other.
#: Number of values of each variable.
CARDS = [2, 3, 2, 4, 2]


def some_families(seed=0, score="bic"):
    rows = tangled(CARDS, 60, seed)
    return rows.tolist(), FamilyScores(rows, np.array(CARDS), score=score)


# Rows in which some variables copy their neighbours.
#: Number of values of each variable.
SIZES = np.array(CARDS)


def some_rows(n=70, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in SIZES], axis=1).astype(np.uint8)
    for i in (1, 2, 4):
        rows[: n // 2, i] = rows[: n // 2, i - 1] % SIZES[i]
    return rows


# Trees, chains and groups from pairs.
def test_tree_chain_and_groups():
    rows = some_rows()
    listed, d = rows.tolist(), len(SIZES)
    weights = {(u, v): structures.information(listed, u, v) for u, v in combinations(range(d), 2)}
    parents = grow_forest(rows, SIZES, MUTUAL_INFORMATION, np.full(10, -np.inf))
    total = sum(weights[min(v, p), max(v, p)] for v, p in enumerate(parents) if p >= 0)
    assert total == pytest.approx(structures.heaviest_forest(weights, d)[0])
    assert grow_chain(rows, SIZES).tolist() == structures.chain(listed, d)
    number = group_variables(rows, SIZES)
    found = sorted(tuple(np.flatnonzero(number == g).tolist()) for g in np.unique(number))
    assert found == structures.groups(listed, SIZES.tolist())


# Groups of variables.
def test_groups_are_copied_from_the_rows_picked():
    rows = some_rows(6)
    picks, group = np.array([[5, 0, 2], [1, 1, 4]]), np.array([0, 1, 0, 1, 1])
    drawn = copy_groups(rows, picks, group)
    for t, i in np.ndindex(3, 5):
        assert drawn[t, i] == rows[picks[group[i], t], i]


# Statistics of independence tests by hand, and by pyAgrum.
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


# The kernels of the discrete models against their slow twins, on bare arrays.
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
    shared = pack_planes(rows, SIZES)
    for child, parents in ((0, []), (1, [2]), (4, [1, 3])):
        args = (shared[0], shared[1], SIZES, shared[2], child)
        args += (np.array(parents, dtype=np.int64), kind, 1.0, penalty)
        expected = discrete_models.family_score(rows.tolist(), SIZES.tolist(), child, parents, name)
        assert family_score(*args) == pytest.approx(expected)


def test_skeleton_at_level_zero_is_pairwise_tests():
    rows = some_rows()
    critical = np.full(20, 9.0)
    edges, _, number = skeleton(rows, SIZES, critical, G_SQUARED, 0)
    for x, y in combinations(range(5), 2):
        statistic, _ = structures.independence(rows.tolist(), SIZES.tolist(), x, y, (), "g2")
        assert edges[x, y] == edges[y, x] == (statistic > 9.0)
        assert number[x, y] == (-1 if edges[x, y] else 0)


def test_combinations_in_order():
    chosen = np.arange(3)
    seen = [tuple(chosen.tolist())]
    while next_combination(chosen, 5):
        seen.append(tuple(chosen.tolist()))
    assert seen == list(combinations(range(5), 3))


# Families from the cache against the formulas, counted by bits and row by row.
def summed_rows(n=60, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in CARDS], axis=1)
    rows[: n // 2, 2] = rows[: n // 2, 0]
    return rows


@pytest.mark.parametrize("name", ["k2", "bic", "bdeu"])
@pytest.mark.parametrize("parents", [(), (1,), (0, 3), (0, 1, 3)])
def test_scores_and_gains_are_the_formulas(name, parents):
    rows = summed_rows()
    families = FamilyScores(rows, np.array(CARDS), score=name)
    slow = "bde" if name == "bdeu" else name

    def score(given):
        return naive.family_score(rows.tolist(), CARDS, 2, given, slow)

    assert families.score(2, parents) == pytest.approx(score(parents))
    gains = families.gains(2, parents)
    for j in range(5):
        if j == 2 or j in parents:
            assert gains[j] == -np.inf
        else:
            assert gains[j] == pytest.approx(score([*parents, j]) - score(parents))


def test_gains_are_counted_when_they_are_wanted():
    families = FamilyScores(summed_rows(), np.array(CARDS))
    score = families.score(2, [0])
    assert not families.cache.judged.any()
    gains = families.gains(2, [0])
    assert len(families) == families.cache.judged.sum() == 1
    assert families.score(2, [0]) == score
    ranks = families.cache.ranks[0]
    assert (np.diff(gains[ranks[:3]]) <= 0).all()


@pytest.mark.parametrize("name", ["k2", "bic", "bdeu"])
def test_counting_by_rows_is_counting_by_bits(name):
    families = FamilyScores(summed_rows(), np.array(CARDS), score=name)
    parents = np.array([0, 4])
    gains = np.empty(5)
    now = row_gains(families.cache, 1, parents, 4.0, gains)
    assert now == pytest.approx(families.score(1, [0, 4]))
    free = [2, 3]
    assert gains[free] == pytest.approx(families.gains(1, [0, 4])[free])


def test_cases_of_rows_number_the_observed_configurations():
    columns = np.array([[0, 1, 0, 1], [2, 2, 2, 0]], dtype=np.uint8)
    cases, number = cases_of_rows(columns, np.array([2, 3]), np.array([0, 1]))
    assert cases.tolist() == [0, 1, 0, 2]
    assert number == 3


def test_members_of_sets_of_more_than_a_word():
    bits = np.array([1 << 5, 1 << 6], dtype=np.uint64)
    assert members(bits, 100).tolist() == [5, 70]


def test_graphs_are_scored_until_the_cache_is_full():
    rows = summed_rows()
    families = FamilyScores(rows, np.array(CARDS))
    graphs = np.zeros((2, 5, 1), dtype=np.uint64)
    graphs[1, 2] = 0b11
    scores = np.zeros(2)
    assert graph_scores(families.cache, graphs, 0, scores) == 2
    expected = naive.graph_score(rows.tolist(), CARDS, [(), (), (0, 1), (), ()], "bic")
    assert scores[1] == pytest.approx(expected)
    families.cache.count[0] = len(families.cache.scores)
    graphs[1, 3] = 0b111
    assert graph_scores(families.cache, graphs, 0, scores) == 1


# Algorithm B against its slow twin.
def test_algorithm_b():
    rows = some_rows()
    parents, number = algorithm_b(rows, SIZES, LIKELIHOOD, 1.0, np.log(70) / 2, 3, 1e9)
    found = [tuple(p[:k].tolist()) for p, k in zip(parents, number, strict=True)]
    assert found == discrete_models.algorithm_b(rows.tolist(), SIZES.tolist(), "bic", 3)


# Single changes of a graph against all changes, scored anew.
def at(families, parents):
    """Where a climb stands at a graph."""
    climb = new_climb(np.stack([families.bits(sorted(p)) for p in parents]))
    assert start_climb(families.cache, climb, 5, 0)
    return climb


def random_graph(seed, most):
    """Parents of each variable among those before it in a random order."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(5).tolist()
    parents = [() for _ in order]
    for place, child in enumerate(order):
        number = min(int(rng.integers(0, most + 1)), place)
        parents[child] = tuple(rng.permutation(order[:place])[:number].tolist())
    return parents


@pytest.mark.parametrize("most", [1, 2, 4])
@pytest.mark.parametrize("seed", range(12))
def test_the_best_change_is_the_best_of_all(seed, most):
    rows, families = some_families(seed)
    parents = random_graph(seed, most)

    def score(graph):
        return discrete_models.graph_score(rows, CARDS, [tuple(sorted(p)) for p in graph], "bic")

    now = [set(p) for p in parents]
    gains = {key: [] for _, _, key in changes(now, most)}
    for graph, _, key in changes(now, most):
        gains[key].append(score(graph) - score(now))
    _, child, parent, gain = best_change(families.cache, at(families, parents), most, 0, np.inf)
    assert gain == pytest.approx(max(max(g) for g in gains.values()))
    assert max(gains[child, parent]) == pytest.approx(gain)


def test_no_variable_gets_too_many_parents_by_a_reversal():
    rows = np.random.default_rng(0).integers(0, 2, (80, 3))
    rows[:, 1] = rows[:, 0] ^ rows[:, 2]
    families = FamilyScores(rows, np.full(3, 2), score="bic")
    climb = at(families, [(), (0,), (1,)])
    # Reversing 1 -> 2 would explain the exclusive or, but with two parents.
    what, _, _, gain = best_change(families.cache, climb, 1, 0, np.inf)
    assert what == DELETE
    assert gain < 3


def test_ancestors_and_cycles():
    parents = np.array([[0], [0b001], [0b010], [0b100]], np.uint64)
    above = np.zeros_like(parents)
    assert find_ancestors(parents, above)
    assert above[:, 0].tolist() == [0, 0b001, 0b011, 0b111]
    parents[0] = 0b1000
    assert not find_ancestors(parents, above)


def test_an_arc_can_be_reversed_where_no_other_way_leads_along_it():
    _, families = some_families()
    climb = at(families, [(), (0,), (0, 1), (), ()])
    assert not can_turn(climb, 2, 0)
    assert can_turn(climb, 2, 1)
    assert can_turn(climb, 1, 0)


@pytest.mark.parametrize(
    ("tenure", "patience", "loss"), [(0, 0, np.inf), (3, 6, np.inf), (2, 8, 0.0)]
)
def test_a_climb_is_the_naive_one(tenure, patience, loss):
    rows, families = some_families(3)

    def score(graph):
        return discrete_models.graph_score(rows, CARDS, [tuple(sorted(p)) for p in graph], "bic")

    climb = at(families, [()] * 5)
    start_climb(families.cache, climb, 5, tenure)
    best = climb.parents.copy()
    fits, ended = climb_graph(families.cache, climb, 5, tenure, patience, loss, 1000, best)
    assert fits
    assert ended
    found = graph_of_bits(best)
    top = climb.scores[1]
    assert score(found.parents) == pytest.approx(top)
    if patience:
        assert top == pytest.approx(tabu(5, 5, tenure, patience, score, loss)[0])
    else:
        around = changes([set(p) for p in found.parents], 5)
        assert all(score(graph) <= top + 1e-9 for graph, _, _ in around)


def test_a_climb_in_parts_is_the_whole_climb():
    _, families = some_families(1)
    whole, parts = at(families, [()] * 5), at(families, [()] * 5)
    best, other = whole.parents.copy(), parts.parents.copy()
    climb_graph(families.cache, whole, 5, 2, 6, np.inf, 1000, best)
    while not climb_graph(families.cache, parts, 5, 2, 6, np.inf, 1, other)[1]:
        pass
    np.testing.assert_array_equal(best, other)
    np.testing.assert_array_equal(whole.parents, parts.parents)
    assert whole.steps.tolist() == parts.steps.tolist()


@pytest.mark.parametrize("seed", range(8))
def test_a_kick_is_the_naive_one(seed):
    _, families = some_families()
    parents = random_graph(seed, 3)
    climb = at(families, parents)
    uniform = np.random.default_rng(seed).random((6, 3))
    kick_graph(climb.parents, climb.above, 3, uniform)
    found = [set(own) for own in graph_of_bits(climb.parents).parents]
    assert found == kick(parents, 3, uniform.tolist())
    again = np.zeros_like(climb.above)
    assert find_ancestors(climb.parents, again)
    np.testing.assert_array_equal(climb.above, again)


@pytest.mark.parametrize("seed", range(8))
def test_renewed_ancestors_are_those_of_the_changed_graph(seed):
    _, families = some_families()
    climb = at(families, random_graph(seed, 3))
    child = max(range(5), key=lambda i: len(graph_of_bits(climb.parents).parents[i]))
    climb.parents[child] = 0
    renew_ancestors(climb, child, child)
    whole = np.zeros_like(climb.above)
    find_ancestors(climb.parents, whole)
    np.testing.assert_array_equal(climb.above, whole)


# Annealing on a cache against annealing that scores every graph anew.
@pytest.mark.parametrize("temperature", [1e-3, 3.0])
@pytest.mark.parametrize("most", [1, 4])
def test_the_best_graph_is_the_naive_one(most, temperature):
    rows, families = some_families()
    uniform = np.random.default_rng(most).random((300, 4))
    temperatures = np.full(300, temperature)
    bits = np.zeros((5, 1), np.uint64)
    climb = new_climb(bits)
    assert start_climb(families.cache, climb, most, 0)
    best = bits.copy()
    done = anneal_graph(families.cache, climb, most, uniform, temperatures, 0, best)
    assert done == 300

    def score(graph):
        return discrete_models.graph_score(rows, CARDS, [tuple(sorted(p)) for p in graph], "bic")

    value, graph = annealing.anneal(5, most, uniform.tolist(), temperatures.tolist(), score)
    assert climb.scores[1] == pytest.approx(value)
    assert [set(p) for p in graph_of_bits(best).parents] == graph


# K2 of many orderings at once against one after the other.
@pytest.mark.parametrize("most", [1, 2, 4])
@pytest.mark.parametrize("name", ["k2", "bic"])
def test_orders_are_those_of_the_listing(monkeypatch, name, most):
    # So little room that the kernel stops and goes on.
    monkeypatch.setattr(family_scores, "FIRST_ROOM", 8)
    rows, families = some_families(score=name)
    orders = np.array([np.random.default_rng(i).permutation(5) for i in range(6)])
    graphs, scores = families.k2(orders, max_parents=most)

    def score(child, parents):
        return discrete_models.family_score(rows, CARDS, child, parents, name)

    for order, graph, value in zip(orders.tolist(), graphs, scores, strict=True):
        expected = structures.k2(rows, CARDS, order, most, score)
        assert graph.parents == tuple(tuple(sorted(p)) for p in expected)
        assert value == pytest.approx(sum(score(i, p) for i, p in enumerate(expected)))


def test_of_equal_gains_the_first_of_the_ordering_counts():
    gains = np.array([1.0, 2.0, 2.0 + 1e-12, -1.0])
    assert first_best(gains, np.array([2, 1, 0, 3]), 4) == 2
    assert first_best(gains, np.array([1, 2, 0, 3]), 4) == 1
    # Only those that stand before are asked, and none that costs.
    assert first_best(gains, np.array([3, 1, 0, 2]), 1) == -1
    assert first_best(gains, np.array([1, 2, 0, 3]), 0) == -1


# Sums over orderings against all orderings, one by one.
def some_weights(d=4, seed=0):
    """Logarithms of weights of each child (row) with each mask of parents."""
    rng = np.random.default_rng(seed)
    table = rng.normal(0, 3, (d, 1 << d))
    for x in range(d):
        table[x, (np.arange(1 << d) >> x) & 1 == 1] = -np.inf
    return table


def listed(table):
    """The same weights as candidates, sets and weights, the largest first."""
    d = len(table)
    candidates = np.tile(np.arange(d), (d, 1))
    sets, weights, starts = [], [], [0]
    for own in table:
        order = [m for m in np.argsort(-own, kind="stable") if np.isfinite(own[m])]
        sets += order
        weights += own[order].tolist()
        starts.append(len(sets))
    return candidates, np.array(sets), np.array(weights), np.array(starts)


def test_logarithms_are_added():
    assert log_add(0.0, np.log(2.0)) == pytest.approx(np.log(3.0))
    assert log_add(-np.inf, 1.0) == 1.0
    assert log_add(-np.inf, -np.inf) == -np.inf


@pytest.mark.parametrize("seed", range(3))
def test_all_orderings(seed):
    table = some_weights(seed=seed)
    expected = arcs_by_orders(table.tolist())
    sums, arcs = table.copy(), np.zeros((4, 4))
    for own in sums:
        sum_subsets(own)
    assert sums[0, -2] == pytest.approx(np.logaddexp.reduce(table[0]))
    arcs_over_orders(sums, arcs)
    assert arcs == pytest.approx(np.array(expected), abs=1e-12)


def test_a_long_walk_comes_to_the_sum_over_all_orderings():
    table = some_weights(seed=1) / 2
    facts = listed(table)
    order, logs, arcs = np.arange(4), np.zeros(40_000), np.zeros((4, 4))
    walk_orders(order, *facts, np.random.default_rng(0).random((160_000, 4)), 4, logs, arcs)
    assert sorted(order) == [0, 1, 2, 3]
    assert arcs / 40_000 == pytest.approx(np.array(arcs_by_orders(table.tolist())), abs=0.02)
    assert np.isfinite(logs).all()


def test_arcs_of_one_ordering():
    table = some_weights()
    facts = listed(table)
    places = np.array([2, 0, 3, 1])
    inside = [0b1010, 0b0000, 0b1011, 0b0010]
    own = np.array([sum_inside(m, *facts[1:3], *facts[3][x : x + 2]) for x, m in enumerate(inside)])
    arcs = np.zeros((4, 4))
    add_arcs(places, own, *facts, arcs)
    weights = np.exp(table[0, [0, 0b0010, 0b1000, 0b1010]])
    assert arcs[1, 0] == pytest.approx((weights[1] + weights[3]) / weights.sum())
    assert arcs[0, 1] == 0
    assert (arcs[:, 1] == 0).all()


@pytest.mark.parametrize(("i", "j"), [(0, 3), (3, 0), (1, 2), (2, 2)])
def test_a_variable_moves_to_another_place(i, j):
    order, places = np.array([4, 2, 0, 1, 3]), np.array([2, 3, 1, 4, 0])
    expected = order.tolist()
    expected.insert(j, expected.pop(i))
    move(order, places, i, j)
    assert order.tolist() == expected
    assert order[places].tolist() == [0, 1, 2, 3, 4]


# Tables and samples of networks.
def test_tables_and_samples():
    rows = some_rows()
    weights = np.random.default_rng(1).random(70)
    first, parents = np.array([0, 0, 1, 3, 3, 3]), np.array([0, 1, 0])
    starts = np.cumsum([0, 2, 6, 12, 4, 2])
    tables = np.zeros(26)
    count_families(rows, weights, SIZES, first, parents, starts, tables)
    smooth_families(tables, SIZES, starts, 1.0)
    graph = ((), (0,), (1, 0), (), ())
    learned = discrete_models.tables(rows.tolist(), weights, SIZES.tolist(), graph, 1.0)
    logs = log_families(rows, SIZES, first, parents, starts, np.log(tables))
    for row, found in zip(rows.tolist(), logs, strict=True):
        assert np.exp(found) == pytest.approx(discrete_models.probability(row, graph, learned))
    uniform = np.random.default_rng(2).random((50, 5))
    drawn = sample_families(uniform, np.arange(5), SIZES, first, parents, starts, tables)
    for row, draws in zip(drawn.tolist(), uniform, strict=True):
        for i, ps in enumerate(graph):
            cells = learned[i].get(tuple(row[p] for p in ps), [1 / SIZES[i]] * SIZES[i])
            assert row[i] == sum(draws[i] >= c for c in np.cumsum(cells)[:-1])


# Weighted samples against a slow twin on the same random numbers.
def as_dictionaries(network, flat):
    tables, starts = {}, network.network.places[2]
    for i, parents in enumerate(network.graph.parents):
        shape = [int(network.cardinalities[p]) for p in parents]
        rows = flat[starts[i] : starts[i + 1]].reshape(-1, int(network.cardinalities[i]))
        tables[i] = {case: rows[k].tolist() for k, case in enumerate(np.ndindex(*shape))}
    return tables


@pytest.fixture
def case():
    network = load_network("asia")
    evidence = network.evidence({"xray": "yes", "bronc": "no"})
    uniform = np.random.default_rng(0).random((60, 8))
    known = {i: int(v) for i, v in enumerate(evidence) if v >= 0}
    return network, evidence, known, uniform


def compare(tally, slow, network):
    weights = np.array([w for _, w in slow])
    assert tally.totals == pytest.approx([weights.sum(), (weights**2).sum(), (weights > 0).sum()])
    for i, r in enumerate(network.cardinalities):
        expected = [sum(w for values, w in slow if values[i] == k) for k in range(r)]
        found = tally.marginals[:, tally.places[i] : tally.places[i + 1]]
        squares = [sum(w**2 for values, w in slow if values[i] == k) for k in range(r)]
        assert found == pytest.approx(np.array([expected, squares]))


def test_importance_samples(case):
    network, evidence, known, uniform = case
    tally = SampleTally(network, evidence)
    proposal = 0.5 * tally.true + 0.25
    cells = np.zeros_like(tally.true)
    importance_samples(
        uniform, tally.order, *tally.layout, tally.true, proposal, evidence, tally.places,
        tally.marginals, cells, tally.totals,
    )  # fmt: skip
    slow = weighted_samples.importance(
        uniform, network.graph.order, network.graph.parents,
        as_dictionaries(network, tally.true), as_dictionaries(network, proposal), known,
    )  # fmt: skip
    compare(tally, slow, network)
    counted = as_dictionaries(network, cells)
    child = network.position("dysp")
    for values, _ in slow[:5]:
        row = tuple(values[p] for p in network.graph.parents[child])
        met = sum(
            w
            for v, w in slow
            if tuple(v[p] for p in network.graph.parents[child]) == row
            and v[child] == values[child]
        )
        assert counted[child][row][values[child]] == pytest.approx(met)


def test_logic_samples(case):
    network, evidence, known, uniform = case
    tally = SampleTally(network, evidence)
    logic_samples(
        uniform, tally.order, *tally.layout, tally.true, evidence, tally.places, tally.marginals,
        tally.totals,
    )  # fmt: skip
    slow = weighted_samples.rejection(
        uniform, network.graph.order, network.graph.parents,
        as_dictionaries(network, tally.true), known,
    )  # fmt: skip
    compare(tally, slow, network)


# Orderings of the families that are known.
def _climbed(seed=0, most=3):
    cards = np.array([2, 3, 2, 3, 2, 2, 3, 2])
    families = FamilyScores(tangled(cards, seed=seed), cards)
    walk = Walk(families, max_parents=most, tenure=3, patience=5)
    walk.climb()
    return families, walk


def _sets(known, x):
    rows = range(known.starts[x], known.starts[x + 1])
    return [(frozenset(np.flatnonzero(_bits(known.sets[k]))), known.scores[k]) for k in rows]


def _bits(words):
    return np.unpackbits(words.view(np.uint8), bitorder="little")


@pytest.mark.parametrize("most", [1, 3])
def test_known_families_are_those_of_the_cache_that_no_subset_beats(most):
    families, _ = _climbed()
    cache, d = families.cache, len(families.cardinalities)
    known = known_families(cache, most)
    for x in range(d):
        every = {}
        for node in range(cache.count[0]):
            own = frozenset(np.flatnonzero(_bits(cache.parents[node])))
            if cache.children[node] == x:
                every[own] = cache.scores[node]
                for p in range(d) if cache.judged[node] else ():
                    if cache.gains[node, p] > 1e-9:
                        every[own | {p}] = cache.scores[node] + cache.gains[node, p]
        every = {own: score for own, score in every.items() if len(own) <= most}
        kept = {own for own, score in every.items()
                if not any(less < own and every[less] >= score for less in every)}  # fmt: skip
        found = _sets(known, x)
        assert set(np.flatnonzero(_bits(known.unions[x]))) == set().union(*kept)
        assert {own for own, _ in found} == kept
        assert (np.diff([score for _, score in found]) <= 0).all()
        for own, score in found:
            assert (
                score == pytest.approx(every[own]) == pytest.approx(families.score(x, sorted(own)))
            )


def _by_definition(known, order):
    total = 0.0
    for k, x in enumerate(order):
        total += max(score for own, score in _sets(known, x) if own <= set(order[:k].tolist()))
    return total


def test_the_best_place_is_that_of_all_places():
    families, _ = _climbed()
    known, d = known_families(families.cache, 3), len(families.cardinalities)
    rng, moved = np.random.default_rng(0), 0
    for _ in range(20):
        order, own = rng.permutation(d), np.empty(d, dtype=np.int64)
        total = settle(known, order, own)
        assert total == pytest.approx(_by_definition(known, order))
        for i in range(d):
            place, gain = best_place(known, order, own, i)
            rest = np.delete(order, i)
            values = [_by_definition(known, np.insert(rest, j, order[i])) for j in range(d)]
            if place == i:
                assert max(values) < total + 1e-6
            else:
                assert values[place] == pytest.approx(max(values)) == total + gain
                moved += 1
    assert moved > 20


def test_climbs_over_orderings_come_to_the_best_of_all_orderings():
    cards = np.array([2, 3, 2, 3, 2, 2])
    families = FamilyScores(tangled(cards, seed=1), cards)
    climb_families(families, tenure=3, patience=20)
    known = known_families(families.cache, 6)
    best = max(_by_definition(known, np.array(order)) for order in permutations(range(6)))
    own = np.empty(6, dtype=np.int64)
    first = climb_order(known, np.arange(6)[::-1].copy(), own)
    found = climb_orders(known, own, np.random.default_rng(0).random((40, 12)))
    assert first <= found == pytest.approx(best)
    graph = graph_of_bits(known.sets[own])
    assert len(graph.order) == 6
    assert families.of(graph) == pytest.approx(found)


def test_a_random_order_agrees_with_the_families():
    families, walk = _climbed()
    known, d = known_families(families.cache, 3), len(families.cardinalities)
    own, order = np.empty(d, dtype=np.int64), np.empty(d, dtype=np.int64)
    settle(known, np.array(walk.best.order), own)
    graph, seen = graph_of_bits(known.sets[own]), set()
    for uniform in np.random.default_rng(0).random((50, d)):
        random_order(known, own, uniform, order)
        places = np.argsort(order)
        assert sorted(order) == list(range(d))
        assert all(places[p] < places[i] for p, i in graph.arcs)
        seen.add(tuple(order.tolist()))
    assert len(seen) > 10
