"""The files that describe the project agree with each other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import fewest
from tests.packaging.contents import complaints, expected

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()


def recipe(target):
    """The commands of a make target."""
    return re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.M)[1]


def test_pre_commit_runs_what_make_lint_runs():
    hooks = re.findall(r"entry: \.venv/bin/(.+)", (ROOT / ".pre-commit-config.yaml").read_text())
    made = [line.removesuffix(" .") for line in re.findall(r"\$\(BIN\)/(.+)", recipe("lint"))]
    assert hooks == made


@pytest.mark.parametrize("workflow", sorted((ROOT / ".github/workflows").glob("*.yml")), ids=str)
def test_workflows_call_targets_that_exist(workflow):
    called = re.findall(r"run: (?:sudo )?make ([\w-]+)", workflow.read_text())
    assert called
    for target in called:
        assert recipe(target)


def test_the_version_is_the_same_everywhere():
    assert f"\nversion: {fewest.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    newest = re.search(r"^## (\S+) \(", (ROOT / "CHANGELOG.md").read_text(), re.M)[1]
    assert newest == fewest.__version__


def test_every_extra_of_the_tests_is_in_the_project():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    named = {name for part in re.findall(r"'\.\[([\w,]+)\]'", MAKEFILE) for name in part.split(",")}
    assert named <= set(extras)


def test_the_package_itself_is_complete():
    assert complaints(sorted(expected())) == []
    assert {"fewest/py.typed", "fewest/_report/assets/page.html.jinja"} <= expected()


def test_a_missing_file_is_noticed():
    names = sorted(expected() - {"fewest/py.typed"})
    assert complaints(names) == ["fewest/py.typed is missing"]


@pytest.mark.parametrize(
    "name",
    ["tests/test_house.py", "data/wdbc.arff.gz", "data/catalog.json", "fewest/a/__pycache__/b.nbi"],
)
def test_what_must_not_be_shipped_is_noticed(name):
    assert complaints([*expected(), name]) == [f"{name} must not be shipped"]


def test_the_room_called_data_is_shipped():
    assert "fewest/data/_load.py" in expected()
