"""SetCover: greedy, and misled by a correlated feature."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.search import Exact, SetCover, Subsets
from fewest.testing import drive
from tests.search.consistency.problems import corral

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")


def test_set_cover_falls_for_the_correlated_feature_of_corral():
    table = corral()
    exact = drive(Exact(), Subsets(6), Inconsistency().bind(table))
    assert np.flatnonzero(exact.answer).tolist() == [0, 1, 2, 3]
    greedy = drive(SetCover(), Subsets(6), Inconsistency().bind(table))
    assert greedy.answer[5]
    assert greedy.answer[:4].all()
