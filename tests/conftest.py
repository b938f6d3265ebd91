"""What all tests share: the data sets, read once."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from .skips import pytest_addoption, pytest_sessionfinish  # noqa: F401  (hooks)

# Workers of Spark run the Python of the tests, whatever python3 is.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
# The same examples everywhere, so that a failure is found again; HYPOTHESIS_PROFILE=explore
# looks for new ones. No clock: machines that test are slow and shared.
_CALM = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("repeat", derandomize=True, **_CALM)
settings.register_profile("explore", **_CALM)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeat"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests marked ``unix`` elsewhere."""
    if os.name != "posix":
        for item in items:
            if item.get_closest_marker("unix"):
                item.add_marker(pytest.mark.skip(reason="needs Unix"))


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with the data sets and their catalog."""
    return Path(__file__).resolve().parents[1] / "data"


@pytest.fixture(scope="session")
def catalog(data_folder: Path) -> dict[str, dict[str, Any]]:
    """What the catalog says of each data set."""
    entries = json.loads((data_folder / "catalog.json").read_text())["datasets"]
    return {entry["name"]: entry for entry in entries}


@pytest.fixture(scope="session")
def dataset(data_folder: Path) -> Callable[[str], Any]:
    """``dataset("ionosphere")`` gives the Dataset of that name; read once a session."""
    from fewest.data import load

    loaded: dict[str, Any] = {}

    def get(name: str) -> Any:
        if name not in loaded:
            loaded[name] = load(data_folder / f"{name}.arff.gz")
        return loaded[name]

    return get
