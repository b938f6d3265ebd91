import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from fewest.joint.agreement import agreement_matrices
from fewest.joint.predictions import Predictions


def test_by_hand_and_by_scikit_learn():
    rng = np.random.default_rng(0)
    codes, target = rng.integers(0, 3, (80, 3)), rng.integers(0, 3, 80)
    found = agreement_matrices(Predictions(("a", "b", "c"), np.arange(3), codes, target, {}))
    assert found["kappa"][0, 1] == pytest.approx(cohen_kappa_score(codes[:, 0], codes[:, 1]))
    assert found["agreement"][1, 2] == (codes[:, 1] == codes[:, 2]).mean()
    assert all(np.allclose(m, m.T) for m in found.values())


def test_diversity_by_hand():
    # Rows right by both, by the first, by the second, by none: 3, 2, 1, 2.
    target = np.zeros(8, dtype=np.int64)
    codes = np.array([[0, 0]] * 3 + [[0, 1]] * 2 + [[1, 0]] + [[1, 1]] * 2)
    found = agreement_matrices(Predictions(("a", "b"), np.arange(2), codes, target, {}))
    assert found["q"][0, 1] == pytest.approx((3 * 2 - 2 * 1) / (3 * 2 + 2 * 1))
    assert found["disagreement"][0, 1] == 3 / 8
    assert found["double-fault"][0, 1] == 2 / 8
    assert found["double-fault"][0, 0] == 3 / 8
