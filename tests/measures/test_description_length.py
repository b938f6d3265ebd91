"""Description lengths and likelihoods of network classifiers."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest._models.family_scores import FamilyScores
from fewest._models.graph import Graph, matrix_of
from fewest.data._information import Information
from fewest.data._table import Table
from fewest.measures._description_length import (
    CALL,
    MDL,
    MDLFS,
    Arcs,
    ConditionalLogLikelihood,
    LogLikelihood,
    SpanningTree,
)
from fewest.measures._network_scores import GraphScorer
from fewest.measures._steps import Steps
from fewest.search import SBE, SFS, Exhaustive, Subsets
from fewest.testing import drive
from tests.measures.networks.xor_example import NAMES, names, xor_example
from tests.measures.networks.xor_example import subset as of
from tests.naive import discrete_models, networks, posteriors
from tests.naive.entropies import entropy, information
from tests.naive.greedy import forward

# Tables and helpers that several tests of network measures use.
CLASSIFIERS = ["naive-bayes", "tan", "complete"]


def columns_of(table):
    columns = {n: list(v) for n, v in zip(table.names, table.values.T, strict=True)}
    return {**columns, "C": list(table.target)}


def every_subset(d):
    return np.array([[(s >> i) & 1 for i in range(d)] for s in range(2**d)], dtype=bool)


def members(table, mask):
    return [n for n, inside in zip(table.names, mask, strict=True) if inside]


def kept(measure, example, search):
    return names(drive(search, Subsets(8), measure.bind(example)).answer)


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.integers(0, r, 70) for r in (2, 3, 4, 2, 3)]).astype(float)
    target = (values[:, 0] + values[:, 1] + (rng.random(70) < 0.2)).astype(int) % 3
    values[:, 4] = np.where(rng.random(70) < 0.8, values[:, 1], values[:, 4])
    levels = tuple(tuple(range(r)) for r in (2, 3, 5, 2, 3))
    return Table(tuple("abcde"), values, levels, target, np.array(list("xyz")))


# Arcs column by column, and trees over some features, against whole matrices.
def wide_table(d=18, n=150):
    rng = np.random.default_rng(0)
    values = rng.integers(0, 3, (n, d)).astype(float)
    for j in range(1, d):
        copied = rng.random(n) < 0.5
        values[copied, j] = values[copied, rng.integers(0, j)]
    target = (values[:, 0] + values[:, 3] > 2).astype(int)
    return Table(tuple(map(str, range(d))), values, ((0, 1, 2),) * d, target, np.array([0, 1]))


def test_columns_are_those_of_the_definition():
    some = wide_table(5)
    columns, target = some.values.T.tolist(), some.target.tolist()
    arcs = Arcs(Information.of(some), conditional=3.0, mutual=-2.0, parameters=0.5)
    for j in range(5):
        expected = [
            3.0 * information(columns[i], columns[j], target)
            - 2.0 * information(columns[i], columns[j])
            + 0.5 * 4.0
            for i in range(5)
        ]
        assert np.delete(arcs.column(j), j) == pytest.approx(np.delete(expected, j))
        assert_array_equal(arcs.column(j), arcs.everything()[:, j])
    assert_array_equal(arcs.scaled(2.0).column(1), 2.0 * arcs.column(1))


@pytest.mark.parametrize("classifier", ["naive-bayes", "tan"])
@pytest.mark.parametrize("auxiliary", ["tree", "tan", "empty"])
@pytest.mark.parametrize("inside", [0, 1, 5, 14])
def test_steps_grow_the_trees_of_their_subsets(classifier, auxiliary, inside, monkeypatch):
    measure = MDLFS(classifier=classifier, auxiliary=auxiliary)
    whole = measure.bind(wide_table())
    base = np.arange(18) % 17 < inside
    units = np.flatnonzero(~base)
    steps = Steps(base, units, np.ones(len(units), dtype=np.int64))
    expected = whole.score(np.asarray(steps)).value
    monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)
    monkeypatch.setattr("fewest.measures._description_length.ALL_PAIRS_UP_TO", 17)
    monkeypatch.setattr("fewest.measures._description_length.STEPS_PER_BATCH", 3)
    wide = measure.bind(wide_table())
    assert_array_equal(wide.score_steps(steps).value, expected)
    assert_array_equal(wide.score(np.asarray(steps)[:2]).value, expected[:2])


def test_only_columns_that_are_reached_are_counted(monkeypatch):
    monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)
    bits = Information.of(wide_table())
    tree = SpanningTree(Arcs(bits, mutual=1.0).values(), Arcs(bits, mutual=1.0).values())
    tree.sums(Steps(np.arange(18) == 4, np.array([2, 9]), np.ones(2, dtype=np.int64)))
    assert "_pairs" not in bits.__dict__
    assert list(tree.weights._known) == [4]


# Scores of graphs are sums of naive family scores.
GRAPHS = [Graph(((), (), ())), Graph(((), (0,), (0, 1))), Graph(((2,), (2,), ()))]


@pytest.mark.parametrize("score", ["bic", "k2"])
def test_a_graph_is_worth_its_families(score):
    rows = np.random.default_rng(0).integers(0, 3, (50, 3))
    scorer = GraphScorer(FamilyScores(rows, np.full(3, 3), score=score))
    batch = np.stack([matrix_of(graph).ravel() for graph in GRAPHS])
    expected = [
        discrete_models.graph_score(rows.tolist(), [3] * 3, list(graph.parents), score)
        for graph in GRAPHS
    ]
    assert scorer.score(batch).value == pytest.approx(expected)
    copied = pickle.loads(pickle.dumps(scorer))
    np.testing.assert_array_equal(copied.score(batch).value, scorer.score(batch).value)
    assert scorer.score(batch[:0]).value.shape == (0,)


# Likelihoods of network classifiers equal their definitions.
def _share(tables, row, sizes):
    """P(class of the row | row), where cases never seen count as impossible."""
    weights = []
    for c in range(sizes[-1]):
        case = [*row[:-1], c]
        try:
            weights.append(np.prod([table(case) for table in tables]))
        except ZeroDivisionError:
            weights.append(0.0)
    return weights[row[-1]] / sum(weights)


@pytest.mark.parametrize("classifier", CLASSIFIERS[:2])
def test_conditional_log_likelihood_equals_its_definition(table, classifier):
    columns, features = columns_of(table), list(table.names)
    subsets = every_subset(5)
    value = ConditionalLogLikelihood(classifier).bind(table).score(subsets).value
    sizes = [2, 3, 4, 2, 3, 3]
    rows = [[*map(int, v), int(c)] for v, c in zip(table.values, table.target, strict=True)]
    place = {name: j for j, name in enumerate([*features, "C"])}
    for row, v in zip(subsets, value, strict=True):
        inside = members(table, row)
        arcs = networks.classifier(columns, features, inside, classifier)
        parents = {place[c]: tuple(place[p] for p in ps) for c, ps in arcs.items()}
        tables = posteriors.learn(rows, parents, sizes, 0.0)
        expected = sum(np.log2(_share(tables, one, sizes)) for one in rows)
        assert v == pytest.approx(expected, abs=1e-8)


def test_proposition_1_complete_networks_tell_the_conditional_entropy(table):
    full = np.ones((1, 5), dtype=bool)
    call = CALL("complete", auxiliary="complete").bind(table).score(full).value[0]
    columns = list(table.values.T)
    expected = entropy(*columns, table.target) - entropy(*columns)
    assert call == pytest.approx(-70 * expected, abs=1e-9)


# Tests.
@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_mdl_and_log_likelihood_equal_their_definitions(table, classifier):
    columns, features = columns_of(table), list(table.names)
    subsets = every_subset(5)
    value = MDL(classifier).bind(table).score(subsets).value
    likelihood = LogLikelihood(classifier, per_row=True).bind(table).score(subsets).value
    empty = networks.mdl(columns, features, [], classifier)
    for row, v, ll in zip(subsets, value, likelihood, strict=True):
        inside = members(table, row)
        network = networks.classifier(columns, features, inside, classifier)
        assert v == pytest.approx(
            empty - networks.mdl(columns, features, inside, classifier), abs=1e-8
        )
        assert ll == pytest.approx(networks.log_likelihood(columns, network) / 70, abs=1e-10)


@pytest.mark.parametrize("auxiliary", ["tree", "complete"])
@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_values_per_row_are_the_values_over_the_rows(table, classifier, auxiliary):
    subsets, given = every_subset(5), {"classifier": classifier, "auxiliary": auxiliary}
    value = CALL(**given).bind(table).score(subsets).value
    per_row = CALL(**given, per_row=True).bind(table).score(subsets).value
    np.testing.assert_allclose(70 * per_row, value, atol=1e-9)


def test_the_xor_example_has_the_figures_of_the_paper():
    example = xor_example(100)
    bits = Information.of(example)
    assert bits.entropy[1] - bits.relevance[1] == pytest.approx(0.69, abs=0.005)
    assert bits.entropy[1] - bits.mutual[1, 5] == pytest.approx(0.87, abs=0.01)
    for classifier, inside, printed in [
        ("naive-bayes", ["A2", "A6"], 0.47),  # section 6.2
        ("tan", ["A1", "A2", "A4", "A6"], 0.75),  # section 6.3
    ]:
        call = CALL(classifier, per_row=True).bind(example).score(of(*inside)).value[0]
        # The paper leaves H(C) out.
        assert call + entropy(example.target) == pytest.approx(printed, abs=0.005)


def test_mdl_keeps_what_the_paper_says_of_the_xor_example():
    # Table 3: half of the features for naive Bayes, three quarters for TAN, which leaves out A5
    # and its copy A7 only because it goes forward (section 7).
    example = xor_example(100)
    assert kept(MDL("naive-bayes"), example, SFS()) == {"A2", "A3", "A6", "A8"}
    assert kept(MDL("tan"), example, SFS()) == set(NAMES) - {"A5", "A7"}
    assert kept(MDL("tan"), example, SBE()) == set(NAMES)


# MDL-FS equals its definition and keeps what the paper says.
AUXILIARIES = ["tree", "tan", "empty", "complete"]


def _value(scorer):
    return lambda chosen: scorer.score(of(*chosen)).value[0]


@pytest.mark.parametrize("auxiliary", AUXILIARIES)
@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_mdl_fs_and_call_equal_their_definitions_on_every_subset(table, classifier, auxiliary):
    columns, features = columns_of(table), list(table.names)
    subsets = every_subset(5)
    value = MDLFS(classifier, auxiliary=auxiliary).bind(table).score(subsets).value
    call = CALL(classifier, auxiliary=auxiliary).bind(table).score(subsets).value
    empty = networks.mdl_fs(columns, features, [], classifier, auxiliary)
    for row, v, c in zip(subsets, value, call, strict=True):
        inside = members(table, row)
        score = networks.mdl_fs(columns, features, inside, classifier, auxiliary)
        assert v == pytest.approx(empty - score, abs=1e-8)
        expected = networks.call(columns, features, inside, classifier, auxiliary)
        assert c == pytest.approx(expected, abs=1e-8)


def test_proposition_3_equal_auxiliaries_leave_the_preference_of_mdl(table):
    # One and the same subset has one auxiliary likelihood, whatever the classifier over it.
    full = np.ones((1, 5), dtype=bool)

    def gap(measure):
        values = [measure(kind).bind(table).score(full).value[0] for kind in CLASSIFIERS[:2]]
        return values[0] - values[1]

    assert gap(MDLFS) == pytest.approx(gap(MDL), abs=1e-9)
    subsets = every_subset(5)
    empty = MDLFS("tan", auxiliary="empty").bind(table).score(subsets).value
    np.testing.assert_array_equal(empty, MDL("tan").bind(table).score(subsets).value)


@pytest.mark.parametrize("search", [SFS(), SBE(), Exhaustive()], ids=lambda s: s.name)
@pytest.mark.parametrize("copies", [1, 100])
def test_naive_bayes_keeps_two_features_of_the_xor_example(copies, search):
    example = xor_example(copies)
    assert kept(MDLFS("naive-bayes"), example, search) == {"A2", "A6"}
    assert set(forward(_value(MDLFS("naive-bayes").bind(example)), NAMES)) == {"A2", "A6"}


@pytest.mark.parametrize("search", [SFS(), SBE(), Exhaustive()], ids=lambda s: s.name)
@pytest.mark.parametrize("copies", [3, 100])
def test_tan_finds_the_exclusive_or_that_pairs_with_the_class_hide(copies, search):
    example = xor_example(copies)
    assert kept(MDLFS("tan"), example, search) == {"A1", "A2", "A4", "A6"}
    assert set(forward(_value(MDLFS("tan").bind(example)), NAMES)) == {"A1", "A2", "A4", "A6"}


def test_32_rows_do_not_pay_for_the_parameters_of_tan():
    # 4 features and 3 arcs have 4 + 3 x 2 parameters of log2(32) / 2 bits each, 25 in all; they
    # save 32 x 0.75 bits.
    scorer = MDLFS("tan").bind(xor_example())
    gain, alone = (scorer.score(of(*s)).value[0] for s in (["A1", "A2", "A4", "A6"], ["A2"]))
    assert gain == pytest.approx(32 * 0.752 - 25, abs=0.05)
    assert alone == pytest.approx(32 * 0.3113 - 2.5, abs=0.01)
    # Backward it ends with what the class is a function of (figure 2, on the right).
    assert kept(MDLFS("tan"), xor_example(), SBE()) == {"A1", "A2", "A4"}


def test_complete_networks_keep_what_the_class_is_a_function_of():
    example = xor_example(128)
    subsets = every_subset(8)
    value = MDLFS("complete", auxiliary="complete").bind(example).score(subsets).value
    assert names(subsets[np.argmax(value)]) == {"A1", "A2", "A4"}


@pytest.mark.parametrize("name", ["mdl", "mdl-fs"])
def test_no_feature_is_an_answer_where_it_scores_best(name):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 4)).astype(str), rng.integers(0, 2, 60)
    none = SubsetSelector(measure=name, min_features=0).fit(X, y).result_
    assert none.features == []
    assert none.score == 0
    assert any("No feature was chosen" in note for note in none.notes)
    one = SubsetSelector(measure=name, min_features=1).fit(X, y).result_
    assert len(one.features) == 1
    assert any("`min_features=0` allows that answer" in note for note in one.notes)


# Scores of networks over subsets: batches, absent classes, refusals.
def test_the_score_of_a_subset_does_not_depend_on_its_batch(table):
    subsets = every_subset(5)
    scorer = MDLFS("tan").bind(table)
    together = scorer.score(subsets).value
    alone = [scorer.score(row[None]).value[0] for row in subsets]
    assert together.tolist() == alone


def test_a_class_that_the_rows_lack_still_costs_parameters(table):
    part = table.take(np.flatnonzero(table.target < 2))
    bits = MDL().bind(part).score(np.eye(5, dtype=bool)).value
    columns = columns_of(part)
    for name, r, value in zip(part.names, (2, 3, 4, 2, 3), bits, strict=True):
        gain = information(columns[name], columns["C"]) * part.n_rows
        assert value == pytest.approx(gain - np.log2(part.n_rows) / 2 * (r - 1) * (3 - 1))


def test_an_unknown_classifier_is_refused(table):
    with pytest.raises(InputError, match='`classifier` of MDLFS must be "naive-bayes" or "tan"'):
        MDLFS("forest").bind(table)
