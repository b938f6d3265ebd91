"""The memory for what scans count is the user's, and what does not fit takes further scans."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.linear_model import LinearRegression

import fewest
from fewest._errors import InputError
from fewest.data._engine.frame import stored_table
from fewest.data._engine.parquet import ParquetFiles
from fewest.data._engine.source import TableSource, batch_rows
from fewest.measures import CrossValidated
from fewest.measures._measure_names import resolve_measure
from tests.data.engine.sample import arrow, mixed, parquet

LEAST = 10_000_000


@pytest.fixture
def scans(monkeypatch):
    found, reduce = [], TableSource.reduce
    monkeypatch.setattr(
        TableSource, "reduce", lambda s, scan: found.append(scan) or reduce(s, scan)
    )
    return found


def test_an_amount_is_read_and_goes_with_stored_tables_only(tmp_path):
    pattern = parquet(mixed(), tmp_path)
    assert fewest.load(pattern, memory="0.5 GB").X.source.memory == 500_000_000
    assert fewest.load(pattern, memory=LEAST).X.on(2).source.memory == LEAST
    for wrong in ("much", "5 MB", "-1 GB", "3 XB", 17, True, ""):
        with pytest.raises(InputError, match="`memory` must be an amount such as .* at least 10"):
            fewest.load(pattern, memory=wrong)
    with pytest.raises(InputError, match="`memory` goes with a table that stays where it is"):
        fewest.load("iris", memory="1 GB")


def test_cuts_and_pairs_of_many_columns_take_further_scans_and_are_the_same(scans):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({f"n{j}": rng.normal(0, 1, 400) for j in range(40)})
    table["y"] = np.where(table["n0"] + table["n3"] + rng.normal(0, 0.5, 400) > 0, "yes", "no")
    subsets = rng.random((30, 40)) < 0.2

    def scores(memory):
        scans.clear()
        source = arrow(table)
        source.memory = memory
        found = resolve_measure("mrmr").bind(stored_table(source, "y")).score(subsets).value
        return found.tolist(), len(scans)

    (wanted, few), (found, many) = scores(10**9), scores(LEAST)
    assert found == wanted
    assert many > few


def test_products_that_do_not_fit_are_refused_before_the_scan(scans):
    rng = np.random.default_rng(0)
    source = arrow(pd.DataFrame(rng.normal(0, 1, (30, 400)), columns=[f"n{j}" for j in range(400)]))
    source.memory = LEAST
    table = stored_table(source, "n7", task="regression")
    scans.clear()
    with pytest.raises(InputError, match=r"`memory` must be at least 0.1 GB for the products of 4"):
        CrossValidated(LinearRegression()).bind(table)
    assert not scans


def test_batches_of_wide_tables_have_few_rows(tmp_path):
    wide = pa.table({f"n{j}": np.zeros(5000) for j in range(2000)})
    pq.write_table(wide, tmp_path / "wide.parquet", row_group_size=5000)
    source = ParquetFiles(str(tmp_path))
    sizes = [batch.num_rows for batch in source.batches(source.schema.names)]
    assert max(sizes) <= batch_rows(2000) == 2097
    assert sum(sizes) == 5000
