import numpy as np
import pytest

from fewest._kernels.subsets.pattern_tables import reduce_patterns
from fewest.data._as_table import as_table
from fewest.data._engine import pattern_scans as module
from fewest.data._engine.frame import stored_table
from fewest.data._engine.pattern_scans import HashedCounter, PatternCounts
from tests.data.engine.sample import arrow, frame
from tests.data.engine.test_encode import Kept
from tests.naive.inconsistency import inconsistency_count

EVERY = np.array([[bool(n >> j & 1) for j in range(6)] for n in range(64)])


def _patterns(batch=100):
    stored = stored_table(arrow(frame().drop(columns="w"), batch), "y")
    return PatternCounts(stored.source, stored.coder())


def test_a_batch_of_subsets_takes_one_scan_and_counts_as_the_naive_way():
    table = frame()
    codes = table[[f"x{j}" for j in range(6)]].fillna("?").to_numpy()
    patterns = _patterns()
    sums = patterns.sums(EVERY)
    assert patterns.scans == 1
    for subset, outside in zip(EVERY, sums[:, 0], strict=True):
        assert outside == inconsistency_count(codes, table["y"], subset)


def test_hash_tables_that_grow_and_several_scans_give_the_same_sums(monkeypatch):
    wanted = _patterns().sums(EVERY)
    monkeypatch.setattr(module, "MOST_DENSE", 1)
    monkeypatch.setattr(module, "FEWEST_SLOT_BITS", 6)
    patterns = _patterns(77)
    patterns.source.memory = 1
    np.testing.assert_allclose(patterns.sums(EVERY), wanted, rtol=1e-12)
    assert patterns.scans > 8
    dense = _patterns()
    monkeypatch.setattr(module, "MOST_DENSE", 1 << 18)
    dense.source.memory = 16 * 800 * dense.source.held
    np.testing.assert_allclose(dense.sums(EVERY), wanted, rtol=1e-12)


def test_a_growing_table_keeps_all_patterns_and_tables_are_joined(monkeypatch):
    wanted = _patterns().sums(np.ones((1, 6), dtype=bool))[0, 0]
    patterns = _patterns()
    batches = patterns.source.reduce(Kept(patterns.coder))
    members, sizes = np.arange(6), np.array([2, 3, 5, 5, 9, 2])
    for slots in (1 << 20, 1 << 9):
        counters = [HashedCounter(members, sizes, 3, slots) for _ in range(2)]
        for counter in counters:
            counter._move(4)
        for i, (codes, target, _) in enumerate(batches):
            counters[i % 2].add(codes, target, np.ones(len(target)))
        one, other = counters
        one.join(other)
        if slots == 1 << 20:
            assert reduce_patterns(one.counts)[0] == wanted
            assert not one.waiting
        else:
            # All patterns whose hashes begin with other bits wait.
            assert one.depth == len(one.waiting) > 0
            assert one.counts.sum() < 900


def test_entropies_of_subsets_are_those_of_memory():
    table = frame().drop(columns="w")
    stored = stored_table(arrow(table), "y").information().of_subsets(EVERY)
    memory = as_table(table.drop(columns="y"), table["y"]).information().of_subsets(EVERY)
    assert stored == pytest.approx(memory, abs=1e-12)
