"""Tables and constraints on which the searches for smallest subsets are tried."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from fewest.data._as_table import as_table
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.search import Subsets
from fewest.testing import drive


def corral():
    """64 rows: class = f1 and f2, or f3 and f4; f6 agrees with it on 75 % of the rows."""
    bits = (np.arange(64)[:, None] >> np.arange(6) & 1).astype(bool)
    y = (bits[:, 0] & bits[:, 1]) | (bits[:, 2] & bits[:, 3])
    f6 = y.copy()
    wrong = np.concatenate([np.flatnonzero(y)[::4], np.flatnonzero(~y)[::4]])
    f6[wrong] ^= True
    bits[:, 5] = f6
    return as_table(bits.astype(int).astype(str), y.astype(int))


def size(search, table, space=None):
    space = space or Subsets(table.n_features)
    done = drive(search, space, Inconsistency().bind(table), max_batches=100_000)
    return int(space.expand(done.answer[None]).sum())


@st.composite
def problems(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    d = draw(st.integers(2, 8))
    X = rng.integers(0, draw(st.integers(2, 3)), (draw(st.integers(4, 40)), d)).astype(str)
    y = rng.integers(0, draw(st.integers(2, 3)), len(X))
    y[:2] = [0, 1]
    constraints = {}
    if draw(st.booleans()):
        constraints["include"] = (int(rng.integers(d)),)
    if draw(st.booleans()) and d > 3:
        constraints["groups"] = ((0, 2),)
    if draw(st.booleans()):
        constraints["costs"] = tuple(rng.integers(0, 5, d) / draw(st.sampled_from([1, 2, 3])))
    if draw(st.booleans()):
        constraints["min_features"] = int(rng.integers(0, d // 2 + 1))
    if draw(st.booleans()):
        constraints["max_features"] = int(rng.integers((d + 3) // 2, d + 1))
    if draw(st.booleans()):
        free = set(range(d)) - {0, 2} - set(constraints.get("include", ()))
        constraints["exclude"] = tuple(sorted(free))[:1] if d > 4 else ()
    if draw(st.booleans()) and "costs" in constraints:
        constraints["budget"] = float(sum(constraints["costs"])) * 0.8 + 1
    threshold = draw(st.sampled_from([None, 0.05, 0.2]))
    return as_table(X, y), constraints, threshold


def parity():
    """Parity of three bits; as many irrelevant ones; all six once more."""
    bits = np.arange(64)[:, None] >> np.arange(6) & 1
    return as_table(np.hstack([bits, bits]).astype(str), bits[:, :3].sum(axis=1) % 2)


def random_table(rows=60, d=14, seed=3):
    rng = np.random.default_rng(seed)
    return as_table(rng.integers(0, 2, (rows, d)).astype(str), rng.integers(0, 2, rows))


def wide_table():
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, (40, 80)).astype(str)
    return as_table(X, ((X[:, 70] == "1") ^ (X[:, 3] == "1")).astype(int))
