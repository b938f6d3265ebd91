"""The memory of a run."""

import numpy as np

from fewest._run.archive import Archive
from fewest.measures._measure import Scores
from fewest.search import Subsets

SPACE = Subsets(4, max_features=2)
BITS = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]], dtype=bool)


def filled():
    archive = Archive(SPACE)
    archive.add(BITS[:2], Scores(np.array([0.1, 0.2])), 0)
    archive.add(BITS[2:], Scores(np.array([0.3, np.nan])), 1)
    return archive


def test_empty_it_has_arrays_of_no_rows():
    archive = Archive(SPACE)
    assert archive.candidates.shape == (0, 4)
    assert len(archive.scores) == len(archive.generation) == len(archive) == 0


def test_what_was_added_is_found_by_its_key():
    archive = filled()
    keys = SPACE.keys(BITS)
    assert len(archive) == 4
    assert all(key in archive for key in keys)
    assert archive.rows([keys[2], keys[0]]).tolist() == [2, 0]
    assert np.array_equal(archive.candidates, BITS)
    assert archive.generation.tolist() == [0, 0, 1, 1]
    assert archive.scores.value[2] == 0.3


def test_only_feasible_rows_with_a_score_count():
    archive = filled()
    assert archive.up_to(None).tolist() == [0, 1]  # three features are too many; NaN is no score
    assert archive.up_to(0).tolist() == [0, 1]
    assert np.array_equal(archive.masks(np.array([1])), BITS[[1]])
