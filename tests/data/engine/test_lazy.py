import polars as pl
import pytest

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest.data._engine.lazy import LazyTable
from tests.data.engine.sample import frame, parquet


def test_a_lazy_frame_selects_as_memory_does(tmp_path):
    table = frame().drop(columns="w")
    lazy = pl.scan_parquet(parquet(table, tmp_path))
    stored = SubsetSelector("mrmr", search="sfs").fit(lazy, target="y")
    memory = SubsetSelector("mrmr", search="sfs").fit(table, target="y")
    assert stored.result_.features == memory.result_.features
    assert stored.score_ == memory.score_


def test_what_cannot_be_read_is_told(tmp_path):
    lazy = pl.scan_parquet(parquet(frame(), tmp_path))
    source = LazyTable(lazy)
    for path in tmp_path.glob("*.parquet"):
        path.unlink()
    with pytest.raises(InputError, match="The LazyFrame cannot be read"):
        list(source.batches(["y"]))
