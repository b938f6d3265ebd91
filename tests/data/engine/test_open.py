import subprocess
import sys

import pandas as pd
import polars as pl
import pytest

from fewest._errors import InputError
from fewest.data._engine.open import is_stored, looks_stored, needs, open_source
from tests.data.engine.sample import arrow, frame, parquet


def test_lazy_frames_and_data_sets_stay_where_they_are():
    table = frame()
    assert is_stored(pl.LazyFrame({"a": [1]}))
    assert is_stored(arrow(table).dataset)
    assert not is_stored(table)
    assert not is_stored(pl.DataFrame({"a": [1]}))
    assert open_source(pl.LazyFrame({"a": [1]})).schema.names == ["a"]
    assert not is_stored([[1, 2]])


def test_patterns_folders_and_databases_look_stored(tmp_path):
    parquet(frame(), tmp_path)
    assert looks_stored(str(tmp_path))
    assert looks_stored(str(tmp_path / "*.parquet"))
    assert not looks_stored(str(tmp_path / "part-0.parquet"))
    assert not looks_stored("ionosphere")
    assert pd.read_parquet(tmp_path / "part-0.parquet").shape[1] == 8


def test_a_missing_package_is_named_with_its_extra():
    with pytest.raises(InputError, match=r"needs no_such_package; install it .*fewest\[engine\]"):
        needs("no_such_package", "engine")


def test_without_pyarrow_every_public_name_loads():
    code = "import sys; sys.modules['pyarrow'] = None\nfrom fewest import *"
    subprocess.run([sys.executable, "-c", code], check=True)
