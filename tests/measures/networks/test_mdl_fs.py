"""MDL-FS equals its definition and keeps what the paper says."""

from __future__ import annotations

import numpy as np
import pytest

from fewest import SubsetSelector
from fewest.measures._description_length import CALL, MDL, MDLFS
from fewest.search import SBE, SFS, Exhaustive
from tests.measures.networks.cases import CLASSIFIERS, columns_of, every_subset, kept, members
from tests.measures.networks.xor_example import NAMES, names, xor_example
from tests.measures.networks.xor_example import subset as of
from tests.naive import networks
from tests.naive.greedy import forward

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
