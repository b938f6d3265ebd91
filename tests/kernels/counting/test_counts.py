import numpy as np
import pytest

from fewest._kernels.counting.counts import (
    column_entropies,
    family_counts,
    pair_entropies,
    subset_entropies,
    triple_counts,
    weighted_column_entropies,
    weighted_pair_entropies,
)
from tests.naive.entropies import entropy


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
