"""Splits of whole rows: flags, and the same cuts as with weights."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.trees import split as tree_split
from fewest._kernels.trees import whole as tree_whole
from tests.kernels.opened import opened


def sorted_lists(seed, n, values):
    """Rows of three classes in the order of their ranks; -1 is unknown."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, values, (1, n)).astype(np.int32)
    classes = rng.integers(0, 3, n).astype(np.uint32)
    known = np.argsort(codes[0], kind="stable")[(codes[0] < 0).sum() :]
    return codes, classes, known.astype(np.uint32)[None]


@pytest.mark.parametrize("n", [3, 5, 40, 200])
@pytest.mark.parametrize(("least", "gap"), [(1, 0), (2, 0), (1, 1)])
def test_whole_and_weighted_cuts_agree(n, least, gap):
    codes, classes, lists = sorted_lists(n, n, 150 if n > 100 else 6)
    n_known = lists.shape[1]
    counts = np.zeros((3, 3), np.int64)
    counts[0] = np.bincount(classes[lists[0]], minlength=3)
    whole = np.arange(n + 1, dtype=float)
    whole[1:] *= np.log2(whole[1:])
    fixed = np.round(whole * 2.0**40).astype(np.int64)
    outer, steps = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    inside = opened(tree_whole.fill_tables)(fixed, counts, 0, n_known, outer, steps)
    # Equal ranks are one value, and with gaps also neighbours of some ranks.
    above = np.arange(1, 151) + (np.arange(150) % 3 == 0) * gap
    given = (lists, 0, 0, n_known, codes[0], above, classes)
    weights, weighed = np.ones((2, n)), opened(tree_split.cut_weights)
    cuts = {
        opened(tree_whole.sweep)(*given, counts, 0, inside, least, outer, steps, 100),
        weighed(*given, 3, weights, float(least), np.zeros((5, 3)))[0],
    }
    assert len(cuts) == 1
    (cut,) = cuts
    ranks = codes[0, lists[0]]
    assert cut == 0 or ranks[cut] >= above[ranks[cut - 1]]
    apart = [i for i in range(least, n_known - least + 1) if ranks[i] >= above[ranks[i - 1]]]
    assert opened(tree_whole.count_cuts)(lists, 0, 0, n_known, *given[4:6], least) == len(apart)
    tally = np.zeros((5, 3), np.int64)
    opened(tree_whole.count_sides)(lists, 0, 0, n_known, cut, classes, counts, 0, tally)
    assert tally[0].tolist() == np.bincount(classes[lists[0, :cut]], minlength=3).tolist()
    assert (tally[0] + tally[1]).tolist() == counts[0].tolist()


@pytest.mark.parametrize("n", [0, 1, 2, 7, 200, 255])
def test_flags_are_counted(n):
    flags = np.random.default_rng(n).integers(0, 2**64, (n + 1, 1), dtype=np.uint64)
    sums = np.full((2, 64), 5)
    lists = np.arange(1, n + 1, dtype=np.uint32)[None]
    add_bits = opened(tree_whole.add_bits)
    add_bits(flags, 0, lists, 0, n, 0, True, np.zeros(8, np.uint64), sums)
    add_bits(flags, 0, lists, 0, n, 1, False, np.zeros(8, np.uint64), sums)
    bits = [[int(word) >> (k // 8 + k % 8 * 8) & 1 for k in range(64)] for word in flags[1:, 0]]
    assert sums[0].tolist() == np.sum(bits, axis=0, initial=0).tolist() if n else not sums[0].any()
    assert (sums[1] - 5).tolist() == sums[0].tolist()


def bits(counts):
    """The entropy of some counts, times their sum."""
    counts = np.array([n for n in counts if n > 0])
    return -(counts * np.log2(counts / counts.sum())).sum()


@pytest.mark.parametrize("seed", range(20))
def test_gain_and_ratio_from_entropies(seed):
    n = np.arange(61, dtype=float)
    n[1:] *= np.log2(n[1:])
    table, room = np.random.default_rng(seed).integers(0, 9, (3, 2)), np.zeros((5, 3), np.int64)
    room[:3, :2], unknown = table, seed % 4
    fixed = np.round(n * 2.0**40).astype(np.int64)
    found = opened(tree_whole.judge_many)(
        room, 3, 2, unknown, 2.0, 0.0, np.zeros(0), fixed, 2.0**-40
    )
    gain = (bits(table.sum(axis=0)) - sum(bits(row) for row in table)) / (table.sum() + unknown)
    split = bits([*table.sum(axis=1), unknown]) / (table.sum() + unknown)
    assert found == pytest.approx((gain, gain / split))
