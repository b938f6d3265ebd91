"""FocusM: the smallest subset, by trying all from the smallest on."""

from __future__ import annotations

import pytest

from fewest.search import QBB, Exact, FocusM
from tests.search.consistency.problems import parity, size

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")


@pytest.mark.parametrize("search", [Exact(), FocusM(), QBB()])
def test_parity_needs_its_three_bits(search):
    assert size(search, parity()) == 3
