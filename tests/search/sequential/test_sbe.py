"""Sequential backward elimination."""

from __future__ import annotations

import numpy as np

from fewest.search._sequential import SBE
from fewest.search._spaces.subsets import Subsets
from tests.search.sequential.cases import D, run


def test_above_the_budget_backward_search_goes_on_whatever_the_value():
    space = Subsets(D, costs=(1.0,) * D, budget=2.0)
    assert run(SBE(), lambda mask: float(mask.sum()), space).answer.sum() == 2


def test_backward_elimination_drops_what_changes_nothing_unless_told():
    def value(mask):
        return float(mask[0])

    plain, equal = run(SBE(equal=False), value), run(SBE(equal=True), value)
    assert len(plain.batches) == 2
    np.testing.assert_array_equal(equal.answer, np.arange(D) == 0)
