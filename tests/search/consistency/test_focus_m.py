"""FocusM: the smallest subset, by trying all from the smallest on."""

from __future__ import annotations

import pytest

from fewest.search import QBB, Exact, FocusM, Subsets
from fewest.testing import MonotoneTableMeasure, drive, toy_table
from tests.search.consistency.problems import parity, size

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")


@pytest.mark.parametrize("search", [Exact(), FocusM(), QBB()])
def test_parity_needs_its_three_bits(search):
    assert size(search, parity()) == 3


def test_the_first_subset_that_reaches_the_threshold_is_counted_exactly():
    measure = MonotoneTableMeasure(lambda mask: float(mask[[1, 3]].all()), threshold=1.0)
    done = drive(FocusM(), Subsets(4), measure.bind(toy_table(n_features=4)))
    # The empty set, 4 of one feature, and {0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}.
    assert "subset number 10 was the first to reach it" in done.verdict.reason
