import numpy as np

from fewest.joint.families import find_families


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
