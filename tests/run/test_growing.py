"""Arrays that grow, and candidates kept as they came."""

from __future__ import annotations

import numpy as np

from fewest._run.archive import Archive, Growing, Stored
from fewest.measures._measure import Scores
from fewest.measures._steps import Steps
from fewest.search._spaces.subsets import Subsets


def test_rows_are_kept_in_order_however_they_come():
    rng = np.random.default_rng(0)
    parts = [rng.normal(size=(n, 3)) for n in (1, 0, 5, 40, 2)]
    rows = Growing()
    for part in parts:
        rows.add(part)
    np.testing.assert_array_equal(rows.all, np.concatenate(parts))


def test_stored_batches_read_like_one_matrix():
    base = np.array([True, False, False, True])
    batches = [np.eye(4, dtype=bool), Steps(base, np.array([0, 1]), np.array([0, 1]))]
    stored = Stored(4)
    for batch in batches:
        stored.add(batch)
    whole = np.concatenate([np.asarray(batch) for batch in batches])
    assert stored.shape == (6, 4)
    np.testing.assert_array_equal(np.asarray(stored), whole)
    np.testing.assert_array_equal(np.asarray(stored[[5, 0, 4]][[2, 0]]), whole[[4, 5]])
    np.testing.assert_array_equal(stored[4], whole[4])


def test_an_archive_of_steps_is_the_archive_of_their_subsets():
    space = Subsets(300, min_features=2)
    rng = np.random.default_rng(1)
    base = np.arange(300) == 7
    lazy, written = Archive(space), Archive(space)
    value = np.round(rng.random(300), 1)
    batch = Steps(base, np.arange(300), (~base).astype(np.int64))
    lazy.add(batch, Scores(value), 0)
    written.add(np.asarray(batch), Scores(value), 0)
    assert lazy.up_to(None).tolist() == written.up_to(None).tolist()
    assert lazy.best_first(lazy.up_to(None), 20).tolist() == (
        written.best_first(written.up_to(None), 20).tolist()
    )
    assert lazy.rows(space.identities(np.asarray(batch))).tolist() == list(range(300))
    np.testing.assert_array_equal(lazy.masks(np.array([3, 7])), np.asarray(batch)[[3, 7]])
