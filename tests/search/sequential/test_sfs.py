"""Sequential forward selection."""

from __future__ import annotations

from fewest.search._sequential import SFS
from fewest.search._spaces.subsets import Subsets
from tests.search.sequential.cases import D, run


def test_below_the_smallest_size_forward_search_goes_on_whatever_the_value():
    done = run(SFS(), lambda mask: -float(mask.sum()), Subsets(D, min_features=3))
    assert done.answer.sum() == 3


def test_least_gain_stops_small_steps():
    done = run(SFS(least_gain=0.15), lambda mask: [0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0][mask.sum()])
    assert len(done.batches) == 3
