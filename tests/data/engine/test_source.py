import datetime
import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import ibis
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import fewest
from fewest._errors import InputError
from fewest._run.journal import read_lines
from fewest._run.stop_rules import Stop
from fewest.data._as_table import as_table
from fewest.data._engine.batches import dictionary_of, is_labels, numbers_of, prefetched
from fewest.data._engine.fold_sums import FoldedRows, TrainingRows
from fewest.data._engine.frame import stored_table
from fewest.data._engine.open import is_stored, looks_stored, needs, open_source
from fewest.data._engine.parquet import ArrowDataset, ParquetFiles
from fewest.data._engine.tallies import Tallies
from tests.data.engine.sample import arrow, frame, mixed, parquet, parts_of

COUNT = Tallies((), "y")


def _rewritten(path):
    table = pq.read_table(path)
    y = table.column("y").to_pylist()[::-1]
    pq.write_table(table.set_column(table.column_names.index("y"), "y", pa.array(y)), path)


def test_a_file_that_changes_between_two_scans_is_named(tmp_path):
    source = ParquetFiles(parquet(frame(), tmp_path))
    assert source.reduce(COUNT).n_rows == 900
    _rewritten(tmp_path / "part-1.parquet")
    with pytest.raises(InputError, match="changed during the run: the file .*part-1.parquet"):
        source.reduce(COUNT)


def test_a_file_that_changes_within_a_scan_is_named(tmp_path):
    source = ParquetFiles(parquet(frame(), tmp_path))

    class Touching(Tallies):
        def add(self, state, part):
            os.utime(tmp_path / "part-0.parquet", ns=(1, 1))
            return super().add(state, part)

    with pytest.raises(InputError, match=r"part-0.parquet was written again"):
        source.reduce(Touching((), "y"))


def test_a_file_that_changes_between_two_folds_of_a_validation_is_named(tmp_path):
    rows = FoldedRows(stored_table(ParquetFiles(parquet(frame(), tmp_path)), "y"), 3)
    parts = [TrainingRows(rows, fold) for fold in range(3)]
    counts = [sum(batch.num_rows for batch in part.batches(["y", "x1"])) for part in parts]
    assert counts == [part.reduce(COUNT).n_rows for part in parts]
    assert sum(counts) == 2 * 900
    _rewritten(tmp_path / "part-1.parquet")
    with pytest.raises(InputError, match="changed during the run: the file .*part-1.parquet"):
        TrainingRows(rows, 0).reduce(COUNT)


def test_rows_that_come_or_go_are_counted():
    connection = ibis.duckdb.connect()
    connection.raw_sql("CREATE TABLE t AS SELECT * FROM (VALUES (1, 0), (2, 1)) AS v(a, y)")
    data = fewest.load(connection.table("t"), target="y")
    data.X.source.reduce(Tallies(("a",), None))
    connection.raw_sql("INSERT INTO t SELECT * FROM t")
    with pytest.raises(InputError, match="the duckdb table had 2 rows and now has 4"):
        data.X.source.reduce(Tallies(("a",), None))


@dataclass
class Rewrite(Stop):
    """Writes a file again after the second batch; never stops the run itself."""

    path: Path

    def reason(self, progress):
        if progress.generation == 1:
            _rewritten(self.path)
        return None


def test_a_run_over_data_that_change_ends_with_a_sentence_and_keeps_its_journal(tmp_path):
    (tmp_path / "data").mkdir()
    pattern = parquet(frame(), tmp_path / "data")
    data, journal = fewest.load(pattern, target="y"), tmp_path / "run.jsonl"
    selector = fewest.SubsetSelector(
        "inconsistency", search="sfs", journal=journal, random_state=0,
        stop=Rewrite(tmp_path / "data" / "part-2.parquet"),
    )  # fmt: skip
    with pytest.raises(InputError, match=r"part-2.parquet was written again.* journal keeps"):
        selector.fit(data.X, data.y)
    scored = [line for line in read_lines(journal)[0] if "keys" in line]
    assert len(scored) >= 2
    assert all(np.isfinite(line["value"]).all() for line in scored)


def test_batches_have_the_size_asked_for():
    sizes = [batch.num_rows for batch in arrow(frame(), 250).batches(["y"])]
    assert sizes == [250, 250, 250, 150]


def test_a_file_that_is_gone_is_told(tmp_path):
    parquet(frame(), tmp_path)
    source = ArrowDataset(ds.dataset(tmp_path))
    (tmp_path / "part-1.parquet").unlink()
    with pytest.raises(InputError, match="The Arrow data set cannot be read to its end"):
        list(source.batches(["y"]))


def test_text_and_truth_are_labels_numbers_and_moments_are_not():
    labels = [pa.string(), pa.bool_(), pa.dictionary(pa.int8(), pa.string()), pa.large_string()]
    assert all(is_labels(kind, "a") for kind in labels)
    assert not any(is_labels(k, "a") for k in (pa.int8(), pa.float32(), pa.date32()))
    with pytest.raises(InputError, match="Column 'a' must hold numbers or labels, but holds list"):
        is_labels(pa.list_(pa.int8()), "a")


def test_numbers_are_floats_with_nan_and_moments_are_seconds():
    column = pa.array([1, None, 3], pa.int32())
    np.testing.assert_array_equal(numbers_of(column, "a"), [1.0, np.nan, 3.0])
    days = pa.array([datetime.date(1970, 1, 2), None])
    np.testing.assert_array_equal(numbers_of(days, "a"), [86400.0, np.nan])
    with pytest.raises(InputError, match="Column 'a' must hold finite numbers"):
        numbers_of(pa.array([1.0, np.inf]), "a")


def test_unknown_values_have_the_last_place_of_a_dictionary():
    values, codes = dictionary_of(pa.array(["u", None, "v", "u"]))
    assert [values[code] for code in codes] == ["u", None, "v", "u"]
    values, codes = dictionary_of(pa.array([2.0, float("nan"), 0.5]))
    assert [values[code] for code in codes] == [2, None, 0.5]


def test_moments_keep_microseconds_where_they_have_nanoseconds():
    for kind in (pa.timestamp("ns"), pa.duration("ns")):
        assert numbers_of(pa.array([1_000_000_001], kind), "a").tolist() == [1.0]


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


def test_items_come_in_order_and_errors_come_through():
    def items():
        yield from range(20)
        raise ValueError("broken at 20")

    found = prefetched(items())
    assert [next(found) for _ in range(20)] == list(range(20))
    with pytest.raises(ValueError, match="broken at 20"):
        next(found)


def test_a_user_who_stops_early_leaves_no_thread():
    before = threading.active_count()
    endless = prefetched(iter(int, 1))
    assert next(endless) == 0
    endless.close()
    assert threading.active_count() == before


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


def _all(rows):
    parts = parts_of(rows)
    return [np.concatenate([getattr(part, name) for part in parts]) for name in parts[0]._fields]


def test_values_are_those_of_memory_and_folds_do_not_depend_on_batches_and_order():
    table = mixed()
    values, target, fold, weight = _all(FoldedRows(stored_table(arrow(table, 64), "y"), 5))
    memory = as_table(table.drop(columns="y"), table["y"])
    np.testing.assert_array_equal(values, memory.values)
    np.testing.assert_array_equal(target, memory.target)
    assert weight.tolist() == [1.0] * len(table)
    assert sorted(set(fold.tolist())) == [0, 1, 2, 3, 4]
    assert np.bincount(fold).min() > len(table) / 5 * 0.7
    other = stored_table(arrow(table.iloc[::-1], 1000), "y")
    assert _all(FoldedRows(other, 5))[2].tolist() == fold[::-1].tolist()


def test_a_column_gives_the_folds():
    table = mixed().assign(part=np.arange(900) % 3 + 7)
    stored = stored_table(arrow(table), "y", metadata={"folds": "part"})
    assert "part" not in stored.names
    assert _all(FoldedRows(stored, 3))[2].tolist() == (np.arange(900) % 3).tolist()
    with pytest.raises(InputError, match="`folds` must name a column with 2 to 100 values"):
        stored_table(arrow(frame().assign(one=1)), "y", metadata={"folds": "one"})


def test_an_unknown_target_is_refused():
    table = mixed()
    with pytest.raises(InputError, match="`y` must be known in every row"):
        _all(FoldedRows(stored_table(arrow(table), "noise"), 3))
