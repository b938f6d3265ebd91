"""What all tests share: the data sets, found or skipped."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# The same examples everywhere, so that a failure is found again; HYPOTHESIS_PROFILE=explore
# looks for new ones. No clock: machines that test are slow and shared.
_CALM = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("repeat", derandomize=True, **_CALM)
settings.register_profile("explore", **_CALM)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeat"))


def _folder() -> Path | None:
    given = os.environ.get("FEWEST_DATA")
    beside = Path(__file__).resolve().parents[1].parent / "shared" / "data"
    for folder in (Path(given) if given else None, beside):
        if folder is not None and (folder / "catalog.json").is_file():
            return folder
    return None


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with the data sets and their catalog."""
    folder = _folder()
    if folder is None:
        pytest.skip("no data sets: set FEWEST_DATA to a folder with a catalog.json")
    return folder


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
            path = data_folder / f"{name}.arff.gz"
            if not path.is_file():
                pytest.skip(f"no data set {name} in {data_folder}")
            loaded[name] = load(path)
        return loaded[name]

    return get
