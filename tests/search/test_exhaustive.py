"""Exhaustive search: every feasible subset once, or a refusal."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.search._exhaustive import Exhaustive, count_candidates
from fewest.search._spaces.subsets import Subsets
from fewest.search._spaces.weight_spaces import Levels
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
    with pytest.raises(InputError, match=r"would score about 10\^6020"):
        drive(Exhaustive(), Subsets(20_000), COUNT)


@pytest.mark.parametrize("most", [1, 3, 299])
def test_the_count_is_that_of_all_sizes_that_fit(most):
    expected = sum(math.comb(300, k) for k in range(most + 1))
    assert count_candidates(Subsets(300, max_features=most)) == expected
    paired = Subsets(
        601,
        max_features=2 * most + 1,
        include=(0,),
        groups=tuple((2 * k + 1, 2 * k + 2) for k in range(300)),
    )
    assert count_candidates(paired) == expected
