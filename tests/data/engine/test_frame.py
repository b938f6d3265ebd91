"""The memory for what scans count is the user's, and what does not fit takes further scans."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.linear_model import LinearRegression

import fewest
from fewest._errors import InputError
from fewest._run.journal import read_lines
from fewest.data._engine.frame import stored_table
from fewest.data._engine.parquet import ParquetFiles
from fewest.data._engine.source import TableSource, batch_rows
from fewest.measures import CrossValidated, Inconsistency
from fewest.measures._measure_names import resolve_measure
from fewest.search._random import RandomSearch
from fewest.search._search import Verdict
from tests.data.engine.sample import arrow, frame, mixed, parquet


def test_what_load_returns_goes_into_fit(tmp_path):
    table = frame().drop(columns="w")
    data = fewest.load(parquet(table, tmp_path), target="y")
    assert data.names == tuple(f"x{j}" for j in range(6))
    assert "6 features, target 'y'" in repr(data)
    assert data.table().n_rows == 900
    stored = fewest.SubsetSelector("cfs", search="sfs").fit(data.X, data.y)
    memory = fewest.SubsetSelector("cfs", search="sfs").fit(table, target="y")
    assert stored.result_.features == memory.result_.features
    assert stored.score_ == memory.score_
    with pytest.raises(InputError, match="'class' is none"):
        fewest.load(str(tmp_path), target="class")


def test_a_journal_goes_on_and_refuses_other_rows(tmp_path):
    table = frame().drop(columns="w")
    pattern = parquet(table, tmp_path)
    journal = tmp_path / "run.jsonl"
    first = fewest.SubsetSelector("mrmr", search="sfs", journal=journal, random_state=0)
    first.fit(fewest.load(pattern).X, fewest.load(pattern).y)
    lines = journal.read_text()
    again = fewest.SubsetSelector("mrmr", search="sfs", journal=journal, random_state=0)
    again.fit(fewest.load(pattern).X, fewest.load(pattern).y)
    assert again.result_.features == first.result_.features
    assert journal.read_text() == lines


@dataclass
class Losing(RandomSearch):
    """Random subsets; a file goes away between the first batch and the second."""

    lost: str = ""

    def propose(self, space, better, rng):
        yield space.sample(4, rng, 0.5)
        if self.lost and Path(self.lost).exists():
            Path(self.lost).rename(self.lost + ".away")
        yield space.sample(4, rng, 0.5)
        return Verdict("8 subsets drawn")


def test_a_file_lost_during_a_run_leaves_a_journal_that_goes_on(tmp_path):
    pattern = parquet(frame().drop(columns="w"), tmp_path)
    lost, journal = tmp_path / "part-1.parquet", tmp_path / "run.jsonl"

    def fit():
        search = Losing(lost=str(lost))
        measure = Inconsistency(threshold=1.0)
        data = fewest.load(pattern)
        selector = fewest.SubsetSelector(measure, search=search, journal=journal, random_state=0)
        return selector.fit(data.X, data.y)

    with pytest.raises(InputError, match=r"part-1.parquet was there when the run began, but is"):
        fit()
    (tmp_path / "part-1.parquet.away").rename(lost)
    recorded = journal.read_text()
    assert len(read_lines(journal)[0]) >= 2
    with pytest.raises(InputError, match="was there when the run began"):
        fit()  # the first batch is replayed, then the file goes away again
    assert journal.read_text() == recorded


def test_kinds_levels_and_classes_are_those_of_memory():
    table = mixed()
    stored = stored_table(arrow(table), "y")
    assert stored.names == ("size", "noise", "x0", "x1")
    assert stored.levels == (None, None, ("a", "b"), ("a", "b", "c"))
    assert stored.classes.tolist() == ["low", "mid", "top"]
    assert stored_table(arrow(frame()), "y", nominal=["w"]).levels[-1] == (0, 1, 2, 3)


def test_unusable_targets_and_columns_get_a_sentence():
    table = frame()
    with pytest.raises(InputError, match="`y` must have at least two classes, but has only one"):
        stored_table(arrow(table.assign(y="same")), "y")
    with pytest.raises(InputError, match="`y` must be known in every row"):
        stored_table(arrow(table), "x2")
    with pytest.raises(InputError, match="must hold numbers for a regression, but 'y' does not"):
        stored_table(arrow(table), "y", task="regression")
    with pytest.raises(InputError, match="has 900 different whole numbers, hardly a class"):
        stored_table(arrow(table.assign(y=range(900))), "y")
    with pytest.raises(InputError, match="must have at least one row, but has none"):
        stored_table(arrow(table.iloc[:0]), "y")
    with pytest.raises(InputError, match="must have at least one feature, but has none"):
        stored_table(arrow(table[["y"]]), "y")


def test_metadata_name_columns():
    table = frame()
    weighted = stored_table(arrow(table), "y", metadata={"sample_weight": "w"})
    assert weighted.names == tuple(f"x{j}" for j in range(6))
    with pytest.raises(InputError, match="`sample_weight` must name a column of the Arrow data"):
        stored_table(arrow(table), "y", metadata={"sample_weight": [1.0, 2.0]})
    with pytest.raises(InputError, match="`costs` is not used for a table that stays"):
        stored_table(arrow(table), "y", metadata={"costs": "w"})


def test_numbers_as_targets_have_no_classes():
    assert stored_table(arrow(mixed()), "size").classes is None


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
