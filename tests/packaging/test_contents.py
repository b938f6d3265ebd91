"""The check of the wheel notices what is missing and what must not be in it."""

from __future__ import annotations

import pytest

from tests.packaging.contents import complaints, expected


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
