import pyarrow.dataset as ds
import pytest

from fewest._errors import InputError
from fewest.data._engine.parquet import ArrowDataset
from tests.data.engine.sample import arrow, frame, parquet


def test_batches_have_the_size_asked_for():
    sizes = [batch.num_rows for batch in arrow(frame(), 250).batches(["y"])]
    assert sizes == [250, 250, 250, 150]


def test_a_file_that_is_gone_is_told(tmp_path):
    parquet(frame(), tmp_path)
    source = ArrowDataset(ds.dataset(tmp_path))
    (tmp_path / "part-1.parquet").unlink()
    with pytest.raises(InputError, match="The Arrow data set cannot be read to its end"):
        list(source.batches(["y"]))
