"""Partitions and masks against their naive twins."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.kernels.subsets.chains import chain, leave_single, outside_majority, workspace
from fewest.kernels.subsets.hitting_set import hitting_sets, lowest, ones
from fewest.kernels.subsets.inconsistencies import count_cells, inconsistencies
from fewest.kernels.subsets.lattice import find_within
from fewest.kernels.subsets.masks import count_pairs, grow, minimal, pair_masks
from fewest.measures.consistency import equal_rows
from fewest.measures.consistency.packing import layout, mask_words
from tests.naive import inconsistency as naive

# Counting bits multiplies modulo 2**64, of which numpy warns when nothing is compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


@st.composite
def tables(draw, most_rows=24, most_columns=5):
    n = draw(st.integers(1, most_rows))
    d = draw(st.integers(1, most_columns))
    seed = draw(st.integers(0, 2**32 - 1))
    values = draw(st.integers(1, 4))
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, values, (d, n)).astype(np.uint8)
    classes = rng.integers(0, draw(st.integers(1, 3)), n).astype(np.uint8)
    weights = rng.integers(1, 4, n).astype(np.int64)
    return codes, classes, weights, values, rng


def rows_of(codes, classes, weights):
    """The rows, each as often as it weighs."""
    rows = np.repeat(codes.T, weights, axis=0).tolist()
    return rows, np.repeat(classes, weights).tolist()


def packed(codes, sizes):
    """The rows in words, a few bits a column; a column never lies across two words."""
    fields = layout([int(size) for size in sizes])
    words = np.zeros((codes.shape[1], fields[-1, 0] + 1), dtype=np.uint64)
    for column, (word, shift, _) in zip(codes, fields, strict=True):
        words[:, word] |= column.astype(np.uint64) << np.uint64(shift)
    return words, fields


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
        patch.setattr(equal_rows, "BUCKET", bucket)
        total = equal_rows.count_outside(words, mask, classes, weights.astype(np.int32), 3)
        mixed, starts = equal_rows.mixed_groups(words, mask, classes)
        often = equal_rows.repeated(words)
    assert total == naive.inconsistency_count(rows, labels, subset)
    groups = {tuple(mixed[a:b].tolist()) for a, b in pairwise(starts)}
    assert groups == naive.mixed_groups(codes.T.tolist(), classes.tolist(), subset)
    assert often.tolist() == naive.occurrences(codes.T.tolist())


def test_equal_hashes_are_told_apart_by_the_keys():
    # One place for all keys: every hash is the same.
    keys = np.array([[1], [2], [1], [2], [3]], dtype=np.uint64)
    classes = np.array([0, 0, 1, 0, 1], dtype=np.uint8)
    work = workspace(5, classes, 2)
    n_left = leave_single(np.zeros(5, np.uint64), classes, 5, np.uint64(0), np.uint8(255), work)
    n_chains = chain(keys, np.zeros(5, np.uint64), n_left, np.uint64(0), work)
    assert (n_left, n_chains) == (5, 3)
    assert outside_majority(classes, np.ones(5, np.int32), n_chains, work) == 1


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
