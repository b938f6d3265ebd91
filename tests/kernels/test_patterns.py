"""Partitions and masks against their naive twins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.kernels.hitting_set import hitting_sets, lowest, ones
from fewest.kernels.masks import count_pairs, grow, minimal, pair_masks
from fewest.kernels.patterns import inconsistencies, mixed_groups
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


@settings(deadline=None, max_examples=60)
@given(tables())
def test_counts_are_those_of_the_definition(table):
    codes, classes, weights, values, rng = table
    subsets = rng.random((9, len(codes))) < 0.6
    sizes = np.full(len(codes), values)
    counts = inconsistencies(codes, sizes, classes, weights, 3, subsets)
    rows, labels = rows_of(codes, classes, weights)
    assert counts.tolist() == [naive.inconsistency_count(rows, labels, s) for s in subsets]


def test_counts_do_not_depend_on_neighbours_when_the_stack_is_full():
    # Twelve columns that hardly split, so that levels of the stack are overwritten.
    rng = np.random.default_rng(0)
    codes = (rng.random((12, 60)) < 0.04).astype(np.uint8)
    classes = rng.integers(0, 2, 60).astype(np.uint8)
    weights = np.ones(60, dtype=np.int64)
    sizes = np.full(12, 2)
    subsets = rng.random((40, 12)) < 0.8
    subsets = subsets[np.lexsort(subsets.T[::-1])][::-1].copy()
    together = inconsistencies(codes, sizes, classes, weights, 2, subsets)
    alone = [inconsistencies(codes, sizes, classes, weights, 2, s[None])[0] for s in subsets]
    naively = [naive.inconsistency_count(codes.T.tolist(), classes.tolist(), s) for s in subsets]
    assert together.tolist() == alone == naively


def test_values_far_above_the_number_of_rows():
    codes = np.array([[70_000, 5, 70_000, 5]], dtype=np.int32)
    classes = np.array([0, 1, 1, 1], dtype=np.uint8)
    ones_ = np.ones(4, dtype=np.int64)
    counts = inconsistencies(codes, np.array([70_001]), classes, ones_, 2, np.array([[True]]))
    assert counts.tolist() == [1]


@settings(deadline=None, max_examples=40)
@given(tables(most_rows=12))
def test_pairs_are_told_apart_by_the_columns_that_differ(table):
    codes, classes, _, values, _ = table
    nothing = np.zeros(len(codes), dtype=bool)
    rows, starts = mixed_groups(codes, np.full(len(codes), values), classes, nothing)
    together = np.ascontiguousarray(codes[:, rows].T)
    total = count_pairs(classes[rows], starts)
    words = pair_masks(together, classes[rows], starts, 1, total)
    found = {frozenset(j for j in range(len(codes)) if int(w) >> j & 1) for w in words[:, 0]}
    assert found == naive.pairs_apart(codes.T.tolist(), classes.tolist())


def test_more_than_64_columns_take_two_words():
    codes = np.zeros((2, 70), dtype=np.uint8)
    codes[1, [3, 66]] = 1
    words = pair_masks(codes, np.array([0, 1], np.uint8), np.array([0, 2], np.int32), 1, 1)
    assert words.tolist() == [[1 << 3, 1 << 2]]


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
    grown = grow(codes, sizes, classes, weights, 3, nothing, order, allowed)
    assert naive.inconsistency_count(rows, labels, grown) > allowed
    for j in np.flatnonzero(~grown):
        more = grown.copy()
        more[j] = True
        assert naive.inconsistency_count(rows, labels, more) <= allowed


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
