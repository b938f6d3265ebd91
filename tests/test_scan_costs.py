"""What a selection from a table outside memory would cost, against the selection itself."""

import numpy as np
import pyarrow.parquet as pq
import pytest

import fewest
from fewest import _scan_costs as module
from fewest._scan_costs import Measured, ScanCosts, scan_costs
from fewest.data._engine.source import TableSource
from tests.cli.calls import within
from tests.data.engine.sample import mixed, parquet


@pytest.fixture
def folder(tmp_path):
    parquet(mixed(20_000), tmp_path, 4)
    return tmp_path


@pytest.mark.parametrize("measure", ["mrmr", "naive-bayes", "inconsistency"])
def test_scans_and_bytes_are_those_of_the_selection(folder, measure, monkeypatch):
    selector = fewest.SubsetSelector(measure, search="sfs", random_state=0, refit=False)
    data = fewest.load(folder, target="y")
    costs, n_rows = scan_costs(data.X, selector, "y")
    scans, reduce = [], TableSource.reduce
    monkeypatch.setattr(TableSource, "reduce", lambda s, q: scans.append(q) or reduce(s, q))
    selector.fit(data.X, data.y)
    assert n_rows == 20_000
    assert costs.at(n_rows).scans == len(scans)
    files = [pq.ParquetFile(path).metadata for path in sorted(folder.glob("*.parquet"))]
    groups = [file.row_group(i) for file in files for i in range(file.num_row_groups)]
    read = sum(
        column.total_compressed_size
        for scan in scans
        for group in groups
        for column in (group.column(j) for j in range(group.num_columns))
        if column.path_in_schema in data.X.source.read_by(scan)
    )
    # The size of all files is that of the first one, scaled.
    assert costs.at(n_rows).read == pytest.approx(read, rel=0.01)


def test_costs_of_scans_grow_with_the_rows_and_all_else_stays():
    small, large = Measured(1_000, 4, 1e4, 1.5, 0.2), Measured(5_000, 5, 5e4, 3.5, 0.3)
    costs = ScanCosts(small, large, 12_000, 200_000_000, None)
    assert costs.at(5_000).cpu == 3.5
    assert costs.at(1e9).cpu == pytest.approx(3.5 + 0.0005 * (1e9 - 5_000))
    assert costs.at(1e9).read == pytest.approx(1e10)
    assert (costs.at(1e9).scans, costs.at(1e9).alone) == (5, 0.3)
    text = costs.describe(1e10, workers=50)
    assert "CPU of the scans  1388.9 h, 27.8 h for each of 50 workers" in text
    assert "memory, driver    200 MB\n  memory, worker    not measured here" in text


def test_the_command_prints_them_and_refuses_a_table_in_memory(folder, tmp_path):
    done = within("plan", str(folder), "--target", "y", "--measure", "cfs", "--rows", "1e10")
    assert done.exit_code == 0, done.output
    assert "20,000 rows; cfs, search sfs" in done.output
    assert "For 10,000,000,000 rows, from runs on 2,500 and 20,000:" in done.output
    refused = within("plan", "iris")
    assert "DATA must stay where it is" in str(refused.exception)
    small = tmp_path / "small"
    small.mkdir()
    parquet(mixed(900), small, 2)
    refused = within("plan", str(small), "--target", "y")
    assert "must have at least 8,000 rows" in str(refused.exception)


def test_more_rows_than_asked_for_are_not_read(folder):
    source = module.FirstRows(fewest.load(folder).X.source, 700)
    assert sum(batch.num_rows for batch in source.batches(["x0"])) == 700
    assert np.isclose(source.reduce(module.Tallies(("x0",), "y")).n_rows, 700)
