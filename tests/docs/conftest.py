"""The pages speak of what ships; no folder of data may stand in for it."""

import pytest


@pytest.fixture(autouse=True)
def only_what_ships(tmp_path, monkeypatch):
    monkeypatch.delenv("FEWEST_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
