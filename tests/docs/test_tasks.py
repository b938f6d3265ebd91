"""The twenty tasks of the manual run."""

from __future__ import annotations

import re

import pytest

from benchmarks.tasks import PAGE, TASKS, lines, names


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_side_of_fewest_runs(task, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(task.ours, names())


def test_the_page_has_every_task_with_its_lines():
    rows = re.findall(r"^\| (.+?) \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.M)
    assert rows == [(task.name, str(lines(task.ours))) for task in TASKS]
