import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from fewest._joint.predictions import Predictions, agreement_matrices, find_families


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


def test_blocks_that_agree_are_families():
    agreement = np.full((4, 4), 0.5)
    agreement[:2, :2] = agreement[2:, 2:] = 0.97
    np.fill_diagonal(agreement, 1.0)
    found = find_families(list("abcd"), agreement)
    assert sorted(found.values()) == [["a", "b"], ["c", "d"]]


def test_a_threshold_may_be_given():
    agreement = np.array([[1.0, 0.9], [0.9, 1.0]])
    assert len(find_families(["a", "b"], agreement, threshold=0.05)) == 2
    assert len(find_families(["a", "b"], agreement, threshold=0.2)) == 1


def test_mcnemar_is_the_exact_test_corrected_by_holm():
    # On 20 rows the second is right on 10 more than the first, the third on 1 more.
    right = np.zeros((20, 3), dtype=np.int64)
    right[:10, 1] = 1
    right[0, 2] = 1
    predictions = Predictions(("a", "b", "c"), np.arange(2), right, np.ones(20, dtype=int), {})
    found = agreement_matrices(predictions)["mcnemar"]
    # 2 / 2^10, 2 / 2^9 and 1, times 3, 2 and 1.
    assert found[1, 0] == pytest.approx(3 * 2 / 2**10)
    assert found[2, 1] == pytest.approx(2 * 2 / 2**9)
    assert found[2, 0] == 1.0
    assert (found == found.T).all()
