import numpy as np

from fewest.data._as_table import as_table
from fewest.data._engine import entropies as module
from fewest.data._engine.frame import stored_table
from tests.data.engine.sample import arrow, frame


def test_features_alone_need_no_further_scan_and_wide_tables_count_single_columns(monkeypatch):
    table = frame().drop(columns="w")
    bits = stored_table(arrow(table), "y").information()
    memory = as_table(table.drop(columns="y"), table["y"]).information()
    assert (bits.relevance == memory.relevance).all()
    assert bits.source.counts.scans == 0
    monkeypatch.setattr(module, "ALL_PAIRS_UP_TO", 3)
    assert (bits.mutual_with(2) == memory.mutual_with(2)).all()
    assert (bits.excess_with(4) == memory.excess_with(4)).all()
    assert bits.source.counts.scans == 2
    assert (bits.conditional == memory.conditional).all()
    assert np.isfinite(bits.uncertainty).all()
