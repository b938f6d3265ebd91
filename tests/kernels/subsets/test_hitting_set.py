"""All small hitting sets, against trying all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest._kernels.subsets.hitting_set import hitting_sets, lowest, ones
from tests.naive import inconsistency as naive

# Counting bits multiplies modulo 2**64, of which numpy warns when nothing is compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


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
