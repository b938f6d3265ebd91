"""Histories by columns."""

import json

import pytest

from fewest import Result
from fewest._errors import InputError
from fewest._run.history import columns, entries, lines
from fewest.testing._results import toy_result

HISTORY = [
    {"generation": 0, "best": None, "frequency": [1.0, 0.0], "best_features": None},
    {"generation": 1, "best": 0.5, "frequency": [0.25, 1.0], "best_features": [0]},
    {"generation": 2, "best": 0.5, "frequency": [0.25, 0.0], "best_features": [0]},
    {"generation": 3, "best": 0.7, "frequency": [0.75, 0.0], "best_features": []},
]


def test_columns_name_the_best_subset_only_where_it_changes():
    told = columns(HISTORY)
    assert told["best_features"] == [None, [0], None, []]
    assert json.dumps(told["frequency"]) == "[[1, 0], [0.25, 1], [0.25, 0], [0.75, 0]]"
    assert entries(json.loads(lines(told)), "r.json") == HISTORY


def test_entries_of_different_kinds_stay_as_they_are():
    mixed = [{"best": 1.0}, {"mean": 1.0}]
    assert columns(mixed) is mixed
    assert columns([]) == entries([], "r.json") == []
    assert entries(mixed, "r.json") is mixed


@pytest.mark.parametrize("bad", [{"best": [1.0], "mean": []}, {"best": 3}])
def test_columns_that_do_not_fit_are_refused(bad):
    with pytest.raises(InputError, match="one list per quantity, all of the same length"):
        entries(bad, "r.json")


def test_a_file_has_one_line_per_field_and_loads_as_it_was(tmp_path):
    result = toy_result()
    result.history[0]["best"] = float("nan")
    result.save(tmp_path / "r.json")
    text = (tmp_path / "r.json").read_text()
    assert text.count("\n") == len(json.loads(text)) + 2
    assert Result.load(tmp_path / "r.json").to_dict() == result.to_dict()
