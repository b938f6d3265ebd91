from glob import glob

import duckdb
import ibis
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from sklearn.linear_model import Ridge

import fewest
from fewest._errors import InputError
from fewest.data._engine.fold_sums import FoldedRows
from fewest.data._engine.frame import stored_table
from fewest.data._engine.streamed import IbisTable, LazyTable
from tests.data.engine.sample import arrow, frame, parquet, parts_of
from tests.measures.wrappers.test_scanned import numbers


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "shop.duckdb"
    table = pa.Table.from_pandas(frame().drop(columns="w"), preserve_index=False)
    with duckdb.connect(path) as connection:
        connection.register("given", table)
        connection.execute("CREATE TABLE orders AS SELECT * FROM given")
    return path


def test_a_database_file_and_an_expression_select_as_memory_does(database):
    memory = fewest.SubsetSelector("mdl-fs", search="sfs").fit(
        frame().drop(columns="w"), target="y"
    )
    data = fewest.load(database, target="y")
    assert data.name.endswith("shop.duckdb#orders")
    stored = fewest.SubsetSelector("mdl-fs", search="sfs").fit(data.X, data.y)
    table = ibis.duckdb.connect(database, read_only=True).table("orders")
    halved = table.filter(table.x0 == "a")
    by_expression = fewest.SubsetSelector("mdl-fs", search="sfs").fit(halved, target="y")
    assert stored.result_.features == memory.result_.features
    assert stored.score_ == memory.score_
    assert by_expression.result_.settings["rows"] == (frame()["x0"] == "a").sum()


def test_a_table_of_numbers_only_is_counted_in_its_first_scan():
    rows = numbers().drop(columns="y")
    table = ibis.memtable(rows)
    stored = fewest.SubsetSelector(Ridge(), search="sfs", refit=False).fit(table, target="z")
    files = fewest.SubsetSelector(Ridge(), search="sfs", refit=False).fit(
        arrow(rows).dataset, target="z"
    )
    assert stored.result_.features == files.result_.features
    assert stored.score_ == pytest.approx(files.score_, abs=1e-12)


def test_tables_that_cannot_be_reached_get_a_sentence(database, tmp_path):
    with pytest.raises(InputError, match="There is no file .*none.duckdb"):
        fewest.load(tmp_path / "none.duckdb")
    with pytest.raises(InputError, match="Name a table of .*#orders; it has: orders"):
        fewest.load(f"{database}#customers")
    (tmp_path / "text.duckdb").write_text("no database")
    with pytest.raises(InputError, match="must be a DuckDB database that can be read"):
        fewest.load(tmp_path / "text.duckdb")
    connection = ibis.duckdb.connect(database, read_only=True)
    source = IbisTable(connection.table("orders"))
    connection.disconnect()
    with pytest.raises(InputError, match="The engine of the duckdb table did not answer"):
        list(source.batches(["y"]))


def _selected(X, measure):
    found = fewest.SubsetSelector(measure, search="sfs", random_state=0).fit(X, target="y")
    return found.result_.features, found.score_, found.result_.left_out


@pytest.mark.xdist_group("spark")
def test_memory_duckdb_arrow_and_spark_select_the_same(tmp_path):
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.warehouse.dir", str(tmp_path / "warehouse"))
        .getOrCreate()
    )
    try:
        table = frame(2000).drop(columns="w")
        session.read.parquet(*glob(parquet(table, tmp_path))).createOrReplaceTempView("given")
        spark = ibis.pyspark.connect(session).table("given")
        engines = [spark, ibis.memtable(table), arrow(table, 13).dataset, arrow(table).dataset]
        memory = _selected(table, "mdl-fs")
        assert all(_selected(engine, "mdl-fs") == memory for engine in engines)
        rows = FoldedRows(stored_table(IbisTable(spark), "y"), 3)
        same = FoldedRows(stored_table(arrow(table), "y"), 3)
        sizes = [sum(np.bincount(p.fold, minlength=3) for p in parts_of(r)) for r in (rows, same)]
        assert sizes[0].tolist() == sizes[1].tolist()
    finally:
        session.stop()


def test_a_lazy_frame_selects_as_memory_does(tmp_path):
    table = frame().drop(columns="w")
    lazy = pl.scan_parquet(parquet(table, tmp_path))
    stored = fewest.SubsetSelector("mrmr", search="sfs").fit(lazy, target="y")
    memory = fewest.SubsetSelector("mrmr", search="sfs").fit(table, target="y")
    assert stored.result_.features == memory.result_.features
    assert stored.score_ == memory.score_


def test_what_cannot_be_read_is_told(tmp_path):
    lazy = pl.scan_parquet(parquet(frame(), tmp_path))
    source = LazyTable(lazy)
    for path in tmp_path.glob("*.parquet"):
        path.unlink()
    with pytest.raises(InputError, match="The LazyFrame cannot be read"):
        list(source.batches(["y"]))
