"""Fixtures that several test files use."""

from __future__ import annotations

import pytest

from tests.data.loaders.cases import CSV


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(CSV)
    return path
