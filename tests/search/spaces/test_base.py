"""What a space has without saying so: no limits, sizes, keys, shares and spread."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import Subsets
from fewest.search._spaces.space import Space
from fewest.search._spaces.weight_spaces import Levels


def test_a_space_has_no_limits_unless_it_says_so():
    assert (Space.min_features, Space.max_features, Space.costs, Space.budget) == (
        0,
        None,
        None,
        None,
    )
    limited = Subsets(3, min_features=1, max_features=2, costs=(1, 2, 3), budget=4.0)
    assert (limited.min_features, limited.max_features) == (1, 2)
    assert (limited.costs, limited.budget) == ((1, 2, 3), 4.0)


@pytest.mark.parametrize("space", [Subsets(5, include=(0,)), Levels(4)], ids=["subsets", "levels"])
def test_keys_sizes_and_shares_are_those_of_the_expanded_candidates(space):
    rows = space.sample(40, np.random.default_rng(0))
    keys = space.keys(rows)
    assert len(set(keys)) == len(np.unique(rows, axis=0))
    assert space.identities(rows) == keys
    uses = space.uses(rows)
    assert space.size(rows).tolist() == uses.sum(axis=1).tolist()
    assert space.frequency(rows) == pytest.approx(uses.mean(axis=0))
    assert space.spread(rows[:1]) == 0.0
    assert 0.0 < space.spread(rows) <= 1.0
