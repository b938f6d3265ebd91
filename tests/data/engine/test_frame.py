from dataclasses import dataclass
from pathlib import Path

import pytest

import fewest
from fewest._errors import InputError
from fewest._run.journal import read_lines
from fewest.measures import Inconsistency
from fewest.search._random import RandomSearch
from fewest.search._search import Verdict
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
