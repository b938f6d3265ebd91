import pytest

import fewest
from fewest.errors import InputError
from tests.data.engine.sample import frame, parquet


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
