import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fewest._errors import InputError
from fewest.data._engine.parquet import ParquetFiles
from tests.data.engine.sample import frame, parquet


def test_all_rows_of_all_files_are_read_and_text_as_dictionaries(tmp_path):
    table = frame()
    source = ParquetFiles(parquet(table, tmp_path))
    batches = list(source.batches(["y", "w"]))
    assert sum(batch.num_rows for batch in batches) == len(table)
    assert all(pa.types.is_dictionary(batch.column("y").type) for batch in batches)
    assert sum(sum(batch.column("w").to_pylist()) for batch in batches) == table["w"].sum()
    assert ParquetFiles(str(tmp_path)).paths == source.paths


def test_a_column_that_changes_its_type_is_named(tmp_path):
    pattern = parquet(frame(), tmp_path)
    odd = frame().astype({"x3": "category"})
    pq.write_table(pa.Table.from_pandas(odd, preserve_index=False), tmp_path / "part-7.parquet")
    ParquetFiles(pattern)  # a dictionary of text is text
    odd["x3"] = 1.5
    pq.write_table(pa.Table.from_pandas(odd, preserve_index=False), tmp_path / "part-9.parquet")
    with pytest.raises(
        InputError, match=r"'x3' must have one type .* string .* double in .*part-9"
    ):
        ParquetFiles(pattern)


def test_other_columns_no_files_and_damaged_files_are_refused(tmp_path):
    with pytest.raises(InputError, match="There is no Parquet file"):
        ParquetFiles(str(tmp_path / "*.parquet"))
    pattern = parquet(frame(), tmp_path)
    pq.write_table(pa.table({"a": [1]}), tmp_path / "part-8.parquet")
    with pytest.raises(InputError, match=r"part-8.parquet differs in 'a', 'w', 'x0'"):
        ParquetFiles(pattern)
    (tmp_path / "part-8.parquet").write_bytes(b"no such thing")
    with pytest.raises(InputError, match="must be a Parquet file"):
        ParquetFiles(pattern)


def test_a_file_that_goes_away_during_a_run_is_named(tmp_path):
    source = ParquetFiles(parquet(frame(), tmp_path))
    rows = source.batches(["y"])
    next(rows)
    (tmp_path / "part-2.parquet").unlink()
    with pytest.raises(InputError, match=r"part-2.parquet was there when the run began, but is"):
        list(rows)
