"""FocusM: the smallest subset, by trying all from the smallest on."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data.build import as_table
from fewest.measures.consistency.inconsistency import Inconsistency
from fewest.search import QBB, Exact, FocusM, Subsets
from fewest.testing import (
    drive,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")


def parity(extra=3):
    """Parity of three bits; as many irrelevant ones; all six once more."""
    bits = np.arange(64)[:, None] >> np.arange(6) & 1
    return as_table(np.hstack([bits, bits]).astype(str), bits[:, :3].sum(axis=1) % 2)


def size(search, table, space=None):
    space = space or Subsets(table.n_features)
    done = drive(search, space, Inconsistency().bind(table), max_batches=100_000)
    return int(space.expand(done.answer[None]).sum())


@pytest.mark.parametrize("search", [Exact(), FocusM(), QBB()])
def test_parity_needs_its_three_bits(search):
    assert size(search, parity()) == 3
