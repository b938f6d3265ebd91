import numpy as np

from fewest._kernels.counting.counts import add_tables, add_weighted_tables, join_columns
from tests.naive.joint_counts import joint_counts

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
    wanted = joint_counts(a, b, c, y)
    for cell, count in np.ndenumerate(counts[:48].reshape(2, 3, 4, 2)):
        assert count == wanted[cell]
    alone = joint_counts(c, y)
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
