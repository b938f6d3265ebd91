import os
from dataclasses import dataclass
from pathlib import Path

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fewest
from fewest._errors import InputError
from fewest._run.journal import read_lines
from fewest._run.stop_rules import Stop
from fewest.data._engine.fold_sums import FoldedRows, TrainingRows
from fewest.data._engine.frame import stored_table
from fewest.data._engine.parquet import ParquetFiles
from fewest.data._engine.tallies import Tallies
from tests.data.engine.sample import frame, parquet

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
