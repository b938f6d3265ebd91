"""Settings and the command that repeats a run."""

from __future__ import annotations

from fewest._report.provenance import command_line, settings_rows
from fewest.testing._results import toy_result


def test_command_line_names_only_what_matters():
    command = {"data": "d.csv", "seed": 3, "validate": True, "quiet": True, "json": "x.json"}
    assert command_line(command) == "fewest select d.csv --seed 3"
    assert command_line(None) == ""


def test_settings_tell_seed_and_validation():
    rows = dict(settings_rows(toy_result(seed=7)))
    assert rows["seed"] == "7"
    assert rows["validation"] == "5x2cv, accuracy, seed 7"
