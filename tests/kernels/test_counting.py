"""Kernels of counting: tables, cut points, bit planes, patterns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

from fewest._kernels.counting.bitplanes import (
    configurations,
    fill_configurations,
    joint_counts,
    mask_sizes,
    pack_planes,
    room_for_masks,
)
from fewest._kernels.counting.counts import (
    add_tables,
    add_weighted_tables,
    column_entropies,
    family_counts,
    join_columns,
    pair_entropies,
    sparse_entropies,
    subset_entropies,
    triple_counts,
    weighted_column_entropies,
    weighted_pair_entropies,
    weighted_subset_entropies,
    weighted_triple_counts,
)
from fewest._kernels.counting.cut_points import mdl_cuts
from fewest._kernels.counting.row_patterns import count_mixed, count_split, refine, whole
from tests.discrete_rows import CARDS, tangled
from tests.kernels.code_tables import packed, rows_of, tables
from tests.naive import inconsistency
from tests.naive import joint_counts as naive_joint
from tests.naive import mdl_cuts as naive_cuts
from tests.naive.entropies import entropy


# Counts by bit planes against counting rows.
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


#
def _columns(rng, n=60, cardinalities=(2, 3, 5, 1)):
    codes = np.stack([rng.integers(0, r, n) for r in cardinalities]).astype(np.int32)
    return codes, np.array(cardinalities), rng.integers(0, 3, n)


def test_pair_entropies_equal_the_naive_ones():
    codes, cardinalities, target = _columns(np.random.default_rng(0))
    pairs, triples = pair_entropies(codes, cardinalities, target, 3)
    for i, a in enumerate(codes):
        for j, b in enumerate(codes):
            assert pairs[i, j] == pytest.approx(entropy(a, b), abs=1e-12)
            assert triples[i, j] == pytest.approx(entropy(a, b, target), abs=1e-12)


def test_columns_with_many_values_give_the_same_by_sorting():
    rng = np.random.default_rng(1)
    codes, cardinalities, target = _columns(rng, 80, (70, 60, 2))
    pairs, triples = pair_entropies(codes, cardinalities, target, 3)
    assert pairs[0, 1] == pytest.approx(entropy(codes[0], codes[1]), abs=1e-12)
    assert triples[1, 0] == pytest.approx(entropy(codes[0], codes[1], target), abs=1e-12)


def test_subset_entropies_equal_the_naive_ones_for_every_subset():
    codes, cardinalities, target = _columns(np.random.default_rng(2))
    candidates = np.array([[(s >> i) & 1 for i in range(4)] for s in range(16)], dtype=bool)
    found = subset_entropies(codes, cardinalities, target, 3, candidates)
    for row, (alone, with_class) in zip(candidates, found, strict=True):
        columns = list(codes[row])
        assert alone == pytest.approx(entropy(*columns) if columns else 0.0, abs=1e-12)
        assert with_class == pytest.approx(entropy(*columns, target), abs=1e-12)


def test_triple_counts_count_each_row_once():
    codes, _, target = _columns(np.random.default_rng(3))
    counts = triple_counts(codes[0], codes[1], target, 2, 3, 3)
    for cell in np.ndindex(2, 3, 3):
        here = (codes[0] == cell[0]) & (codes[1] == cell[1]) & (target == cell[2])
        assert counts[cell] == here.sum()


def test_family_counts_skip_rows_with_unknown_members():
    codes, cardinalities, _ = _columns(np.random.default_rng(4))
    codes[0, :10] = -1
    codes[3, :] = -1
    members = np.array([2, 0])
    weight = np.arange(60.0)
    counts = family_counts(codes, members, cardinalities[members], weight).reshape(5, 2)
    for cell in np.ndindex(5, 2):
        assert counts[cell] == weight[(codes[2] == cell[0]) & (codes[0] == cell[1])].sum()


@pytest.mark.parametrize("cardinalities", [(2, 3, 5, 1), (50, 40, 2)])
def test_weights_stand_for_so_many_rows(cardinalities):
    rng = np.random.default_rng(5)
    codes, sizes, target = _columns(rng, 60, cardinalities)
    times = rng.integers(0, 4, 60)
    # Entropies speak of shares: a common factor of the weights changes nothing.
    pairs, triples = weighted_pair_entropies(codes, sizes, target, 3, times * 0.3)
    many, labels = np.repeat(codes, times, axis=1), np.repeat(target, times)
    for i, a in enumerate(many):
        for j, b in enumerate(many):
            assert pairs[i, j] == pytest.approx(entropy(a, b), abs=1e-12)
            assert triples[i, j] == pytest.approx(entropy(a, b, labels), abs=1e-12)


@pytest.mark.parametrize("cardinalities", [(2, 3, 5, 1), (50, 40, 2)])
def test_one_column_at_a_time_gives_the_same_bits(cardinalities):
    rng = np.random.default_rng(6)
    codes, sizes, target = _columns(rng, 60, cardinalities)
    weight = rng.random(60)
    plain = pair_entropies(codes, sizes, target, 3)
    weighed = weighted_pair_entropies(codes, sizes, target, 3, weight)
    for j in range(len(codes)):
        column = column_entropies(codes, sizes, target, 3, j)
        assert column.tolist() == [plain[0][:, j].tolist(), plain[1][:, j].tolist()]
        column = weighted_column_entropies(codes, sizes, target, 3, weight, j)
        assert column.tolist() == [weighed[0][:, j].tolist(), weighed[1][:, j].tolist()]
    alone = column_entropies(codes, sizes, target, 3, -1)
    assert alone.tolist() == [np.diag(part).tolist() for part in plain]
    alone = weighted_column_entropies(codes, sizes, target, 3, weight, -1)
    assert alone.tolist() == [np.diag(part).tolist() for part in weighed]


# Entropies and counts of weighed rows equal those of repeated rows.
@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    sizes = np.array([3, 2, 40], dtype=np.int64)
    codes = np.array([rng.integers(0, size, 50) for size in sizes], dtype=np.int32)
    return codes, sizes, rng.integers(0, 3, 50), rng.integers(1, 5, 50)


def test_subsets(rows):
    codes, sizes, target, times = rows
    subsets = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=bool)
    found = weighted_subset_entropies(codes, sizes, target, 3, times.astype(float), subsets)
    again = np.repeat(np.arange(50), times)
    many = (np.ascontiguousarray(codes[:, again]), sizes, target[again], 3)
    assert_allclose(found, subset_entropies(*many, subsets), atol=1e-12)
    for subset, (alone, joint) in zip(subsets, found, strict=True):
        columns = [codes[j, again].tolist() for j in np.flatnonzero(subset)]
        assert alone == pytest.approx(entropy(*columns) if columns else 0.0)
        assert joint == pytest.approx(entropy(*columns, target[again].tolist()))


def test_pairs(rows):
    codes, sizes, target, times = rows
    again = np.repeat(np.arange(50), times)
    found = weighted_pair_entropies(codes, sizes, target, 3, times.astype(float))
    many = (np.ascontiguousarray(codes[:, again]), sizes, target[again], 3)
    assert_allclose(found, pair_entropies(*many), atol=1e-12)


def test_triples(rows):
    codes, sizes, target, times = rows
    again = np.repeat(np.arange(50), times)
    a, b, _ = codes
    found = weighted_triple_counts(a, b, target, 3, 2, 3, times.astype(float))
    assert (found == triple_counts(a[again], b[again], target[again], 3, 2, 3)).all()


# Entropies of sparse columns against a count of all cells.
@pytest.mark.parametrize("seed", range(4))
def test_entropies_are_those_of_the_dense_columns(seed):
    rng = np.random.default_rng(seed)
    n, d = 25, 5
    codes = rng.integers(0, 3, size=(n, d)) * (rng.random((n, d)) < 0.3)
    zero = np.zeros(d, dtype=np.int64)
    stored = codes != 0
    stored[0, 1] = True  # A stored value may have the code of the zeros.
    indptr = np.append(0, np.cumsum(stored.sum(axis=0))).astype(np.int64)
    indices = np.concatenate([np.flatnonzero(stored[:, j]) for j in range(d)])
    kept = np.concatenate([codes[stored[:, j], j] for j in range(d)])
    target, other = rng.integers(0, 2, n), rng.integers(0, 3, n)
    cardinalities = np.full(d, 3, dtype=np.int64)
    found = sparse_entropies(indptr, indices, kept, zero, cardinalities, other, 3, target, 2)
    for j in range(d):
        pairs = list(zip(codes[:, j].tolist(), other.tolist(), strict=True))
        triples = list(zip(codes[:, j].tolist(), other.tolist(), target.tolist(), strict=True))
        assert found[0, j] == pytest.approx(entropy(pairs), abs=1e-12)
        assert found[1, j] == pytest.approx(entropy(triples), abs=1e-12)


#
SIZES = np.array([2, 3, 4], dtype=np.int64)


def _codes(rng, n=200):
    codes = np.array([rng.integers(0, size, n) for size in SIZES], dtype=np.uint16)
    return codes, rng.integers(0, 2, n).astype(np.uint16)


def _plan():
    # Columns 0 and 1 are one group, column 2 another; the second table has one group only.
    strides, first = np.array([4, 1]), np.array([0, 1])
    return strides, first, np.array([1, 2]), np.array([0, 48, 56])


def test_joined_columns_are_numbers_with_the_last_column_fastest():
    codes, _ = _codes(np.random.default_rng(0))
    joined = join_columns(codes, SIZES, np.array([0, 2, 3]))
    assert joined[0].tolist() == [3 * int(a) + int(b) for a, b in zip(*codes[:2], strict=True)]
    assert joined[1].tolist() == codes[2].tolist()
    assert not joined[2].any()


def test_tables_are_the_counts_of_a_dictionary_over_several_batches():
    counts = np.zeros(56, dtype=np.int64)
    everything = []
    for seed in range(3):
        codes, target = _codes(np.random.default_rng(seed))
        everything.append(np.vstack([codes, target]))
        joined = join_columns(codes, SIZES, np.array([0, 2, 3]))
        add_tables(joined, *_plan(), target, 2, counts)
    a, b, c, y = np.hstack(everything)
    wanted = naive_joint.joint_counts(a, b, c, y)
    for cell, count in np.ndenumerate(counts[:48].reshape(2, 3, 4, 2)):
        assert count == wanted[cell]
    alone = naive_joint.joint_counts(c, y)
    for cell, count in np.ndenumerate(counts[48:].reshape(4, 2)):
        assert count == alone[cell]


def test_weights_count_as_repeated_rows():
    codes, target = _codes(np.random.default_rng(5))
    weight = np.random.default_rng(6).integers(0, 4, len(target))
    starts = np.array([0, 2, 3])
    weighted, repeated = np.zeros(56), np.zeros(56, dtype=np.int64)
    joined = join_columns(codes, SIZES, starts)
    add_weighted_tables(joined, *_plan(), target, 2, weight.astype(float), weighted)
    rows = np.repeat(np.arange(len(target)), weight)
    joined = join_columns(np.ascontiguousarray(codes[:, rows]), SIZES, starts)
    add_tables(joined, *_plan(), target[rows], 2, repeated)
    assert weighted.tolist() == repeated.tolist()


#
def _prefix(values, y, n_classes):
    distinct, block = np.unique(values, return_inverse=True)
    prefix = np.zeros((len(distinct) + 1, n_classes), dtype=np.int64)
    np.add.at(prefix[1:], (block, y), 1)
    return distinct, np.cumsum(prefix, axis=0)


@pytest.mark.parametrize("seed", range(8))
def test_cuts_equal_the_naive_ones(seed):
    rng = np.random.default_rng(seed)
    n_classes = 2 + seed % 3
    y = rng.integers(0, n_classes, 70)
    values = np.round(y * rng.choice([0, 1, 3], 70) + rng.normal(size=70), seed % 3)
    distinct, prefix = _prefix(values, y, n_classes)
    at = np.flatnonzero(mdl_cuts(prefix))
    cuts = (distinct[at - 1] + distinct[at]) / 2
    assert cuts == pytest.approx(naive_cuts.mdl_cuts(values.tolist(), y.tolist()))


def test_many_classes_do_not_overflow():
    y = np.repeat(np.arange(900), 3)
    values = np.where(y < 450, 0.0, 1.0)
    _, prefix = _prefix(values, y, 900)
    assert mdl_cuts(prefix).tolist() == [False, True, False]
    assert naive_cuts.mdl_cuts(values.tolist(), y.tolist()) == [0.5]


# Partitions of rows against the groups of equal patterns, refined column by column.
# Counting bits multiplies modulo 2**64, of which numpy warns when nothing is compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


def everything(classes):
    """All rows as one group, with room for the parts of a split."""
    n = len(classes)
    rows, starts = np.empty(n, np.int32), np.empty(n + 2, np.int32)
    return rows, starts, whole(classes, rows, starts)


def split(words, field, classes, partition, scratch):
    """The parts of a partition by one more column."""
    rows, starts, n_groups = partition
    parts, part_starts = np.empty_like(rows), np.empty_like(starts)
    n = refine(words, field, classes, rows, starts, n_groups, parts, part_starts, scratch)
    return parts, part_starts, n


def groups(partition):
    """The rows of each group, as sets of tuples."""
    rows, starts, n = partition
    return {tuple(sorted(rows[starts[g] : starts[g + 1]].tolist())) for g in range(n)}


@settings(deadline=None, max_examples=60)
@given(tables())
def test_each_split_leaves_the_groups_with_several_classes(table):
    codes, classes, weights, values, rng = table
    words, fields = packed(codes, np.full(len(codes), values))
    rows, labels = rows_of(codes, classes, weights)
    scratch, weight = np.zeros((3, values), np.int32), np.zeros(3, np.int64)
    cells, largest = np.zeros(values * 3, np.int64), np.zeros(values, np.int64)
    inside = np.zeros(len(codes), dtype=bool)
    partition = everything(classes)
    for column in rng.permutation(len(codes)):
        inside[column] = True
        ahead = count_split(
            words, fields[column], classes, weights, *partition, 3, cells, largest
        )  # fmt: skip
        partition = split(words, fields[column], classes, partition, scratch)
        assert groups(partition) == inconsistency.mixed_groups(
            codes.T.tolist(), classes.tolist(), inside
        )
        expected = inconsistency.inconsistency_count(rows, labels, inside)
        assert count_mixed(classes, weights, *partition, weight) == expected
        assert ahead == expected
        # The work arrays are as clean as before, so that the next split can use them.
        assert not scratch[0].any()
        assert not any(array.any() for array in (weight, cells, largest))


def test_rows_of_one_class_are_no_group():
    assert everything(np.zeros(4, np.uint8))[2] == 0
    assert groups(everything(np.array([0, 0, 1], np.uint8))) == {(0, 1, 2)}
