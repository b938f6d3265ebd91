"""Exhaustive search: every feasible subset once, or a refusal."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.errors import InputError
from fewest.search.exhaustive import Exhaustive
from fewest.search.spaces.levels import Levels
from fewest.search.spaces.subsets import Subsets
from fewest.testing import SPACES, TableMeasure, drive, every_candidate, toy_table

COUNT = TableMeasure(np.sum).bind(toy_table())


@pytest.mark.parametrize("batch", [1, 5, 4096])
@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
def test_every_feasible_subset_once(space, batch):
    done = drive(Exhaustive(batch=batch), space, COUNT)
    assert len(done.candidates) == done.evaluations
    assert done.seen == set(space.keys(every_candidate(space)))


def test_every_weighting_once():
    done = drive(Exhaustive(), Levels(4), COUNT)
    assert done.evaluations == 3**4
    assert len(done.candidates) == 3**4


def test_all_pairs_of_many_features():
    done = drive(Exhaustive(), Subsets(100, max_features=2), COUNT)
    assert done.evaluations == 1 + 100 + 4950
    assert done.verdict.optimal


def test_too_many_are_refused_with_a_remedy():
    with pytest.raises(InputError, match="would score 67,108,864 .* at most 33,554,432.*max_feat"):
        drive(Exhaustive(), Subsets(26), COUNT)
    with pytest.raises(InputError, match=r"would score about 10\^150"):
        drive(Exhaustive(), Subsets(500), COUNT)
