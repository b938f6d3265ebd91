"""The memory of a run."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fewest._errors import InputError
from fewest._run.archive import Archive, Growing, Stored
from fewest._run.result_format import brief, check_fields, fits, words
from fewest._run.stop_rules import StopKind
from fewest.measures._measure import Scores
from fewest.measures._steps import Steps
from fewest.search._spaces.subsets import Subsets

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


@pytest.mark.parametrize(
    ("value", "hint", "expected"),
    [
        (1, int, True), (True, int, False), (2**70, int, False), (1.5, int, False),
        (1, float, True), (None, float, True), ("1", float, False), (10**400, float, False),
        (True, bool, True), (1, bool, False), ("a", str, True), (None, str | None, True),
        ([1], list[int], True), ([None], list[int], False), ({}, dict[str, Any], True),
        ({"a": "b"}, dict[str, str], True), ({"a": 1}, dict[str, str], False),
        ([[True], [0.5, None]], NDArray[Any], True), (["x"], NDArray[Any], False),
        ("rule", StopKind, True), ("never", StopKind, False), ([], list[Any], True),
    ],
)  # fmt: skip
def test_types_of_plain_data(value, hint, expected):
    assert fits(value, hint) is expected


def test_missing_and_wrong_fields_are_named():
    with pytest.raises(InputError, match="has no field `a`"):
        check_fields({}, {"a": int}, ["a"], "x.json")
    with pytest.raises(InputError, match=r"`a` in x.json must be a list \(of a text each\), but"):
        check_fields({"a": 3}, {"a": list[str]}, ["a"], "x.json")


def test_words_and_brief():
    assert words(float | None) == "a number or null"
    assert words(StopKind).startswith("one of search, rule")
    assert words(dict[str, Any]) == "an object"
    assert len(brief("x" * 500)) == 60
