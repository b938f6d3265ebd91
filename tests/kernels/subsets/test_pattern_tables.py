import numpy as np
import pytest

from fewest._kernels.subsets.pattern_tables import (
    add_dense,
    add_hashed,
    move_table,
    pattern_keys,
    reduce_patterns,
)
from tests.naive.entropies import entropy
from tests.naive.joint_counts import joint_counts

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
