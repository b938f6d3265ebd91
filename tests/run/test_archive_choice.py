"""The choice among scored subsets, made again without each fold."""

import numpy as np
import pytest

from fewest._run.archive import Archive
from fewest._run.choose import choose_without_folds
from fewest.measures._measure import Scores
from fewest.search._spaces.subsets import Subsets


@pytest.fixture
def archive():
    """Three subsets of three features with three folds."""
    kept = Archive(Subsets(3))
    folds = np.array([[1.0, 0.4, 0.4], [0.4, 1.0, 0.6], [0.5, 0.5, 0.5]])
    masks = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1]], dtype=bool)
    kept.add(masks, Scores(folds.mean(axis=1), folds), 0)
    return kept


def test_worked_out_by_hand(archive):
    # Without fold 0 the second is best (0.8): 0.4 there. Without fold 1: first 0.7, 0.4 there.
    # Without fold 2: first and second 0.7, the first feature comes first: 0.4 there.
    found = choose_without_folds(archive, np.arange(3), "best")
    assert found["scores"] == pytest.approx([0.4, 0.4, 0.4])
    assert found["score"] == pytest.approx(0.4)
    assert found["share"] == 0.5


def test_a_size_that_was_asked_for_is_kept(archive):
    assert choose_without_folds(archive, np.arange(3), "best", 2)["scores"] == [0.5] * 3
    assert choose_without_folds(archive, np.arange(3), 2)["scores"] == [0.5] * 3
    assert choose_without_folds(archive, np.arange(3), "best", 3) is None


def test_without_folds_there_is_nothing_to_leave_out():
    kept = Archive(Subsets(2))
    kept.add(np.eye(2, dtype=bool), Scores(np.array([0.1, 0.2])), 0)
    assert choose_without_folds(kept, np.arange(2), "best") is None
