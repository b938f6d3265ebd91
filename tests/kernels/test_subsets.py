"""Kernels of subsets: contradictions, masks, patterns, hitting sets."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest._kernels.subsets.hitting_set import hitting_sets, lowest, ones
from fewest._kernels.subsets.inconsistencies import count_cells, count_steps, inconsistencies
from fewest._kernels.subsets.lattice_walks import (
    bits_for,
    chain,
    chains,
    find_within,
    hash_keys,
    leave_single,
    outside_majority,
    workspace,
)
from fewest._kernels.subsets.majorities import majority, number_groups, right_by_majority
from fewest._kernels.subsets.masks import (
    count_pairs,
    grow,
    member_sums,
    member_sums_with,
    minimal,
    pair_masks,
    pair_sums,
    pair_sums_with,
)
from fewest._kernels.subsets.pattern_tables import (
    add_dense,
    add_hashed,
    move_table,
    pattern_keys,
    reduce_patterns,
)
from fewest.classifiers._nearest_neighbor import class_rank
from fewest.measures._consistency import patterns as equal_rows
from fewest.measures._consistency.patterns import mask_words
from tests.kernels.code_tables import packed, rows_of, tables
from tests.naive import inconsistency as naive
from tests.naive.entropies import entropy
from tests.naive.joint_counts import joint_counts
from tests.naive.majority import naive_right
from tests.naive.pair_sums import member_sum, pair_sum

# Equal rows in buckets.
# Counting bits multiplies modulo 2**64, of which numpy warns when nothing is compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


@pytest.mark.parametrize("bucket", [2, 16, 8192])
@settings(deadline=None, max_examples=30)
@given(table=tables(most_rows=60))
def test_equal_rows_in_buckets_of_any_size(bucket, table):
    codes, classes, weights, values, rng = table
    words, fields = packed(codes, [values] * len(codes))
    rows, labels = rows_of(codes, classes, weights)
    subset = rng.random(len(codes)) < 0.7
    mask = mask_words(fields, subset, words.shape[1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equal_rows, "ROWS_PER_BUCKET", bucket)
        total = equal_rows.count_outside(words, mask, classes, weights.astype(np.int32), 3)
        mixed, starts = equal_rows.mixed_groups(words, mask, classes)
        often = equal_rows.repeated(words)
    assert total == naive.inconsistency_count(rows, labels, subset)
    groups = {tuple(mixed[a:b].tolist()) for a, b in pairwise(starts)}
    assert groups == naive.mixed_groups(codes.T.tolist(), classes.tolist(), subset)
    assert often.tolist() == naive.occurrences(codes.T.tolist())


# Chains of equal keys against a dictionary.
def test_equal_hashes_are_told_apart_by_the_keys():
    # One place for all keys: every hash is the same.
    keys = np.array([[1], [2], [1], [2], [3]], dtype=np.uint64)
    classes = np.array([0, 0, 1, 0, 1], dtype=np.uint8)
    work = workspace(5, classes, 2)
    n_left = leave_single(np.zeros(5, np.uint64), classes, 5, np.uint64(0), np.uint8(255), work)
    n_chains = chain(keys, np.zeros(5, np.uint64), n_left, np.uint64(0), work)
    assert (n_left, n_chains) == (5, 3)
    assert outside_majority(classes, np.ones(5, np.int32), n_chains, work) == 1


@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_the_weight_outside_the_majority(words, seed):
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, 4, (200, words)).astype(np.uint64)
    classes = rng.integers(0, 3, 200).astype(np.uint8)
    weights = rng.integers(1, 4, 200).astype(np.int32)
    work = workspace(200, classes, 3)
    n_chains = chains(keys, classes, 200, np.uint64(0), np.uint8(255), work)
    groups = {}
    for key, label, weight in zip(keys.tolist(), classes.tolist(), weights.tolist(), strict=True):
        groups.setdefault(tuple(key), Counter())[label] += weight
    expected = sum(g.total() - max(g.values()) for g in groups.values())
    assert outside_majority(classes, weights, n_chains, work) == expected


def test_without_classes_every_key_is_chained():
    keys = np.array([[3], [1], [3], [3], [2]], dtype=np.uint64)
    work = workspace(5, np.zeros(0, np.uint8), 1)
    n_chains = chains(keys, np.zeros(0, np.uint8), 5, np.uint64(0), np.uint8(255), work)
    _, _, _, left, last, before, _ = work
    found = []
    for c in range(n_chains):
        k, members = last[c], []
        while k >= 0:
            members.append(int(left[k]))
            k = before[k]
        found.append(members)
    assert found == [[3, 2, 0], [1], [4]]


def test_hashes_spread_over_their_highest_bits():
    keys = np.arange(4096, dtype=np.uint64)[:, None]
    hashes = np.empty(4096, np.uint64)
    hash_keys(keys, 4096, hashes)
    assert len(set(hashes.tolist())) == 4096
    # 64 keys per place on average; at random a place has between 32 and 112, practically always.
    places = np.bincount((hashes >> np.uint64(58)).astype(np.int64), minlength=64)
    assert 32 < places.min() <= places.max() < 112
    assert [bits_for(n) for n in (1, 64, 65, 1000)] == [6, 6, 7, 10]


# Inconsistency counts against the definition.
def count(codes, sizes, classes, weights, n_classes, subsets):
    words, fields = packed(codes, sizes)
    args = (classes, weights.astype(np.int32), n_classes, np.uint8(255))
    return inconsistencies(words, fields, sizes, *args, subsets)


def in_order(subsets):
    return np.ascontiguousarray(subsets[np.lexsort(subsets.T[::-1])][::-1])


@settings(deadline=None, max_examples=60)
@given(tables())
def test_counts_are_those_of_the_definition(table):
    codes, classes, weights, values, rng = table
    subsets = in_order(rng.random((9, len(codes))) < 0.6)
    counts = count(codes, np.full(len(codes), values), classes, weights, 3, subsets)
    rows, labels = rows_of(codes, classes, weights)
    assert counts.tolist() == [naive.inconsistency_count(rows, labels, s) for s in subsets]


@pytest.mark.parametrize("values", [2, 40])
def test_counts_do_not_depend_on_neighbours(values):
    # Columns that hardly split, so that the stack is full before all levels are on it; with 40
    # values they take several words.
    rng = np.random.default_rng(0)
    codes = (rng.random((12, 60)) < 0.04) * rng.integers(1, values, (12, 60))
    classes = rng.integers(0, 2, 60).astype(np.uint8)
    weights = np.ones(60, dtype=np.int64)
    sizes = np.full(12, values)
    subsets = in_order(rng.random((60, 12)) < 0.8)
    together = count(codes, sizes, classes, weights, 2, subsets)
    alone = [count(codes, sizes, classes, weights, 2, s[None])[0] for s in subsets]
    naively = [naive.inconsistency_count(codes.T.tolist(), classes.tolist(), s) for s in subsets]
    assert together.tolist() == alone == naively


def test_few_patterns_are_counted_in_cells():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, (3, 80))
    classes, weights = rng.integers(0, 2, 80).astype(np.uint8), rng.integers(1, 5, 80)
    words, fields = packed(codes, [3, 3, 3])
    rows, labels = rows_of(codes, classes, weights)
    for subset in ([True, False, True], [False, False, False], [True, True, True]):
        subset = np.array(subset)
        n_bits = 2 * int(subset.sum())
        found = count_cells(words, fields, subset, classes, weights.astype(np.int32), 2, n_bits)
        assert found == naive.inconsistency_count(rows, labels, subset)


def test_values_far_above_the_number_of_rows():
    codes = np.array([[70_000, 5, 70_000, 5]], dtype=np.int32)
    classes = np.array([0, 1, 1, 1], dtype=np.uint8)
    ones_ = np.ones(4, dtype=np.int64)
    counts = count(codes, np.array([70_001]), classes, ones_, 2, np.array([[True]]))
    assert counts.tolist() == [1]


# Inconsistency counts of a subset with one more column against the definition.
@settings(deadline=None, max_examples=60)
@given(tables())
def test_counts_of_steps_are_those_of_the_definition(table):
    codes, classes, weights, values, rng = table
    d = len(codes)
    words, fields = packed(codes, np.full(d, values))
    inside = rng.random(d) < 0.4
    columns = np.flatnonzero(~inside)
    found = count_steps(
        words, fields, np.full(d, values), classes, weights.astype(np.int32), 3,
        np.flatnonzero(inside), columns,
    )  # fmt: skip
    rows, labels = rows_of(codes, classes, weights)
    subsets = [inside | (np.arange(d) == j) for j in columns]
    assert found.tolist() == [naive.inconsistency_count(rows, labels, s) for s in subsets]


# The first set of a size within a number of inconsistencies.
@settings(deadline=None, max_examples=40)
@given(tables(most_columns=8), st.integers(1, 6), st.booleans())
def test_the_first_set_of_a_size_within_a_number_of_inconsistencies(table, most, with_base):
    codes, classes, weights, values, rng = table
    d = len(codes)
    rows, labels = rows_of(codes, classes, weights)
    base = [int(rng.integers(d))] if with_base else []
    columns = [j for j in rng.permutation(d).tolist() if j not in base]
    allowed = int(rng.integers(0, max(1, len(rows) // 3)))
    counts = {
        places: naive.inconsistency_count(
            rows, labels, [j in base or j in {columns[p] for p in places} for j in range(d)]
        )
        for places in combinations(range(len(columns)), most)
    }
    expected = next((places for places, found in counts.items() if found <= allowed), None)
    if len(columns) < most:
        return
    words, fields = packed(codes, [values] * d)
    of = (classes, weights.astype(np.int32), 3)
    place, sizes = np.zeros(most, np.int64), np.full(d, values)
    args = (np.array(base, np.int64), np.array(columns, np.int64), place, allowed)
    answer = find_within(words, fields, sizes, of, *args, np.zeros(1, np.int64))
    assert answer == (expected is not None)
    assert expected is None or tuple(place) == expected
    assert find_within(words, fields, sizes, of, *args, np.ones(1, np.int64)) == -1


# Majority classes of equal rows against a dictionary.
@pytest.mark.parametrize("seed", range(8))
def test_right_rows_are_those_of_the_naive_table(seed):
    rng = np.random.default_rng(seed)
    # Columns with more than 64 bits together.
    sizes = [3, 2, 5, 1 << 30, 2, 1 << 31, 4]
    rows = rng.integers(0, np.minimum(sizes, 5), (60, 7))
    classes = rng.integers(0, 3, 60)
    words, fields = packed(rows.T, sizes)
    subsets = rng.random((10, 7)) < 0.4
    masks = np.array([mask_words(fields, s, words.shape[1]) for s in subsets])
    parts = np.split(rng.permutation(60), 3)
    splits = [(np.concatenate(parts[:f] + parts[f + 1 :]), parts[f]) for f in range(3)]
    ranks = np.array([class_rank(np.bincount(classes[a], minlength=3)) for a, _ in splits])
    right = np.zeros((10, 3), np.int64)
    right_by_majority(
        words, masks, classes, 3, np.concatenate([a for a, _ in splits]), np.arange(0, 121, 40),
        np.concatenate([b for _, b in splits]), np.arange(0, 61, 20), ranks, right,
    )  # fmt: skip
    for subset, found in zip(subsets, right, strict=True):
        columns = np.flatnonzero(subset)
        expected = [naive_right(rows.tolist(), classes.tolist(), columns, *s) for s in splits]
        assert found.tolist() == expected


def test_groups_of_equal_rows_by_hand():
    words = np.array([[0b01], [0b10], [0b01], [0b11]], dtype=np.uint64)
    group, places = np.zeros(4, np.int32), np.zeros(8, np.int32)
    assert number_groups(words, np.array([0b11], np.uint64), places, group) == 3
    assert group.tolist() == [0, 1, 0, 2]
    assert number_groups(words, np.array([0b10], np.uint64), places, group) == 2
    assert group.tolist() == [0, 1, 0, 1]


def test_equal_counts_go_to_the_higher_rank():
    counts = np.array([9, 2, 2, 1], np.int32)
    assert majority(counts, 1, 3, np.array([0, 1, 2])) == 1
    assert majority(counts, 1, 3, np.array([2, 1, 0])) == 0


#
SIZES = np.array([2, 3, 4, 9])


def _rows(seed=0, n=300):
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, size, n) for size in SIZES], dtype=np.uint16)
    return codes, rng.integers(0, 3, n).astype(np.uint16), rng.integers(1, 4, n).astype(float)


def test_a_dense_table_counts_weights_by_pattern_and_class():
    codes, target, weight = _rows()
    counts = np.zeros((8, 3))
    add_dense(codes, np.array([0, 2]), np.array([4, 1]), target, weight, counts)
    rows = np.repeat(np.arange(300), weight.astype(int))
    wanted = joint_counts(codes[0][rows], codes[2][rows], target[rows])
    for (a, b, c), count in np.ndenumerate(counts.reshape(2, 4, 3)):
        assert count == wanted[a, b, c]


@pytest.mark.parametrize("bits", [(1, 2, 2, 4), (16, 16, 16, 16), (60, 60, 60, 60)])
def test_equal_patterns_and_only_these_have_equal_keys(bits):
    codes, _, _ = _rows()
    keys = pattern_keys(codes, np.arange(4), np.array(bits))
    rows = {tuple(row) for row in codes.T.tolist()}
    assert len({tuple(key) for key in keys.tolist()}) == len(rows)
    both = {
        (tuple(row), tuple(key)) for row, key in zip(codes.T.tolist(), keys.tolist(), strict=True)
    }
    assert len(both) == len(rows)


def _table(slots):
    return np.zeros((slots, 2), dtype=np.uint64), np.zeros(slots), np.zeros((slots, 3))


def test_hashed_parts_add_up_to_all_patterns_and_a_full_table_says_where_it_stopped():
    codes, target, weight = _rows()
    keys = pattern_keys(codes, np.arange(4), np.array([1, 2, 2, 4]))
    everything = _table(1024)
    used, row = add_hashed(keys, target, weight, 0, 0, np.uint64(0), 600, 0, *everything)
    assert (used, row) == (len({tuple(r) for r in codes.T.tolist()}), 300)
    halves = np.zeros(3)
    for part in (0, 1):
        table = _table(1024)
        add_hashed(keys, target, weight, 0, 1, np.uint64(part), 600, 0, *table)
        halves += reduce_patterns(table[2])
        moved = _table(2048)
        half = move_table(*everything, 1, np.uint64(part), *moved)
        assert half == (table[1] > 0).sum()
        assert reduce_patterns(moved[2]) == pytest.approx(reduce_patterns(table[2]))
    assert halves == pytest.approx(reduce_patterns(everything[2]))
    used, row = add_hashed(keys, target, weight, 0, 0, np.uint64(0), 10, 0, *_table(64))
    assert used == 10
    assert len({tuple(r) for r in codes.T[:row].tolist()}) == 10


def test_reduced_patterns_are_the_naive_inconsistency_and_entropies():
    codes, target, _ = _rows()
    counts = np.zeros((8, 3))
    add_dense(codes, np.array([0, 2]), np.array([4, 1]), target, np.ones(300), counts)
    outside, alone, with_class = reduce_patterns(counts)
    groups = joint_counts(codes[0], codes[2], target)
    largest = {}
    for (a, b, _), count in groups.items():
        largest[a, b] = max(largest.get((a, b), 0), count)
    assert outside == 300 - sum(largest.values())
    assert np.log2(300) - alone / 300 == pytest.approx(entropy(codes[0], codes[2]))
    assert np.log2(300) - with_class / 300 == pytest.approx(entropy(codes[0], codes[2], target))


# Masks of the columns that tell pairs of rows apart.
@settings(deadline=None, max_examples=40)
@given(tables(most_rows=12))
def test_pairs_are_told_apart_by_the_columns_that_differ(table):
    codes, classes, _, values, _ = table
    words, fields = packed(codes, [values] * len(codes))
    starts = np.array([0, len(classes)], dtype=np.int32)
    total = count_pairs(classes, starts)
    masks = pair_masks(words, fields, classes, starts, 1, total)
    found = {frozenset(j for j in range(len(codes)) if int(w) >> j & 1) for w in masks[:, 0]}
    assert found == naive.pairs_apart(codes.T.tolist(), classes.tolist())


def test_more_than_64_columns_take_two_words():
    codes = np.zeros((70, 2), dtype=np.uint8)
    codes[[3, 66], 1] = 1
    words, fields = packed(codes, [3] * 70)
    ends = np.array([0, 2], np.int32)
    masks = pair_masks(words, fields, np.array([0, 1], np.uint8), ends, 1, 1)
    assert masks.tolist() == [[1 << 3, 1 << 2]]


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(1, 255), min_size=1, max_size=30, unique=True))
def test_minimal_masks(masks):
    masks = sorted(masks, key=lambda m: (m.bit_count(), m))
    words = np.array(masks, dtype=np.uint64)[:, None]
    kept = words[minimal(words, 100), 0].tolist()
    sets = {frozenset(j for j in range(8) if m >> j & 1) for m in masks}
    expected = naive.minimal_masks(sets)
    assert {frozenset(j for j in range(8) if m >> j & 1) for m in kept} == expected


@settings(deadline=None, max_examples=40)
@given(tables())
def test_grown_sets_fail_and_every_larger_one_does_not(table):
    codes, classes, weights, values, rng = table
    rows, labels = rows_of(codes, classes, weights)
    nothing = np.zeros(len(codes), dtype=bool)
    allowed = naive.inconsistency_count(rows, labels, nothing) // 2
    if naive.inconsistency_count(rows, labels, nothing) <= allowed:
        return
    sizes = np.full(len(codes), values)
    order = rng.permutation(len(codes))
    words, fields = packed(codes, sizes)
    of = (classes, weights.astype(np.int32))
    grown = grow(words, fields, sizes, *of, 3, nothing, order, allowed)
    assert naive.inconsistency_count(rows, labels, grown) > allowed
    for j in np.flatnonzero(~grown):
        more = grown.copy()
        more[j] = True
        assert naive.inconsistency_count(rows, labels, more) <= allowed


# Sums over members and pairs: by hand, and the same to the last bit for steps.
def problem(d=9, m=30, seed=0):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(d, d))
    return rng.normal(size=d), matrix + matrix.T, rng.random((m, d)) < rng.random((m, 1))


def test_sums_by_hand():
    worth, matrix, candidates = problem()
    members = [np.flatnonzero(row).tolist() for row in candidates]
    assert member_sums(worth, candidates) == pytest.approx([member_sum(worth, s) for s in members])
    assert pair_sums(matrix, candidates) == pytest.approx([pair_sum(matrix, s) for s in members])


@pytest.mark.parametrize("members", [[], [4], [0, 3, 8], [1, 2, 5, 7]])
def test_a_step_has_the_sums_of_the_subset_to_the_last_bit(members):
    worth, matrix, _ = problem(seed=len(members))
    members = np.array(members, dtype=np.intp)
    added = np.setdiff1d(np.arange(9), members)
    rows = np.zeros((len(added), 9), dtype=bool)
    rows[:, members] = True
    rows[np.arange(len(added)), added] = True
    assert member_sums_with(worth, members, added).tolist() == member_sums(worth, rows).tolist()
    columns = np.ascontiguousarray(matrix[members])
    assert pair_sums_with(columns, members, added).tolist() == pair_sums(matrix, rows).tolist()


# All small hitting sets, against trying all.
def hit(masks, costs, limit, most=500):
    masks = sorted(masks, key=lambda m: (m.bit_count(), m))
    found = np.zeros(most, dtype=np.uint64)
    costs = np.asarray(costs, dtype=float)
    n = hitting_sets(
        np.array(masks, dtype=np.uint64), costs, np.ones(len(costs)), np.uint64(0), np.uint64(0),
        limit + 1e-9, 64.0, costs.min(), np.zeros(1, np.int64), np.array([0, 1 << 62]), found,
    )  # fmt: skip
    return found[:n].tolist()


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.integers(1, 255), min_size=1, max_size=25, unique=True),
    st.integers(1, 6),
    st.booleans(),
)
def test_hitting_sets_are_all_there_are(masks, limit, priced):
    costs = [1.0 + priced * (j % 3) / 2 for j in range(8)]
    sets = [frozenset(j for j in range(8) if m >> j & 1) for m in masks]
    expected = {sum(1 << c for c in chosen) for chosen in naive.hitting_sets(sets, costs, limit)}
    found = hit(masks, costs, limit)
    assert len(found) == len(set(found))
    assert expected <= set(found)
    assert all(word & mask for word in found for mask in masks)
    assert all(sum(c for j, c in enumerate(costs) if w >> j & 1) <= limit + 1e-9 for w in found)


def test_the_search_gives_up_when_asked():
    found = np.zeros(1, dtype=np.uint64)
    masks = np.array([3, 12, 48], dtype=np.uint64)
    stopped = hitting_sets(
        masks, np.ones(6), np.ones(6), np.uint64(0), np.uint64(0), 3.0, 6.0, 1.0,
        np.ones(1, np.int64), np.array([0, 100]), found,
    )  # fmt: skip
    assert stopped == -1


def test_bits():
    for word in (1, 2, 3, 1 << 63, (1 << 64) - 1, 0xF0F0):
        assert ones(np.uint64(word)) == word.bit_count()
        assert lowest(np.uint64(word)) == (word & -word).bit_length() - 1
