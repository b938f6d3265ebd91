"""Chains of equal keys against a dictionary."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fewest._kernels.subsets.lattice_walks import (
    bits_for,
    chain,
    chains,
    hash_keys,
    leave_single,
    outside_majority,
    workspace,
)

# Hashing multiplies modulo 2**64, of which numpy warns when nothing is compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


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
