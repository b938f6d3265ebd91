"""Identities of wide subsets: different subsets differ, and steps have those of their subsets."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.measures._steps import Steps
from fewest.search._spaces.subsets import Subsets, sparse_rows, sparse_steps


def every_step(base):
    return Steps(base, np.arange(len(base)), (~base).astype(np.int64))


@pytest.mark.parametrize("inside", [0, 1, 8, 9, 10, 11, 150, 300])
def test_steps_have_the_identities_of_the_subsets(inside):
    base = np.zeros(300, dtype=bool)
    base[np.random.default_rng(inside).choice(300, inside, replace=False)] = True
    some = every_step(base)
    assert sparse_steps(some) == sparse_rows(np.asarray(some))
    assert Subsets(300).identities(some) == sparse_steps(some)


def test_different_subsets_have_different_identities():
    rng = np.random.default_rng(0)
    rows = rng.random((2000, 300)) < rng.random((2000, 1)) ** 3
    keys, short = Subsets(300).keys(rows), sparse_rows(rows)
    assert len(set(keys)) == len(set(short)) == len(set(zip(keys, short, strict=True)))
    assert max(map(len, short)) <= 1 + 300 // 8 + 1
