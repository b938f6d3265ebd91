"""One decision about hitting sets, split over threads."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.search._hitting_sets import Decision, Prices
from tests.naive import inconsistency as naive

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")


FAST = settings(deadline=None, max_examples=60)


@FAST
@given(st.lists(st.integers(1, 255), min_size=1, max_size=25), st.integers(2, 6))
def test_a_decision_split_over_threads_is_the_decision(masks, limit):
    words = np.array(sorted(set(masks), key=lambda m: (m.bit_count(), m)), dtype=np.uint64)
    sets = [frozenset(j for j in range(8) if m >> j & 1) for m in masks]
    prices = Prices(np.ones(8), np.ones(8), math.inf)
    decision = Decision(words, prices, limit, threads=2)
    found = decision._together(decision._parts(), np.zeros(1, dtype=np.int64))
    assert len(found) == bool(naive.hitting_sets(sets, np.ones(8), limit))
    for chosen in found:
        assert chosen.sum() <= limit
        assert all(chosen[list(s)].any() for s in sets)


def test_a_decision_that_is_stopped_gives_up():
    words = np.array([3, 12, 48, 192], dtype=np.uint64)
    decision = Decision(words, Prices(np.ones(8), np.ones(8), math.inf), 3)
    assert decision._together(decision._parts(), np.ones(1, dtype=np.int64)) is None
