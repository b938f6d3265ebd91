from typing import Any

import pytest
from numpy.typing import NDArray

from fewest._errors import InputError
from fewest._run.result_format import brief, check_fields, fits, words
from fewest._run.stop_rules import StopKind


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
