"""One more column from the solution of a subset, against solving each subset anew."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest.kernels.linear.rules import REGULARISED
from fewest.measures.wrappers.linear.borders import BorderedFold
from fewest.measures.wrappers.metrics.metric import Metric, Truth


def fold(ridge):
    rng = np.random.default_rng(0)
    trained, x = rng.normal(size=(30, 8)), rng.normal(size=(8, 5))
    nothing = np.zeros(8, dtype=bool)
    return BorderedFold(
        np.arange(5), np.empty(0, dtype=np.int64), trained, x, np.full(8, ridge),
        rng.normal(size=(2, 8)), np.ones(8), REGULARISED, 0.0, nothing, rng.normal(size=(2, 8)),
        rng.normal(size=2),
    )  # fmt: skip


@pytest.mark.parametrize("ridge", [0.0, 0.7])
@pytest.mark.parametrize("have", [[], [2], [5, 1, 6]])
def test_values_are_those_of_the_whole_rule(have, ridge):
    own, seen = fold(ridge), []

    def keep(said, truth):
        seen.append(said.values.copy())
        return np.zeros(len(said.values)), np.zeros(len(said.values), dtype=bool)

    new = np.setdiff1d(np.arange(8), have)
    truth = Truth(np.zeros(5), np.ones(5), own.labels, 0)
    _, doubts = own.judge(
        np.array(have, dtype=np.intp), new, Metric("kept", "numbers", keep), truth
    )
    assert not doubts.any()
    for values, j in zip(seen[0], new, strict=True):
        members = [*have, j]
        part = own.trained[:, members]
        weights = np.linalg.solve(
            part.T @ part + ridge * np.eye(len(members)), own.right[:, members].T
        )
        start = own.offset - 0.5 * np.einsum("jk,kj->k", weights, own.middle[:, members])
        assert_allclose(values, weights.T @ own.x[members] + start[:, None], rtol=1e-10)


def test_a_column_that_depends_on_the_others_is_in_doubt():
    own = fold(0.0)
    own.trained[:, 3] = own.trained[:, 1] - 2.0 * own.trained[:, 2]
    own.__post_init__()
    metric = Metric("none", "numbers", lambda said, truth: (np.zeros(2), np.zeros(2, dtype=bool)))
    truth = Truth(np.zeros(5), np.ones(5), own.labels, 0)
    _, doubts = own.judge(np.array([1, 2]), np.array([3, 4]), metric, truth)
    assert doubts.tolist() == [True, False]
