"""docs/stability.md: what it promises holds."""

import dataclasses
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import fewest
from fewest import Result, Validation
from fewest._cli.arguments import renamed_groups
from fewest.testing._results import toy_validation

TEXT = Path(__file__).parents[1].joinpath("docs", "stability.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(.+?)`.* \| `(.+?)` \| (\d+\.\d+) \|$", TEXT, re.M)
#: How each old name is used.
USES = {
    "Validation.accuracy": lambda: toy_validation(["a", "b"], np.array([True, False])).accuracy,
    "--groups": lambda: renamed_groups("a,b", None),
}


def test_the_table_lists_every_old_name():
    assert {old for old, _, _ in ROWS} == set(USES)


@pytest.mark.parametrize(("old", "new", "removed"), ROWS)
def test_old_names_work_and_warn_until_they_are_removed(old, new, removed):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        USES[old]()
    assert [w.category for w in caught] == [FutureWarning]
    assert new.split(".")[-1] in str(caught[0].message)
    now = tuple(int(part) for part in fewest.__version__.split(".")[:2])
    assert now < tuple(int(part) for part in removed.split("."))


def test_the_page_names_the_public_modules():
    section = TEXT.split("## The public interface")[1].split("##")[0]
    named = set(re.findall(r"`fewest\.(\w+)`", section))
    assert named == set(fewest._ROOMS)


@pytest.mark.parametrize("cls", [Result, Validation])
def test_results_are_immutable_and_built_by_keywords(cls):
    assert cls.__dataclass_params__.frozen
    assert all(field.kw_only for field in dataclasses.fields(cls))
