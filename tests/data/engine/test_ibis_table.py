import duckdb
import ibis
import pyarrow as pa
import pytest

import fewest
from fewest.data.engine.ibis_table import IbisTable
from fewest.errors import InputError
from tests.data.engine.sample import frame
from tests.naive.joint_counts import joint_counts


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


def test_the_engine_counts_groups_of_columns_itself():
    table = frame()
    source = IbisTable(ibis.memtable(table))
    found = {}
    groups = [("x0", "y"), ("x2",), ("x0", "x1", "y")]
    for place, values, n in source.count_groups(groups, None):
        found.setdefault(place, {})[values] = n
    assert found[0] == joint_counts(table["x0"], table["y"])
    assert found[1] == joint_counts([None if v is None else v for v in table["x2"]])
    assert found[2] == joint_counts(table["x0"], table["x1"], table["y"])
    weighted = {values: n for _, values, n in source.count_groups([("x0",)], "w")}
    assert weighted == {(v,): table.loc[table["x0"] == v, "w"].sum() for v in "ab"}


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
