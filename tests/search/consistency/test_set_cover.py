"""SetCover: greedy, and misled by a correlated feature."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data.build import as_table
from fewest.measures.consistency.inconsistency import Inconsistency
from fewest.search import Exact, SetCover, Subsets
from fewest.testing import (
    drive,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")


def corral():
    """64 rows: class = f1 and f2, or f3 and f4; f6 agrees with it on 75 % of the rows."""
    bits = (np.arange(64)[:, None] >> np.arange(6) & 1).astype(bool)
    y = (bits[:, 0] & bits[:, 1]) | (bits[:, 2] & bits[:, 3])
    f6 = y.copy()
    wrong = np.concatenate([np.flatnonzero(y)[::4], np.flatnonzero(~y)[::4]])
    f6[wrong] ^= True
    bits[:, 5] = f6
    return as_table(bits.astype(int).astype(str), y.astype(int))


def test_set_cover_falls_for_the_correlated_feature_of_corral():
    table = corral()
    exact = drive(Exact(), Subsets(6), Inconsistency().bind(table))
    assert np.flatnonzero(exact.answer).tolist() == [0, 1, 2, 3]
    greedy = drive(SetCover(), Subsets(6), Inconsistency().bind(table))
    assert greedy.answer[5]
    assert greedy.answer[:4].all()
