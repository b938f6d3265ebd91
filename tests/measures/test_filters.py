"""Filters over a class."""

from __future__ import annotations

import json
import pickle
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.metrics import mutual_info_score

from fewest._errors import InputError
from fewest.data import as_table
from fewest.data._information import Information
from fewest.data._table import Table
from fewest.measures import CFS, JMI, MRMR
from fewest.measures._description_length import (
    CALL,
    MDL,
    MDLFS,
    ConditionalLogLikelihood,
    LogLikelihood,
)
from fewest.measures._filters import relief as w
from fewest.measures._filters.correlation import KollerSahami
from fewest.measures._filters.rankings import (
    CMIM,
    GainRatio,
    InformationGain,
    PairValues,
    SymmetricUncertainty,
    cmim_scores,
)
from fewest.measures._filters.redundant_features import (
    cost_of_level,
    explain_redundancy,
    redundant_at,
)
from fewest.measures._filters.relief import ReliefF
from fewest.testing import parametrize_with_measure_checks
from fewest.testing._tables import mixed_table, nominal_table
from tests.measures.networks.xor_example import names, xor_example
from tests.naive import filters
from tests.naive.entropies import entropy, information
from tests.oracles.weka import ask_weka, needs_weka, write_arff


# Tables that several tests of filters use.
def every_subset(d):
    return np.array([[(s >> i) & 1 for i in range(d)] for s in range(2**d)], dtype=bool)


def random_table(seed, n=80):
    rng = np.random.default_rng(seed)
    values = np.column_stack([rng.integers(0, r, n) for r in (2, 3, 4, 2, 3, 2)]).astype(float)
    target = ((values[:, 0] + values[:, 1] + rng.integers(0, 2, n)) % 2).astype(int)
    values[:, 4] = np.where(rng.random(n) < 0.7, values[:, 1], values[:, 4])
    values[:, 5] = np.where(rng.random(n) < 0.8, target, values[:, 5])
    levels = tuple(tuple(range(r)) for r in (2, 3, 4, 2, 3, 2))
    return Table(tuple("abcdef"), values, levels, target, np.array(["no", "yes"]))


# What the filters share: sums over features, constants, pairs.
def test_rankings_are_sums_of_their_scores_less_the_threshold():
    table = random_table(4)
    c = table.target
    each = np.eye(6, dtype=bool)
    gain = np.array([information(a, c) for a in table.values.T])
    own = np.array([entropy(a) for a in table.values.T])
    for measure, expected in [
        (InformationGain, gain),
        (GainRatio, gain / own),
        (SymmetricUncertainty, 2 * gain / (own + entropy(c))),
    ]:
        scores = measure(threshold=0.01).bind(table).score(each).value
        np.testing.assert_allclose(scores, expected - 0.01, atol=1e-12)
        both = measure(threshold=0.01).bind(table).score(each[:1] | each[1:2]).value[0]
        assert both == pytest.approx(scores[0] + scores[1])


def test_a_constant_feature_is_worth_nothing_to_any_filter():
    table = random_table(5)
    values = table.values.copy()
    values[:, 2] = 0.0
    flat = Table(table.names, values, table.levels, table.target, table.classes)
    alone = np.eye(6, dtype=bool)[2:3]
    with_f = np.array([[False, False, False, False, False, True]])
    both = with_f | alone
    for measure in (CFS, MRMR, JMI, CMIM, InformationGain, GainRatio, KollerSahami, ReliefF):
        scorer = measure().bind(flat)
        assert scorer.score(alone).value[0] <= 0.0
        if measure not in (MRMR, JMI):
            assert scorer.score(both).value[0] <= scorer.score(with_f).value[0]


def test_filters_that_look_at_pairs_drop_the_exclusive_or():
    example = xor_example(100)
    subsets = every_subset(8)
    for measure in (KollerSahami(), CFS()):
        best = subsets[np.argmax(measure.bind(example).score(subsets).value)]
        assert not names(best) & {"A1", "A4"}


#
MEASURES = [
    MDL(),
    MDL("tan"),
    MDL("complete"),
    MDLFS(),
    MDLFS("tan", auxiliary="tan"),
    MDLFS("complete", auxiliary="complete"),
    CALL("tan", per_row=True),
    LogLikelihood("tan"),
    ConditionalLogLikelihood("tan", per_row=True),
    CFS(),
    KollerSahami(neighbours=2),
    MRMR(),
    JMI(),
    CMIM(),
    InformationGain(),
    GainRatio(),
    SymmetricUncertainty(),
    ReliefF(neighbours=3, samples=20),
]


@parametrize_with_measure_checks(
    [(measure, table) for measure in MEASURES for table in (nominal_table(), mixed_table())]
)
def test_measure(measure, table, check):
    check(measure, table)


# Weights without a search: scikit-learn's numbers, values by hand, and a numerical gradient.
RNG = np.random.default_rng(0)
NOMINAL = RNG.integers(0, 3, (60, 3)).astype(str).astype(object)
CLASS = np.where(RNG.random(60) < 0.8, NOMINAL[:, 1] == "0", RNG.random(60) < 0.5).astype(int)


def test_mutual_information_is_that_of_scikit_learn():
    found = w.mutual_information(as_table(NOMINAL, CLASS), RNG)
    theirs = [mutual_info_score(NOMINAL[:, j], CLASS) / np.log(2) for j in range(3)]
    assert found == pytest.approx(theirs)


def test_class_conditional_by_hand():
    table = as_table(np.array([["a"], ["a"], ["b"], ["b"]], dtype=object), [0, 0, 0, 1])
    # Σ P(class | value)² is 1 for a and 1/2 for b; 9/16 + 1/16 without the feature.
    assert w.class_conditional(table, RNG) == pytest.approx([0.75 - 0.625])


def naive_error(weights, X, y):
    total = 0.0
    for i in range(len(X)):
        votes = [np.exp(-(weights * (X[i] - X[j]) ** 2).sum()) * (j != i) for j in range(len(X))]
        right = sum(v for j, v in enumerate(votes) if y[j] == y[i]) / sum(votes)
        total += (1 - right) ** 2
    return total


def test_the_gradient_ends_where_a_naive_error_has_none():
    X, y = RNG.random((30, 3)), RNG.integers(0, 2, 30)
    y[:15] = X[:15, 0] > 0.5
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    found = w.gradient(as_table(X, y), RNG)
    slopes = approx_fprime(found, naive_error, 1e-6, X, y)
    assert naive_error(found, X, y) < naive_error(np.ones(3), X, y)
    free = found > 1e-6
    assert np.abs(slopes[free]).max() < 0.02
    assert (slopes[~free] > -0.02).all()


@pytest.mark.parametrize("name", w.FILTERS)
def test_weights_are_between_0_and_1_for_mixed_and_unknown_values(name):
    X = np.column_stack([NOMINAL[:, 1], RNG.normal(size=60), NOMINAL[:, 0]]).astype(object)
    X[::9, 1] = np.nan
    found = w.filter_weights(name, as_table(X, CLASS), RNG)
    assert found.shape == (3,)
    assert found.min() >= 0
    assert found.max() == 1
    assert found[0] > found[2]
    constant = as_table(np.ones((20, 2)), np.arange(20) % 2)
    assert w.filter_weights(name, constant, RNG) == pytest.approx([1, 1])


def test_refuses_numbers_as_target():
    with pytest.raises(InputError, match="the target must be a class"):
        w.filter_weights("relieff", as_table(np.eye(4), [0.1, 0.2, 0.4, 0.7]), RNG)


# Values between pairs: a column at a time or all at once, the same sums.
def values(d=8, asked=None):
    rng = np.random.default_rng(0)
    matrix = rng.random((d, d))
    matrix += matrix.T

    def column(j):
        if asked is not None:
            asked.append(j)
        return matrix[:, j].copy()

    return PairValues(d, column, lambda: matrix), matrix


def test_only_the_columns_that_are_reached_are_worked_out(monkeypatch):
    monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)
    asked = []
    pairs, matrix = values(asked=asked)
    subsets = np.zeros((3, 8), dtype=bool)
    subsets[0, [1, 4]] = subsets[1, [4, 6]] = subsets[2, 1] = True
    assert pairs.sums(subsets) == pytest.approx([matrix[1, 4], matrix[4, 6], 0.0])
    assert pairs.columns(np.array([1, 6])).tolist() == matrix[[1, 6]].tolist()
    assert asked == [1, 4, 6]


def test_few_features_are_worked_out_at_once():
    asked = []
    pairs, matrix = values(asked=asked)
    assert pairs.columns(np.array([2])).tolist() == matrix[[2]].tolist()
    assert asked == []


@pytest.mark.parametrize("measure", [MRMR(), JMI(), CFS()], ids=lambda m: m.name)
def test_a_filter_gives_the_same_numbers_either_way(measure, monkeypatch):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    table = as_table(rng.normal(size=(60, 10)) + y[:, None] * (np.arange(10) < 4), y)
    # Few of the features are reached by each subset, so that columns are asked for.
    subsets = np.eye(10, dtype=bool) | (np.arange(10) < 3)
    at_once = measure.bind(table).score(subsets).value
    monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)
    scorer = pickle.loads(pickle.dumps(measure.bind(table)))
    one_by_one = [scorer.score(row[None]).value[0] for row in subsets]
    assert one_by_one == at_once.tolist()


# The merit of CFS: the naive one, and that of Weka.
REFERENCE = json.loads(
    (Path(__file__).parents[1] / "oracles" / "weka_cfs.json").read_text(encoding="utf-8")
)


def weka_table():
    """A nominal table that needs no random numbers, so that figures for it can be kept."""
    i = np.arange(60)
    values = np.column_stack([i % 2, i % 3, (i * i) % 5 % 4, i // 30, (i * 7) % 11 % 3])
    target = ((i % 2) + (i // 20) + (i % 7 == 0)) % 3
    levels = tuple(tuple(range(int(v.max()) + 1)) for v in values.T)
    return Table(tuple("abcde"), values.astype(float), levels, target, np.array(["x", "y", "z"]))


def test_cfs_merit_equals_the_naive_one_on_every_subset():
    table = random_table(0)
    subsets = every_subset(6)
    merits = CFS().bind(table).score(subsets).value
    columns = list(table.values.T)
    for row, merit in zip(subsets, merits, strict=True):
        inside = [c for c, chosen in zip(columns, row, strict=True) if chosen]
        assert merit == pytest.approx(filters.cfs_merit(inside, table.target), abs=1e-10)


def test_cfs_merit_equals_the_kept_figures_of_weka():
    subsets = np.array([[int(c) for c in row] for row in REFERENCE["subsets"]], dtype=bool)
    # Two features of the table are exactly independent, which Weka counts as correlation 1.
    merits = CFS(independent=1.0).bind(weka_table()).score(subsets).value
    np.testing.assert_allclose(merits, REFERENCE["merits"], atol=1e-6)


@needs_weka
def test_cfs_merit_equals_weka_on_every_subset(tmp_path):
    for number, table in enumerate([weka_table(), random_table(1), xor_example()]):
        subsets = every_subset(table.n_features)[1:]
        words = ["".join(map(str, row.astype(int))) for row in subsets]
        path = write_arff(tmp_path / f"{number}.arff", table)
        merits = [float(line) for line in ask_weka("cfs", path, *words)]
        ours = CFS(independent=1.0).bind(table).score(subsets).value
        np.testing.assert_allclose(ours, merits, atol=1e-6)
        if number == 1:  # no two features are exactly independent: as it is by default
            ours = CFS().bind(table).score(subsets).value
            np.testing.assert_allclose(ours, merits, atol=1e-6)


# CMIM: what a feature still tells when its turn comes.
def table(seed, n=120):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (n, 5)).astype(float)
    target = ((values[:, 0] + values[:, 1] + (rng.random(n) < 0.2)) % 2).astype(int)
    values[:, 2] = values[:, 0]
    return Table(tuple("abcde"), values, ((0, 1, 2),) * 5, target, np.array([0, 1]))


def naive_scores(table):
    columns = table.values.T.tolist()
    target = table.target.tolist()
    left = {j: information(columns[j], target) for j in range(5)}
    scores = {}
    while left:
        chosen = max(left, key=lambda j: (round(left[j], 12), -j))
        scores[chosen] = left.pop(chosen)
        for j in left:
            left[j] = min(left[j], information(columns[j], target, columns[chosen]))
    return [scores[j] for j in range(5)]


@pytest.mark.parametrize("seed", range(3))
def test_scores_are_those_of_the_naive_order(seed):
    found = cmim_scores(Information.of(table(seed)))
    np.testing.assert_allclose(found, naive_scores(table(seed)), atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_pairs_of_one_feature_at_a_time_give_the_same_scores(seed, monkeypatch):
    whole = cmim_scores(Information.of(table(seed)))
    monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)
    bits = Information.of(table(seed))
    np.testing.assert_array_equal(cmim_scores(bits), whole)
    assert "_pairs" not in bits.__dict__


def test_a_copy_tells_nothing_more():
    value = CMIM().bind(table(0)).score(np.array([[1, 0, 0, 0, 0], [1, 0, 1, 0, 0]], bool)).value
    assert value[1] == pytest.approx(value[0])


def test_the_threshold_is_taken_from_every_feature():
    subsets = np.array([[1, 1, 0, 0, 1]], dtype=bool)
    plain, strict = (CMIM(threshold=t).bind(table(0)).score(subsets).value for t in (0.0, 0.1))
    assert strict == pytest.approx(plain - 0.3)


# mRMR, JMI and CMIM: forward selection gives the classical order.
def _forward_order(scorer, d):
    """All features, each time the one with the largest value: what forward selection does."""
    chosen = []
    while len(chosen) < d:
        left = [f for f in range(d) if f not in chosen]
        steps = np.zeros((len(left), d), dtype=bool)
        for row, f in enumerate(left):
            steps[row, [*chosen, f]] = True
        chosen.append(left[int(np.argmax(scorer.score(steps).value.round(10)))])
    return chosen


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("measure", "naive"),
    [(MRMR, filters.mrmr_order), (JMI, filters.jmi_order), (CMIM, filters.cmim_order)],
)
def test_forward_selection_gives_the_classical_order(measure, naive, seed):
    table = random_table(seed)
    expected = naive(list(table.values.T), table.target)
    assert _forward_order(measure().bind(table), 6) == expected


# ReliefF weights: the naive ones, and those of Weka.
def test_relieff_weights_equal_the_naive_ones():
    rng = np.random.default_rng(6)
    n = 40
    values = np.column_stack([rng.random(n), rng.random(n), rng.integers(0, 3, n)])
    target = (values[:, 0] + 0.3 * rng.random(n) > 0.6).astype(int) + (values[:, 2] == 2)
    levels = (None, None, (0, 1, 2))
    table = Table(("u", "v", "w"), values.copy(), levels, target, np.array([0, 1, 2]))
    values[:, :2] -= values[:, :2].min(axis=0)
    values[:, :2] /= values[:, :2].max(axis=0)
    expected = filters.relief(values.tolist(), [False, False, True], target.tolist(), 5)
    found = ReliefF(neighbours=5).bind(table).score(np.eye(3, dtype=bool)).value
    np.testing.assert_allclose(found, expected, atol=1e-12)


@needs_weka
def test_relieff_weights_equal_weka(tmp_path):
    rng = np.random.default_rng(7)
    values = rng.random((60, 4))
    target = (values[:, 0] + values[:, 1] > 1).astype(int)
    values[rng.random(values.shape) < 0.05] = np.nan
    table = Table(tuple("abcd"), values, (None,) * 4, target, np.array(["n", "y"]))
    path = write_arff(tmp_path / "relief.arff", table)
    weights = [float(line) for line in ask_weka("relieff", path, 10)]
    found = ReliefF(neighbours=10).bind(table).score(np.eye(4, dtype=bool)).value
    np.testing.assert_allclose(found, weights, atol=1e-9)


def test_relieff_finds_the_exclusive_or_that_the_pairs_hide():
    example = xor_example()
    weights = ReliefF(neighbours=3).bind(example).score(np.eye(8, dtype=bool)).value
    assert min(weights[0], weights[3]) > max(weights[4], weights[6])


def test_many_rows_are_sampled_and_the_notes_say_so(monkeypatch):
    monkeypatch.setattr("fewest.measures._filters.relief.MOST_ROWS", 50)
    monkeypatch.setattr("fewest.measures._filters.relief.SAMPLED_ROWS", 20)
    rng = np.random.default_rng(0)
    target = rng.integers(0, 2, 60)
    values = rng.random((60, 3)) + target[:, None] * [1.0, 0.0, 0.0]
    table = Table(tuple("abc"), values, (None,) * 3, target, np.array([0, 1]))
    measures = {
        "auto": ReliefF(),
        "asked": ReliefF(samples=20),
        "exact": ReliefF(exact=True),
        "all": ReliefF(samples=60),
    }
    found = {key: m.bind(table, np.random.default_rng(1)) for key, m in measures.items()}
    assert found["auto"].notes == (
        "ReliefF compared 20 of the 60 rows, drawn at random, with all others; `exact=True` "
        "compares every row.",
    )
    assert not any(found[key].notes for key in ("asked", "exact", "all"))
    np.testing.assert_array_equal(found["auto"].worth, found["asked"].worth)
    np.testing.assert_array_equal(found["exact"].worth, found["all"].worth)
    assert found["auto"].worth.tolist() != found["exact"].worth.tolist()


# Koller and Sahami's elimination against the naive one.
@pytest.mark.parametrize("neighbours", [1, 2])
@pytest.mark.parametrize("gamma", [0.01, 0.05, 0.2])
def test_koller_sahami_keeps_what_the_naive_elimination_keeps(gamma, neighbours):
    for seed in range(3):
        table = random_table(seed)
        subsets = every_subset(6)
        value = KollerSahami(gamma=gamma, neighbours=neighbours).bind(table).score(subsets).value
        best = np.flatnonzero(subsets[np.argmax(value)]).tolist()
        expected = filters.koller_sahami(list(table.values.T), table.target, gamma, neighbours)
        assert best == expected


#
def _by_name(rows):
    return {row.feature: row for row in rows}


def test_levels_of_the_xor_example_are_those_of_the_paper():
    rows = _by_name(explain_redundancy(xor_example(100)))
    # Section 7: A1, A4, A5 and A7 at level 0; A3, A5, A7 and A8 at level 1 given one other.
    assert {name for name, row in rows.items() if row.redundant} == {"A1", "A4", "A5", "A7"}
    level_1 = {name for name, row in rows.items() if row.redundant_given}
    assert {"A3", "A5", "A7", "A8"} <= level_1
    assert rows["A8"].given == "A2"
    assert not rows["A6"].redundant_given


def test_bits_and_costs_are_those_of_the_definition():
    example = xor_example()
    columns = dict(zip(example.names, example.values.T, strict=True))
    for row in explain_redundancy(example, ["A2", "A6"]):
        a = columns[row.feature]
        assert row.bits == pytest.approx(information(a, example.target), abs=1e-12)
        assert row.cost == pytest.approx(5 / 64)
        expected = information(a, example.target, columns[row.given])
        assert row.bits_given == pytest.approx(expected, abs=1e-12)
        assert row.cost_given == pytest.approx(2 * 5 / 64)


def test_sentences_say_why_a_feature_was_left_out():
    rows = _by_name(explain_redundancy(xor_example(100), ["A1", "A2", "A4", "A6"]))
    expected = "given `A2`, adds 0.000 bits, less than the 0.004 its parameters cost"
    assert rows["A8"].reason == expected
    assert rows["A5"].reason == (
        "alone it gives 0.000 bits of the class, less than the 0.002 its parameters cost"
    )
    # The exclusive or is told plainly.
    assert rows["A1"].reason == (
        "kept: alone it gives 0.000 bits of the class, less than the 0.002 its parameters cost; "
        "but given `A4` it adds 0.311 bits"
    )


def test_a_feature_that_is_not_redundant_in_pairs_says_so():
    rows = _by_name(explain_redundancy(xor_example(100), ["A6"]))
    assert rows["A2"].reason.startswith("not redundant in pairs: alone it gives 0.311 bits")


def test_without_noise_only_what_adds_nothing_is_redundant():
    example = xor_example()
    noisy = _by_name(explain_redundancy(example))
    strict = _by_name(explain_redundancy(example, noise=False))
    assert noisy["A3"].redundant_given
    assert strict["A3"].redundant_given
    assert not strict["A6"].redundant
    assert strict["A5"].reason == "alone it gives 0.000 bits of the class"


def test_a_subset_may_be_names_positions_or_a_mask():
    example = xor_example()
    mask = np.array([n in ("A2", "A6") for n in example.names])
    given = [["A2", "A6"], [1, 5], mask]
    answers = [[row.reason for row in explain_redundancy(example, s)] for s in given]
    assert answers[0] == answers[1] == answers[2]
    with pytest.raises(InputError, match="`subset` names 'A9', but there is no such feature"):
        explain_redundancy(example, ["A9"])


# Redundancy at any level, against information counted by hand.
@pytest.mark.parametrize("noise", [False, True])
def test_levels_0_and_1_are_those_that_are_explained(noise):
    example = xor_example(100)
    explained = explain_redundancy(example, noise=noise)
    for level, bits, redundant in ((0, "bits", "redundant"), (1, "bits_given", "redundant_given")):
        for row, known in zip(redundant_at(example, level, noise=noise), explained, strict=True):
            assert row.bits == pytest.approx(getattr(known, bits), abs=1e-12)
            assert row.redundant == getattr(known, redundant)


@pytest.mark.parametrize("noise", [False, True])
@pytest.mark.parametrize("example", [xor_example(), nominal_table()], ids=["xor", "2 and 3 levels"])
def test_level_2_is_the_least_information_given_any_two_others(example, noise):
    columns = dict(zip(example.names, example.values.T, strict=True))
    sizes = dict(zip(example.names, example.cardinalities, strict=True))
    per_cell = np.log2(example.n_rows) / (2 * example.n_rows) if noise else 0.0
    for row in redundant_at(example, 2, noise=noise):
        others = [name for name in example.names if name != row.feature]
        least = min(
            information(columns[row.feature], example.target, 3 * columns[a] + columns[b])
            - per_cell * (sizes[row.feature] - 1) * sizes[a] * sizes[b]
            for a, b in combinations(others, 2)
        )
        assert row.bits - row.cost == pytest.approx(least, abs=1e-9)
        assert len(row.given) == 2


def test_the_cost_is_known_before_and_too_much_is_refused():
    example = xor_example()
    d = example.n_features
    assert cost_of_level(d, 2) == d * (d - 1) * (d - 2) // 2
    with pytest.raises(InputError, match=f"examines {cost_of_level(d, 3)} sets .*max_sets"):
        redundant_at(example, 3, max_sets=10)
    with pytest.raises(InputError, match=f"`level` must be between 0 and {d - 1}"):
        redundant_at(example, d)
