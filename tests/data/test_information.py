"""Entropies, cuts and sums of classes."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from fewest._errors import InputError
from fewest.data import as_table, load
from fewest.data._class_sums import ClassSums, Moments
from fewest.data._discretise import Discretiser
from fewest.data._information import CodedRows, Information, nominal_codes, sparse_information
from fewest.data._sparse_values import SparseValues
from fewest.data._table import Table
from tests.naive.class_statistics import naive_level_counts, naive_moments
from tests.naive.entropies import entropy, information


#
def _table(rng, n=50):
    values = np.column_stack([rng.integers(0, r, n) for r in (2, 3, 4)]).astype(float)
    values[rng.random((n, 3)) < 0.1] = np.nan
    levels = tuple(tuple("abcdef"[:r]) for r in (2, 3, 6))
    return Table(("p", "q", "r"), values, levels, rng.integers(0, 2, n), np.array(["u", "v"]))


def test_all_tables_equal_the_naive_ones_with_unknown_as_a_value():
    table = _table(np.random.default_rng(0))
    bits = Information.of(table)
    c = table.target
    columns = [np.where(np.isnan(v), -1, v) for v in table.values.T]
    assert bits.class_entropy == pytest.approx(entropy(c))
    assert bits.cardinalities.tolist() == [3, 4, 5]
    for i, a in enumerate(columns):
        assert bits.relevance[i] == pytest.approx(information(a, c), abs=1e-12)
        both = entropy(a) + entropy(c)
        assert bits.class_uncertainty[i] == pytest.approx(2 * information(a, c) / both)
        for j, b in enumerate(columns):
            assert bits.mutual[i, j] == pytest.approx(information(a, b), abs=1e-12)
            assert bits.conditional[i, j] == pytest.approx(information(a, b, c), abs=1e-12)
            assert bits.added[i, j] == pytest.approx(information(a, c, b), abs=1e-12)
            su = 2 * information(a, b) / (entropy(a) + entropy(b))
            assert bits.uncertainty[i, j] == pytest.approx(su, abs=1e-12)


def test_a_continuous_feature_is_refused_by_name():
    table = _table(np.random.default_rng(1))
    levels = (table.levels[0], None, table.levels[2])
    mixed = Table(table.names, table.values, levels, table.target, table.classes)
    with pytest.raises(InputError, match="`q` is continuous; discretise the table first"):
        Information.of(mixed)


def test_a_constant_feature_says_nothing_and_divides_by_nothing():
    table = Table(("a",), np.zeros((4, 1)), (("x",),), np.zeros(4, dtype=int), np.array(["c"]))
    bits = Information.of(table)
    assert bits.relevance.tolist() == [0.0]
    assert bits.class_uncertainty.tolist() == [0.0]


# Information of sparse tables: the numbers of the dense ones.
def tables(unknown):
    rng = np.random.default_rng(2)
    target = rng.integers(0, 3, 80)
    dense = np.round(rng.normal(target[:, None], 1.0, size=(80, 6)), 1)
    dense *= rng.random((80, 6)) < np.array([0.1, 0.3, 0.5, 0.9, 1.0, 0.0])
    if unknown:
        dense[rng.random((80, 6)) < 0.1] = np.nan
    return as_table(dense, target), as_table(sparse.csr_matrix(dense), target)


@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("method", ["mdl", "width", "frequency"])
def test_entropies_are_those_of_the_dense_table(method, unknown):
    plain, scattered = tables(unknown)
    one, other = plain.information(method, 4), sparse_information(scattered, method, 4)
    assert_array_equal(one.cardinalities, other.cardinalities)
    for name in ("class_entropy", "entropy", "with_class", "relevance", "mutual", "conditional"):
        assert_allclose(getattr(one, name), getattr(other, name), atol=1e-12)
    masks = np.array([[1, 0, 1, 0, 0, 1], [0, 1, 1, 0, 0, 0]], dtype=bool)
    assert_allclose(one.of_subsets(masks), other.of_subsets(masks), atol=1e-12)
    assert_allclose(one.mutual_with(2), other.mutual_with(2), atol=1e-12)
    assert_allclose(one.excess_with(3), other.excess_with(3), atol=1e-12)


def test_numbers_are_no_classes():
    X = sparse.csr_matrix(np.eye(4))
    with pytest.raises(InputError, match="the target must be a class"):
        sparse_information(as_table(X, [0.5, 1.5, 2.5, 3.5]))


# Sparse values look like the dense array, and stay sparse where they can.
MATRIX = sparse.random(30, 6, 0.3, format="csr", random_state=0)
DENSE = MATRIX.toarray()
TARGET = np.arange(30) % 2


def test_parts_are_those_of_the_dense_array():
    values = SparseValues(MATRIX)
    rows = np.array([4, 1])
    assert_array_equal(values[:, 2], DENSE[:, 2])
    assert_array_equal(values[:, [0, 5]], DENSE[:, [0, 5]])
    assert_array_equal(values[rows], DENSE[rows])
    assert_array_equal(values[3, 2], DENSE[3, 2])
    assert_array_equal(np.asarray(values), DENSE)
    assert_array_equal(values.copy(), DENSE)
    assert_array_equal(values.astype(int), DENSE.astype(int))
    assert_array_equal(np.asarray(values.take_rows(rows)), DENSE[rows])
    assert (values.shape, len(values)) == ((30, 6), 30)


def test_a_table_is_sparse_and_so_are_its_rows():
    table = as_table(MATRIX, TARGET)
    assert table.sparse is not None
    assert table.names == tuple(f"x{j}" for j in range(6))
    part = table.take(np.arange(10))
    assert part.sparse is not None
    assert_array_equal(part.X.toarray(), DENSE[:10])
    assert table.fingerprint != part.fingerprint
    assert table.fingerprint == as_table(MATRIX.tocsc(), TARGET).fingerprint
    assert as_table(MATRIX, TARGET, nominal=[0]).sparse is None
    assert as_table(MATRIX > 0.5, TARGET).nominal.all()


def test_unknown_values_are_those_that_are_stored():
    matrix = MATRIX.tolil()
    matrix[3, 4] = np.nan
    table = as_table(matrix.tocsr(), TARGET)
    assert table.sparse.has_unknown
    assert table.incomplete.tolist() == [False] * 4 + [True, False]
    assert not as_table(MATRIX, TARGET).incomplete.any()


def test_a_huge_table_is_not_made_dense():
    huge = SparseValues(sparse.csr_matrix((100_000, 10_000)))
    with pytest.raises(InputError, match="needs it as a dense table of 7 GB"):
        np.asarray(huge)


@pytest.mark.parametrize(
    ("X", "words"),
    [
        (sparse.csr_matrix((0, 3)), "at least one row"),
        (sparse.csr_matrix([[np.inf, 0.0]]), "a stored value is infinite"),
    ],
)
def test_unusable_tables(X, words):
    with pytest.raises(InputError, match=words):
        as_table(X, [0])


def test_the_check_sees_constants_and_copies():
    dense = np.column_stack([DENSE, DENSE[:, 1], np.zeros(30), np.full(30, 2.0)])
    table = as_table(sparse.csr_matrix(dense), TARGET)
    assert [one.columns for one in table.check().of("copy")] == [("x6", "x1")]
    assert np.flatnonzero(table.constants()).tolist() == [7, 8]


#
def _rows(weight=None):
    rng = np.random.default_rng(0)
    codes = np.array([rng.integers(0, size, 60) for size in (2, 3, 4)], dtype=np.int32)
    return CodedRows(codes, np.array([2, 3, 4]), rng.integers(0, 2, 60), 2, weight)


@pytest.mark.parametrize("weight", [None, np.ones(60)])
def test_columns_pairs_and_subsets_agree_with_naive_entropies(weight):
    rows = _rows(weight)
    a, b, c = rows.codes
    assert rows.column(-1)[0] == pytest.approx([entropy(v) for v in rows.codes])
    assert rows.column(1)[1] == pytest.approx([entropy(v, b, rows.target) for v in rows.codes])
    pairs, triples = rows.pairs()
    assert pairs[0, 2] == pytest.approx(entropy(a, c))
    assert triples[0, 2] == pytest.approx(entropy(a, c, rows.target))
    found = rows.subsets(np.array([[True, True, True]]))[0]
    assert found == pytest.approx([entropy(a, b, c), entropy(a, b, c, rows.target)])


def test_only_values_that_occur_get_a_code_and_unknown_comes_first():
    values = np.array([[2.0], [np.nan], [0.0], [2.0]])
    table = Table(("a",), values, (("u", "v", "w"),), np.array([0, 1, 0, 1]), np.array([0, 1]))
    codes, sizes = nominal_codes(table)
    assert codes.tolist() == [[2, 0, 1, 2]]
    assert sizes.tolist() == [3]


def test_codes_of_cut_columns_are_those_of_the_cut_table():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    X = rng.normal(size=(300, 4)) + y[:, None] * np.array([2.0, 0.0, 1.0, 0.0])
    X[::7, 0], X[::5, 3] = np.nan, np.nan
    table = as_table(X, y)
    cuts = Discretiser().fit(table)
    found, sizes = nominal_codes(table, cuts)
    wanted, expected = nominal_codes(cuts.apply(table))
    assert found.tolist() == wanted.tolist()
    assert sizes.tolist() == expected.tolist()


# Cut points: by hand, by the naive twin, by Weka.
WEKA = Path("/usr/share/java/weka.jar")


def cuts(values, labels, **parameters):
    (found,) = Discretiser(**parameters).fit(as_table(np.c_[values], labels)).cuts
    return found.tolist()


def test_worked_by_hand():
    # gain 1 > (log2 7 + log2 7 - 2) / 8 = 0.452
    assert cuts([1, 2, 3, 4, 5, 6, 7, 8.0], list("aaaabbbb")) == [4.5]
    # the best cut gains 0.311 < (log2 3 + log2 7 - 0.163) / 4 = 1.057
    assert cuts([1.0, 2, 3, 4], list("abab")) == []
    # the first cut gains 0.918 > (log2 17 + log2 25 - 3 log2 3 + 2) / 18 = 0.332
    labels = list("aaaaaabbbbbbcccccc")
    assert cuts([1.0] * 6 + [2.0] * 6 + [5.0] * 6, labels) == [1.5, 3.5]
    # aba gains 0.252 < (log2 17 + log2 7 - 2 * 0.918 + 2) / 18 = 0.392
    assert cuts([1.0] * 6 + [2.0] * 6 + [5.0] * 6, list("aaaaaabbbbbbaaaaaa")) == []


def test_iris_as_published():
    table = load("iris").table()
    found = [c.tolist() for c in Discretiser().fit(table).cuts]
    expected = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == pytest.approx(theirs)


def test_equal_width_and_frequency():
    values = np.array([0.0, 1, 1, 1, 1, 2, 3, 4, 9, 10])
    y = [0, 1] * 5
    assert cuts(values, y, method="width", bins=4) == [2.5, 5.0, 7.5]
    assert cuts(values, y, method="frequency", bins=2) == [1.5]
    assert cuts(values, y, method="frequency", bins=5) == [1.0, 2.5, 6.5]
    assert cuts(np.arange(12.0), [0, 1] * 6, method="frequency", bins=3) == [3.5, 7.5]


@pytest.mark.parametrize("method", ["mdl", "width", "frequency"])
def test_constant_and_unknown_columns_become_one_level(method):
    X = np.array([[1.0, np.nan, 3], [1, np.nan, np.nan], [1, np.nan, 9], [1, np.nan, 9]])
    table = as_table(X, [0, 1, 0, 1])
    out = Discretiser(method, bins=2).fit(table).apply(table)
    assert out.levels[:2] == (("all",), ("all",))
    assert out.nominal.all()
    np.testing.assert_array_equal(out.missing, table.missing)


def test_nominal_columns_stay_and_new_rows_use_the_old_cuts():
    table = as_table([[1.0, "u"], [2.0, "v"], [8.0, "u"], [9.0, "v"]], list("aabb"))
    learned = Discretiser().fit(table)
    other = as_table([[-100.0, "u"], [5.0, "v"], [5.1, "u"]], list("aab"))
    out = learned.apply(other)
    assert out.values.tolist() == [[0, 0], [0, 1], [1, 0]]
    assert out.levels == (("(-inf, 5]", "(5, inf)"), ("u", "v"))
    with pytest.raises(InputError, match="the 2 features .* but has 1"):
        learned.apply(as_table([[1.0], [2.0]], [0, 1]))


def test_labels_differ_where_cuts_are_close():
    table = as_table([[1.0], [1.0 + 1e-15], [1.0 + 2e-15]] * 9, ["a", "b", "c"] * 9)
    out = Discretiser().fit(table).apply(table)
    assert len(set(out.levels[0])) == 3


def test_sentences():
    numeric = as_table([[1.0], [2.0]], [0.5, 1.5])
    with pytest.raises(InputError, match='must be "width" or "frequency" for a numeric target'):
        Discretiser().fit(numeric)
    with pytest.raises(InputError, match="`bins` of Discretiser must be a whole number of at"):
        Discretiser("width", bins=1).fit(numeric)
    with pytest.raises(InputError, match="`method` of Discretiser must be"):
        Discretiser("chi").fit(numeric)


@pytest.mark.skipif(not WEKA.exists() or not shutil.which("java"), reason="needs Weka")
@pytest.mark.parametrize("name", ["glass", "vehicle", "heart-cleveland"])
def test_the_cuts_of_weka(name, dataset, data_folder, tmp_path):
    table = dataset(name).table()
    file = tmp_path / "in.arff"
    file.write_bytes(gzip.decompress((data_folder / f"{name}.arff.gz").read_bytes()))
    command = ["java", "-cp", str(WEKA), "weka.filters.supervised.attribute.Discretize"]
    run = subprocess.run(
        [*command, "-i", file, "-c", "last", "-R", "first-last"], capture_output=True, text=True
    )
    declared = [line for line in run.stdout.splitlines() if line.startswith("@attribute")]
    cuts = Discretiser().fit(table).cuts
    assert len(declared) == table.n_features + 1
    for j in np.flatnonzero(~table.nominal):
        theirs = [float(v) for v in re.findall(r"-(-?[\d.]+)\]", declared[j])]
        assert cuts[j] == pytest.approx(theirs, rel=1e-5), table.names[j]


# Sums by fold and class, joined, are those of the training rows of every fold.
def _mixed_rows(n=200):
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.normal(5.0, 2.0, n), rng.integers(0, 3, n), rng.normal(size=n)])
    values[rng.random(values.shape) < 0.1] = np.nan
    return values, rng.integers(0, 2, n), rng.integers(0, 5, n), rng.random(n) + 0.5


def test_training_sums_are_those_of_the_other_folds():
    values, target, fold, weight = _mixed_rows()
    nominal = np.array([False, True, False])
    sums = ClassSums.nothing(nominal, 3, 4, 2)
    for part in (slice(0, 70), slice(70, 71), slice(71, None)):
        sums.add(values[part], target[part], fold[part], weight[part])
    cases = [(sums.training(f), (fold != f) & (fold < 4)) for f in range(4)]
    for (prior, counts, moments), train in [*cases, (sums.whole(), fold < 4)]:
        rows, of, own = values[train], target[train], weight[train]
        assert_allclose(prior, np.bincount(of, own))
        assert_allclose(counts, naive_level_counts(rows[:, nominal], of, own, 2, 3))
        for found, wanted in zip(
            moments, naive_moments(rows[:, ~nominal], of, own, 2), strict=True
        ):
            assert_allclose(found, wanted, rtol=1e-12)


def test_counts_without_weights_are_exact():
    values, target, fold, _ = _mixed_rows()
    sums = ClassSums.nothing(np.array([False, True, False]), 3, 5, 2)
    sums.add(values, target, fold, np.ones(len(values)))
    assert_array_equal(sums.whole()[0], np.bincount(target))
    assert sums.whole()[1].sum() == np.isfinite(values[:, 1]).sum()


# Moments of groups of rows against numpy, added and taken away.
def _case(seed=0, n=40, d=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 5.0, rng.integers(0, 3, n), rng.random(n) + 0.1


def _check(moments, X, groups, weight):
    for g in range(3):
        part, own = X[groups == g], weight[groups == g]
        assert_allclose(moments.weight[g], own.sum())
        if len(part):
            assert_allclose(moments.mean[g], np.average(part, axis=0, weights=own))
            expected = np.cov(part.T, aweights=own, bias=True) * own.sum()
            assert_allclose(moments.scatter[g], expected, atol=1e-12)


def test_of_rows():
    X, groups, weight = _case()
    moments = Moments.of(X, groups, 3, weight)
    _check(moments, X, groups, weight)
    whole = moments.together()
    away = X - np.average(X, axis=0, weights=weight)
    assert_allclose(whole.scatter[0], (away * weight[:, None]).T @ away)
    centre = np.arange(4.0)
    away = X - centre
    assert_allclose(moments.about(centre), (away * weight[:, None]).T @ away)


@pytest.mark.parametrize("cut", [1, 13, 39])
def test_sums_and_differences(cut):
    X, groups, weight = _case(1)
    first = Moments.of(X[:cut], groups[:cut], 3, weight[:cut])
    second = Moments.of(X[cut:], groups[cut:], 3, weight[cut:])
    _check(first + second, X, groups, weight)
    _check((first + second) - first, X[cut:], groups[cut:], weight[cut:])


def test_a_group_that_is_taken_away_is_gone():
    X, groups, weight = _case(2)
    whole, part = Moments.of(X, groups, 3, weight), groups == 1
    rest = whole - Moments.of(X[part], groups[part], 3, weight[part])
    assert rest.weight[1] == 0.0
    assert (rest.scatter[1] == 0.0).all()
