"""Every field of a journal that is not what it must be is named with its line."""

import json

import pytest

from fewest._errors import InputError
from fewest._run.journal import read_lines

HEAD = {"fewest": "journal", "format": 1, "names": ["a", "b"], "seed": 1}
LINE = {"keys": ["80", "40"], "value": [0.5, None], "folds": [[0.4, 0.6], [None, 1]]}


def written(tmp_path, *lines):
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_what_is_right_is_read(tmp_path):
    assert read_lines(written(tmp_path, HEAD, LINE, LINE))[0] == [HEAD, LINE, LINE]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"keys": None}, "`keys`"),
        ({"keys": ["8", "40"]}, "`keys`"),
        ({"keys": ["zz", "40"]}, "`keys`"),
        ({"keys": [1, 2]}, "`keys`"),
        ({"value": None}, "`value`"),
        ({"value": [0.5]}, "`value`"),
        ({"value": [0.5, "1"]}, "`value`"),
        ({"value": [0.5, True]}, "`value`"),
        ({"value": [0.5, 10**400]}, "`value`"),
        ({"value": [0.5, float("inf")]}, "is not JSON"),
        ({"folds": None}, "`folds`"),
        ({"folds": [[0.1, 0.2]]}, "`folds`"),
        ({"folds": [[0.1, 0.2], [0.1]]}, "`folds`"),
        ({"folds": 3}, "`folds`"),
        ({"goals": [1]}, "`goals`"),
        ({"goals": {"leaves": [1, 2]}}, "`goals`"),
        ({"frequency": [0.5]}, "`frequency`"),
        ({"frequency": [0.5, 10**30], "generation": 1}, "`frequency`"),
        ({"frequency": [0.5, 0.5]}, "`generation`"),
        ({"generation": -1}, "`generation`"),
        ({"generation": "1"}, "`generation`"),
    ],
)
def test_a_wrong_field_of_a_line_is_named(tmp_path, change, words):
    path = written(tmp_path, HEAD, LINE, {**LINE, **change})
    with pytest.raises(InputError, match=f"is damaged: line 3 .*{words}"):
        read_lines(path)


ASKED = {"asked": "80/-1/auto/0/0", "importances": [0.5, None], "shadows": None, "score": None}


def test_importances_are_lines_of_their_own(tmp_path):
    lines = [HEAD, LINE, ASKED, {**ASKED, "shadows": [0.1]}, LINE]
    assert read_lines(written(tmp_path, *lines))[0] == lines


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"asked": 1}, "`asked`"),
        ({"importances": None}, "`importances`"),
        ({"importances": [0.5]}, "`importances`"),
        ({"shadows": 3}, "`shadows`"),
        ({"score": "1"}, "`score`"),
    ],
)
def test_a_wrong_field_of_importances_is_named(tmp_path, change, words):
    path = written(tmp_path, HEAD, LINE, {**ASKED, **change})
    with pytest.raises(InputError, match=f"is damaged: line 3 .*{words}"):
        read_lines(path)


@pytest.mark.parametrize(
    "change",
    [{"seed": "1"}, {"seed": True}, {"seed": -1}, {"names": "ab"}, {"names": [1]}, {"units": [1]},
     {"units": [[5]]}, {"always": [-1]}, {"always": [7]}, {"command": []}, {"format": True}],
)  # fmt: skip
def test_a_wrong_field_of_the_first_line_is_named(tmp_path, change):
    path = written(tmp_path, {**HEAD, **change}, LINE)
    with pytest.raises(InputError, match=next(iter(change))):
        read_lines(path)
