"""Networks as objects: graphs, arcs, files, names, comparison, averaging."""

from __future__ import annotations

import gzip
import itertools
from itertools import chain, combinations

import networkx
import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models import graph as arc_matrix
from fewest._models.family_scores import FamilyScores
from fewest._models.graph import Graph, Network, graph_of, is_acyclic, matrix_of, repaired
from fewest._models.parent_sets import all_family_scores
from fewest._models.structure_search import climb_families
from fewest.networks import _averaging as averaging
from fewest.networks._averaging import arc_posteriors, arcs_of_orders, exact_arcs, sampled_arcs
from fewest.networks._bif import (
    bif_text,
    load_network,
    network_files,
    read_bif,
    sample_dataset,
    write_bif,
)
from fewest.networks._inference.junction_tree import (
    from_networkx,
    from_pyagrum,
    to_networkx,
    to_pyagrum,
)
from fewest.networks._named import NamedNetwork
from fewest.networks._network_facts import (
    compare_graphs,
    divergence,
    essential_arcs,
    sampled_divergence,
)
from tests.discrete_rows import tangled
from tests.naive import discrete_models as naive
from tests.naive.discrete_models import acyclic
from tests.naive.equivalence import class_of, essential
from tests.naive.every_graph import every_graph
from tests.naive.orders import arcs_by_orders


# Orders, ancestors and u-separation.
def random_graph(d, seed):
    rng = np.random.default_rng(seed)
    names = rng.permutation(d)
    parents = [()] * d
    for k, i in enumerate(names):
        parents[i] = tuple(int(p) for p in names[:k] if rng.random() < 0.4)
    return tuple(parents)


@pytest.mark.parametrize("seed", range(6))
def test_order_puts_parents_first(seed):
    graph = Graph(random_graph(7, seed))
    place = {i: k for k, i in enumerate(graph.order)}
    assert sorted(graph.order) == list(range(7))
    assert all(place[p] < place[i] for p, i in graph.arcs)


@pytest.mark.parametrize("seed", range(6))
def test_u_separation_is_d_separation(seed):
    parents = random_graph(5, seed)
    graph = Graph(parents)
    for a, b in combinations(range(5), 2):
        rest = [i for i in range(5) if i not in (a, b)]
        for given in chain.from_iterable(combinations(rest, k) for k in range(4)):
            expected = naive.separated(parents, {a}, {b}, set(given))
            assert graph.separated({a}, {b}, given) == expected, (parents, a, b, given)


def test_a_cycle_has_no_order():
    with pytest.raises(InputError, match="without directed cycles"):
        _ = Graph(((1,), (0,))).order


# Graphs as matrices: to and fro, cycles, repair.
def test_a_matrix_and_back():
    graph = Graph(((), (0,), (0, 1), (1,)))
    assert graph_of(matrix_of(graph)) == graph
    assert graph_of(np.zeros((3, 3))) == Graph.empty(3)


@pytest.mark.parametrize("seed", range(30))
def test_cycles_are_found_as_by_the_naive_way(seed):
    arcs = np.random.default_rng(seed).random((5, 5)) < 0.25
    np.fill_diagonal(arcs, False)
    parents = [set(np.flatnonzero(column).tolist()) for column in arcs.T]
    assert is_acyclic(arcs) == acyclic(parents)


def test_repair_keeps_what_is_legal():
    rng = np.random.default_rng(0)
    for _ in range(50):
        arcs = rng.random((6, 6)) < 0.4
        graph = repaired(arcs, 2, rng)
        assert len(graph.order) == 6
        assert max(len(p) for p in graph.parents) <= 2
        assert not (matrix_of(graph) & ~arcs).any()
        again = repaired(matrix_of(graph), 2, rng)
        np.testing.assert_array_equal(matrix_of(again), matrix_of(graph))


def test_random_graphs_are_legal_and_differ():
    rng = np.random.default_rng(0)
    drawn = {arc_matrix.random_graph(5, 1, rng, 0.5) for _ in range(20)}
    assert len(drawn) > 10
    assert all(max(len(p) for p in graph.parents) <= 1 for graph in drawn)


# Tables, probabilities and samples of a network.
CARDS = np.array([2, 3, 2])
PARENTS = ((1,), (), (1, 0))


def some_rows(n=50):
    rng = np.random.default_rng(2)
    return np.stack([rng.integers(0, r, n) for r in CARDS], axis=1)


def all_rows(cards):
    return np.array(list(itertools.product(*(range(r) for r in cards))))


@pytest.mark.parametrize("prior", [1.0, 0.5])
def test_tables_are_smoothed_weighted_frequencies(prior):
    rows = some_rows()
    weights = np.random.default_rng(0).random(50)
    net = Network.learn(Graph(PARENTS), rows, CARDS, weights, prior)
    expected = naive.tables(rows.tolist(), weights.tolist(), CARDS.tolist(), PARENTS, prior)
    for i, parents in enumerate(PARENTS):
        for case, cells in expected[i].items():
            at = 0
            for p, level in zip(parents, case, strict=True):
                at = at * CARDS[p] + level
            assert net.tables[i][at] == pytest.approx(cells)


def test_network_probabilities_are_products_and_sum_to_one():
    rows = some_rows()
    net = Network.learn(Graph(PARENTS), rows, CARDS)
    learned = naive.tables(rows.tolist(), [1.0] * 50, CARDS.tolist(), PARENTS, 1.0)
    every = all_rows(CARDS)
    found = np.exp(net.log_probability(every))
    assert found.sum() == pytest.approx(1.0)
    for row, p in zip(every.tolist(), found, strict=True):
        assert p == pytest.approx(naive.probability(row, PARENTS, learned))


def test_samples_follow_the_probabilities():
    model = Network.learn(Graph(PARENTS), some_rows(), CARDS)
    n = 20_000
    drawn = model.sample(n, np.random.default_rng(5))
    every = all_rows(CARDS)
    expected = n * np.exp(model.log_probability(every))
    observed = [(drawn == row).all(axis=1).sum() for row in every]
    # Chi-squared with 11 degrees of freedom: above 31.3 once in a thousand seeds.
    assert ((observed - expected) ** 2 / expected).sum() < 31.3


# Networks to pyAgrum and networkx and back.
def test_pyagrum_gives_every_row_the_same_probability():
    pytest.importorskip("pyagrum")
    network = load_network("alarm")
    theirs = to_pyagrum(network)
    rows = network.sample(20, np.random.default_rng(0))
    for row, ours in zip(rows, network.network.log_probability(rows), strict=True):
        case = theirs.completeInstantiation()
        case.fromdict({name: int(v) for name, v in zip(network.names, row, strict=True)})
        assert theirs.log2JointProbability(case) * np.log(2) == pytest.approx(ours)


def test_there_and_back_through_pyagrum_with_parents_in_any_order():
    pytest.importorskip("pyagrum")
    rng = np.random.default_rng(0)
    tables = [rng.dirichlet(np.ones(3), n).ravel() for n in (1, 1)]
    tables.append(rng.dirichlet(np.ones(2), 9).ravel())
    first = Network(np.array([3, 3, 2]), Graph(((), (), (1, 0))), np.concatenate(tables))
    network = NamedNetwork(first, ("a", "b", "c"), (tuple("xyz"), tuple("uvw"), ("n", "y")))
    back = from_pyagrum(to_pyagrum(network))
    rows = network.sample(50, rng)
    np.testing.assert_allclose(
        back.network.log_probability(rows), network.network.log_probability(rows)
    )


def test_there_and_back_through_networkx():
    network = load_network("child")
    graph = to_networkx(network)
    assert networkx.is_directed_acyclic_graph(graph)
    assert set(graph.edges) == set(network.arcs)
    back = from_networkx(graph)
    assert (back.names, back.levels, back.graph) == (network.names, network.levels, network.graph)
    np.testing.assert_array_equal(back.network.probabilities, network.network.probabilities)


def test_a_cyclic_graph_and_a_bare_graph_are_refused():
    bare = networkx.DiGraph([("a", "b")])
    with pytest.raises(InputError, match="`graph` must have .* but 'a' has no levels"):
        from_networkx(bare)
    facts = {"levels": [0, 1], "table": np.full((2, 2), 0.5)}
    cyclic = networkx.DiGraph()
    cyclic.add_node("a", parents=["b"], **facts)
    cyclic.add_node("b", parents=["a"], **facts)
    with pytest.raises(InputError, match="must describe a graph without directed cycles"):
        from_networkx(cyclic)


# BIF files: what is written is read again, and what is damaged is refused in one sentence.
SMALL = """network small {
}
variable rain { type discrete [ 2 ] { no, yes }; } // a comment
variable wet { type discrete [ 3 ] { <5, 5-12, very/wet }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( wet | rain ) {
  (no) 0.7, 0.2, 0.1;
  (yes) 0.1, 0.3, 0.6;
}
"""


def small(tmp_path, text=SMALL):
    path = tmp_path / "small.bif"
    path.write_text(text)
    return read_bif(path)


def test_a_small_file(tmp_path):
    network = small(tmp_path)
    assert network.arcs == [("rain", "wet")]
    assert network.levels[1] == ("<5", "5-12", "very/wet")
    assert network.table("wet")["yes",].tolist() == [0.1, 0.3, 0.6]


@pytest.mark.parametrize("ending", [".bif", ".bif.gz"])
def test_written_and_read_again(tmp_path, ending):
    network = load_network("insurance")
    write_bif(network, tmp_path / f"copy{ending}")
    copy = read_bif(tmp_path / f"copy{ending}")
    assert copy.names == network.names
    assert copy.levels == network.levels
    assert copy.graph == network.graph
    np.testing.assert_array_equal(copy.network.probabilities, network.network.probabilities)


@pytest.mark.parametrize("name", ["asia", "cancer", "alarm", "hailfinder"])
def test_files_are_read_as_pyagrum_reads_them(tmp_path, name):
    gum = pytest.importorskip("pyagrum")
    from fewest.networks._bif import network_files
    from fewest.networks._inference.junction_tree import from_pyagrum

    plain = tmp_path / f"{name}.bif"
    plain.write_bytes(gzip.decompress(network_files()[name].read_bytes()))
    theirs, ours = from_pyagrum(gum.loadBN(str(plain))), load_network(name)
    assert (theirs.names, theirs.levels) == (ours.names, ours.levels)
    assert set(theirs.arcs) == set(ours.arcs)
    for variable in ours.names:
        order = [ours.names[p] for p in ours.graph.parents[ours.position(variable)]]
        other = [theirs.names[p] for p in theirs.graph.parents[theirs.position(variable)]]
        found = theirs.table(variable)
        for case, row in ours.table(variable).items():
            turned = tuple(case[order.index(parent)] for parent in other)
            # pyAgrum reads numbers of single precision.
            np.testing.assert_allclose(found[turned], row, atol=1e-7)


def test_one_table_for_all_cases_and_a_default(tmp_path):
    text = SMALL.replace("(no) 0.7, 0.2, 0.1;\n  (yes) 0.1, 0.3, 0.6;",
                         "table 0.7, 0.1, 0.2, 0.3, 0.1, 0.6;")  # fmt: skip
    assert small(tmp_path, text).table("wet")["yes",].tolist() == [0.1, 0.3, 0.6]
    text = SMALL.replace("(no) 0.7, 0.2, 0.1;", "default 0.5, 0.25, 0.25;")
    assert small(tmp_path, text).table("wet")["no",].tolist() == [0.5, 0.25, 0.25]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("0.7, 0.2", "0.7, 0.9", "the probabilities of wet do not add up to 1"),
        ("0.7, 0.2", "0.7, x", "the table of wet holds '0.7, x, 0.1' instead of numbers"),
        ("0.7, 0.2", "0.7", "the table of wet has a line of 2 numbers"),
        ("(yes)", "(maybe)", "the table of wet speaks of the unknown case (maybe)"),
        ("(yes) 0.1, 0.3, 0.6;", "", "the table of wet does not give every probability"),
        ("wet | rain", "wet | snow", "a table speaks of 'snow', which is no variable"),
        ("[ 3 ]", "[ 4 ]", "wet should have 4 values, but has 3"),
        ("[ 3 ]", f"[ {'9' * 5000} ]", "the variable wet has no list of discrete"),
        ("type discrete [ 2 ] { no, yes };", "", "the variable rain has no list of discrete"),
        ("( rain ) { table 0.8, 0.2; }", "( rain | wet ) { default 0.8, 0.2; }",
         "its arcs make a cycle"),
        ("probability ( rain ) { table 0.8, 0.2; }", "", "rain has no table"),
        ("0.6;\n}", "0.6;\n", "a block is not closed"),
        ("network small", "netwerk small", "a block was expected where 'netwerk' stands"),
        ("0.2; }\n", "0.2 }\n", "the table of rain has a line without an end"),
    ],
)  # fmt: skip
def test_damage_is_told_in_a_sentence(tmp_path, old, new, why):
    assert old in SMALL
    with pytest.raises(InputError) as told:
        small(tmp_path, SMALL.replace(old, new))
    text = str(told.value)
    assert "must be a network in BIF, but is damaged: " + why in text
    assert "\n" not in text


def test_files_that_are_not_there_or_not_compressed(tmp_path):
    with pytest.raises(InputError, match="There is no file"):
        read_bif(tmp_path / "nothing.bif")
    (tmp_path / "torn.bif.gz").write_bytes(gzip.compress(SMALL.encode())[:40])
    with pytest.raises(InputError, match="damaged gzip file"):
        read_bif(tmp_path / "torn.bif.gz")
    (tmp_path / "empty.bif").write_text("")
    with pytest.raises(InputError, match="it has no variables"):
        read_bif(tmp_path / "empty.bif")


def test_values_that_would_become_one_are_refused():
    network = Network(np.array([2]), Graph(((),)), np.array([0.5, 0.5]))
    with pytest.raises(InputError, match="The values of a must differ"):
        bif_text(NamedNetwork(network, ("a",), (("x y", "x_y"),)))


# Variables and levels by name.
def test_names_and_levels_of_a_network():
    asia = load_network("asia")
    assert asia.ordering[0] == "asia"
    codes = asia.evidence({"smoke": "no", "xray": "yes"})
    assert np.flatnonzero(codes >= 0).tolist() == [asia.position("smoke"), asia.position("xray")]
    with pytest.raises(InputError, match=r"`evidence` must name a variable .* 'smok' is none"):
        asia.evidence({"smok": "no"})
    with pytest.raises(InputError, match="`evidence` gives smoke the value 'maybe', but it takes"):
        asia.evidence({"smoke": "maybe"})


# Networks by name, tables drawn from them, and their named parts.
#: Variables, arcs and free parameters as the repository of these networks states them.
KNOWN = {
    "asia": (8, 8, 18), "cancer": (5, 4, 10), "earthquake": (5, 4, 10), "child": (20, 25, 230),
    "insurance": (27, 52, 1008), "alarm": (37, 46, 509), "hailfinder": (56, 66, 2656),
    "win95pts": (76, 112, 574), "andes": (223, 338, 1157),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_networks_are_what_their_source_says(name):
    network = load_network(name)
    assert (len(network.names), len(network.arcs), network.n_parameters) == KNOWN[name]


def test_a_drawn_table_has_the_probabilities_of_the_network():
    data = sample_dataset("cancer", n_rows=4000)
    assert data.name == "cancer"
    assert data.target == "Dyspnoea"
    assert (data.X["Smoker"] == "True").mean() == pytest.approx(0.3, abs=0.03)
    assert sample_dataset("cancer", n_rows=9).X.equals(sample_dataset("cancer", n_rows=9).X)


def test_a_file_serves_as_well_as_a_name(tmp_path):
    write_bif(load_network("asia"), tmp_path / "mine.bif")
    assert load_network(str(tmp_path / "mine.bif")).arcs == load_network("asia").arcs


def test_unknown_names_are_refused():
    with pytest.raises(InputError, match=r"but is 'alarms'. Did you mean alarm\?"):
        load_network("alarms")
    with pytest.raises(InputError, match="`n_rows` must be at least 1, but is 0"):
        sample_dataset("asia", n_rows=0)
    assert "pathfinder" in network_files()


# Distances between graphs against listed equivalence classes and values worked out by hand.
def test_essential_graphs_are_the_union_of_their_class():
    graphs = every_graph(4)
    assert len(graphs) == 543
    for parents in graphs[::3]:
        assert essential_arcs(Graph(parents)) == essential(parents, graphs)


def test_essential_graphs_are_pyagrums():
    gum = pytest.importorskip("pyagrum")
    from fewest.networks._inference.junction_tree import to_pyagrum

    network = load_network("alarm")
    theirs = gum.EssentialGraph(to_pyagrum(network))
    arcs = {tuple(arc) for arc in theirs.arcs()}
    arcs |= {pair for a, b in theirs.edges() for pair in ((a, b), (b, a))}
    assert essential_arcs(network.graph) == arcs


def test_distance_is_zero_between_equivalent_graphs_only():
    graphs = every_graph(3)
    for one in graphs:
        for other in graphs:
            found = compare_graphs(Graph(one), Graph(other))
            assert (found.distance == 0) == (set(Graph(one).arcs) == set(Graph(other).arcs))
            assert (found.class_distance == 0) == (class_of(one) == class_of(other))


def test_shares_by_hand():
    found = compare_graphs(Graph(((), (0,), (0,), ())), Graph(((), (0,), (), (0, 2))))
    assert found.distance == 3
    assert (found.arc_precision, found.arc_recall) == (1 / 2, 1 / 3)
    assert (found.adjacency_precision, found.adjacency_recall) == (1 / 2, 1 / 3)
    assert compare_graphs(Graph.empty(2), Graph.empty(2)).arc_recall == 1.0
    assert found.to_dict()["distance"] == 3


def test_divergence_of_two_coins_by_hand():
    coin, other = (
        Network(np.array([2]), Graph(((),)), np.array(p)) for p in ([0.5, 0.5], [0.9, 0.1])
    )
    expected = 0.5 * np.log(0.5 / 0.9) + 0.5 * np.log(0.5 / 0.1)
    assert divergence(coin, other) == pytest.approx(expected)
    mean, error = sampled_divergence(coin, other, 20_000, np.random.default_rng(0))
    assert abs(mean - expected) < 4 * error
    sure = Network(np.array([2]), Graph(((),)), np.array([1.0, 0.0]))
    assert divergence(coin, sure) == np.inf
    assert divergence(sure, coin) == pytest.approx(np.log(2))


def test_divergence_is_pyagrums():
    gum = pytest.importorskip("pyagrum")
    from fewest.networks._inference.junction_tree import to_pyagrum
    from fewest.networks._named import NamedNetwork

    asia = load_network("asia")
    rows = asia.sample(300, np.random.default_rng(0))
    learned = Network.learn(asia.graph, rows, asia.cardinalities)
    named = NamedNetwork(learned, asia.names, asia.levels)
    # It does not keep its networks alive, so names must.
    one, other = to_pyagrum(asia), to_pyagrum(named)
    theirs = gum.ExactBNdistance(one, other).compute()["klPQ"]
    assert divergence(asia.network, learned) == pytest.approx(theirs * np.log(2))


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(InputError, match="`graph` must have the 3 variables of `gold`, but has 2"):
        compare_graphs(Graph.empty(2), Graph.empty(3))
    alarm, asia = load_network("alarm").network, load_network("asia").network
    with pytest.raises(InputError, match="joint cases to be summed up, but has more"):
        divergence(alarm, alarm)
    with pytest.raises(InputError, match="`found` must have the variables and levels of `gold`"):
        divergence(asia, alarm)


# Probabilities of arcs against a sum over every graph.
def averaged_arcs(graphs, scores):
    """The sum over graphs, each in proportion to the exponential of its score."""
    weights = np.exp(np.array(scores) - max(scores))
    found = np.zeros((len(graphs[0].parents),) * 2)
    for graph, weight in zip(graphs, weights / weights.sum(), strict=True):
        for p, i in graph.arcs:
            found[p, i] += weight
    return found


def rows_with_a_copy(d, n, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 2, (n, d))
    for i in range(1, d):
        copied = rng.random(n) < 0.6
        rows[copied, i] = rows[copied, i - 1]
    return rows


@pytest.mark.parametrize(("d", "n"), [(2, 10), (3, 40), (4, 30), (4, 2000), (5, 60)])
@pytest.mark.parametrize("score", ["bdeu", "k2"])
def test_exact_probabilities_are_the_sum_over_every_graph(d, n, score):
    rows = rows_with_a_copy(d, n)
    families = FamilyScores(rows, np.full(d, 2), score=score)
    graphs = [Graph(parents) for parents in every_graph(d)]
    everything = averaged_arcs(graphs, [families.of(g) for g in graphs])
    found = exact_arcs(rows, np.full(d, 2), score=score)
    assert found == pytest.approx(everything, abs=1e-9)


def test_a_limit_on_parents_leaves_graphs_out():
    rows = rows_with_a_copy(4, 25)
    families = FamilyScores(rows, np.full(4, 2), score="k2")
    graphs = [Graph(p) for p in every_graph(4) if max(len(q) for q in p) <= 1]
    everything = averaged_arcs(graphs, [families.of(g) for g in graphs])
    found = exact_arcs(rows, np.full(4, 2), score="k2", max_parents=1)
    assert found == pytest.approx(everything)


@pytest.mark.parametrize("score", ["bdeu", "k2", "bic"])
@pytest.mark.parametrize("most", [None, 2])
def test_probabilities_over_orderings_are_the_sum_over_every_ordering(score, most):
    cards = [2, 3, 2, 2]
    rows = tangled(cards, 60, 1)
    logs = all_family_scores(rows, np.array(cards), score=score, max_parents=most)
    families = FamilyScores(rows, np.array(cards), score=score)
    assert logs[1, 0b101] == pytest.approx(families.score(1, [0, 2]))
    shifted = logs - logs.max(axis=1, keepdims=True)
    found = arcs_of_orders(rows, np.array(cards), score=score, max_parents=most)
    assert found == pytest.approx(np.array(arcs_by_orders(shifted.tolist())), abs=1e-9)


def test_a_sample_of_orderings_is_right_within_its_errors():
    cards = np.full(9, 2)
    rows = tangled(cards, 150, 2)
    families = FamilyScores(rows, cards, score="bdeu")
    start, _ = climb_families(families, max_parents=3)
    exact = arcs_of_orders(rows, cards, score="bdeu", max_parents=3)
    found, error, effective = sampled_arcs(
        families, start, max_parents=3, samples=4000, rng=np.random.default_rng(0)
    )
    assert (abs(found - exact) <= 5 * error + 0.01).all()
    assert abs(found - exact).max() < 0.08
    assert 50 < effective <= 4000


def test_the_number_of_variables_chooses_the_sum(monkeypatch):
    cards = np.full(5, 2)
    rows = tangled(cards, 60, 0)
    families = FamilyScores(rows, cards, score="bdeu")
    start, _ = climb_families(families)
    names, rng = tuple("abcde"), np.random.default_rng(0)
    whole = arc_posteriors(families, start, names, rng=rng)
    assert whole.method == "graphs"
    assert np.asarray(whole) == pytest.approx(exact_arcs(rows, cards))
    assert whole["a", "b"] == whole.probability[0, 1]
    monkeypatch.setattr(averaging, "MOST_GRAPHS", 4)
    orders = arc_posteriors(families, start, names, rng=rng)
    assert (orders.method, orders.effective) == ("orderings", None)
    assert not orders.error.any()
    monkeypatch.setattr(averaging, "MOST_ORDERS", 4)
    sampled = arc_posteriors(families, start, names, samples=2000, rng=rng)
    assert sampled.method == "sampled orderings"
    assert sampled.probability == pytest.approx(orders.probability, abs=0.1)
    assert sampled.error.max() > 0


def test_too_many_variables_are_refused():
    with pytest.raises(InputError, match="at most 8 variables to sum over all graphs, but have 9"):
        exact_arcs(rows_with_a_copy(9, 20), np.full(9, 2))
