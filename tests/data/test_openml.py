"""Data sets from OpenML: read from scikit-learn's own cache, so that no network is needed."""

from __future__ import annotations

import gzip
import hashlib
import json
import urllib.request

import pytest

from fewest._errors import InputError
from fewest.data import load
from fewest.data._load import cache_folder
from fewest.data._openml import NAMES, fetch

ARFF = """@relation weather
@attribute id numeric
@attribute outlook {sunny,'over cast',rain}
@attribute temperature numeric
@attribute play {no,yes}
@data
1,sunny,20.5,no
2,'over cast',?,yes
3,?,18,yes
4,rain,17.25,no
"""
KINDS = {"id": "numeric", "outlook": "nominal", "temperature": "numeric", "play": "nominal"}


def answers(arff, targets):
    """What OpenML would answer, by path; scikit-learn keeps the same files in its cache."""
    features = [
        {
            "index": str(i),
            "name": name,
            "data_type": kind,
            "is_target": str(name in targets).lower(),
            "is_ignore": "false",
            "is_row_identifier": str(name == "id").lower(),
            "number_of_missing_values": "0",
        }
        for i, (name, kind) in enumerate(KINDS.items())
    ]
    about = {
        "id": "7", "name": "weather", "version": "1", "format": "ARFF", "file_id": "9",
        "description": "", "status": "active", "url": "https://www.openml.org/data/v1/download/9",
        "md5_checksum": hashlib.md5(arff.encode()).hexdigest(),
    }  # fmt: skip
    found = {"did": 7, "name": "weather", "version": 1, "status": "active"}
    qualities = [{"name": "NumberOfInstances", "value": "4.0"}]
    api = "api/v1/json/data"
    listed = {"data": {"dataset": [found]}}
    return {
        f"{api}/list/data_name/weather/limit/2/data_version/1": json.dumps(listed),
        f"{api}/7": json.dumps({"data_set_description": about}),
        f"{api}/features/7": json.dumps({"data_features": {"feature": features}}),
        f"{api}/qualities/7": json.dumps({"data_qualities": {"quality": qualities}}),
        "data/v1/download/9": arff,
    }


@pytest.fixture
def remember(tmp_path, monkeypatch):
    """Puts answers into scikit-learn's cache; everything else must go to the network."""
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "sklearn"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("FEWEST_DATA", raising=False)

    def put(**given):
        for path, text in answers(**given).items():
            file = tmp_path / "sklearn" / "openml" / "openml.org" / f"{path}.gz"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(gzip.compress(text.encode()))

    return put


def test_a_fetched_set_loads_by_its_name(remember):
    remember(arff=ARFF, targets=["play"])
    path = fetch("weather")
    assert path == cache_folder() / "weather.arff.gz"
    data = load("weather")
    assert data.kinds == {"outlook": "nominal", "temperature": "continuous"}
    assert data.schema.levels[0] == ("sunny", "over cast", "rain")
    assert data.y.tolist() == ["no", "yes", "yes", "no"]
    table = data.table()
    assert table.missing.tolist() == [[False, False], [False, True], [True, False], [False, False]]
    assert table.values[:, 1].tolist()[0::3] == [20.5, 17.25]


def test_a_set_that_is_there_is_not_fetched(remember):
    remember(arff=ARFF, targets=["play"])
    first = fetch("weather")
    written = first.stat().st_mtime_ns
    assert fetch("weather") == first
    assert first.stat().st_mtime_ns == written


def test_a_set_with_two_targets_is_refused(remember):
    remember(arff=ARFF.replace("3,?", "3,rain"), targets=["play", "outlook"])
    with pytest.raises(InputError, match="'weather' must have one target, but has 2 at OpenML"):
        fetch("weather")


def test_no_network_is_one_sentence(remember, monkeypatch):
    # A proxy at a closed port: whatever the machine has, there is no way out.
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    monkeypatch.setattr(urllib.request, "_opener", None)
    with pytest.raises(InputError, match=r"'weather' cannot be fetched, because OpenML cannot be"):
        fetch("weather")
    assert not cache_folder().exists()


def test_a_name_must_be_a_name(remember):
    with pytest.raises(InputError, match="`name` must be letters, digits"):
        fetch("../weather")


def test_other_names_are_names_of_the_catalog(catalog):
    assert set(NAMES) <= set(catalog)
