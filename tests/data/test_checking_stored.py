"""The check of tables outside memory: the same findings, from one scan."""

from __future__ import annotations

import numpy as np
import pytest

import fewest
from fewest.data import generate, load
from fewest.data._checking import look
from fewest.data._engine import checked_scan
from tests.cli.calls import within

pa = pytest.importorskip("pyarrow")
ds = pytest.importorskip("pyarrow.dataset")
pq = pytest.importorskip("pyarrow.parquet")
DIRTY = ("dirty-churn", "patients", "fraud", "sensors-in-time", "survey", "houses")


def write(data, path):
    columns = {name: data.X[name].to_list() for name in data.names}
    pq.write_table(pa.table({**columns, data.target: data.y.tolist()}), path)


def pairs(found):
    return {(one.kind, one.columns, one.evidence, one.severity) for one in found}


@pytest.mark.parametrize("name", DIRTY)
def test_files_that_stay_on_disk_have_the_findings_of_memory(name, tmp_path):
    write(generate(name), tmp_path / "part.parquet")
    stored = load(str(tmp_path / "*.parquet"), target=generate(name).target)
    assert pairs(fewest.check(stored)) == pairs(fewest.check(load(tmp_path / "part.parquet")))


def test_lazy_frames_databases_and_arrow_data_sets():
    pl = pytest.importorskip("polars")
    ibis = pytest.importorskip("ibis")
    data = generate("dirty-churn")
    frame = pl.DataFrame({**{n: data.X[n].to_list() for n in data.names}, "churn": data.y})
    wanted = fewest.check(frame, target="churn")
    assert pairs(fewest.check(frame.lazy(), target="churn")) == pairs(wanted)
    assert pairs(fewest.check(ds.dataset(frame.to_arrow()), target="churn")) == pairs(wanted)
    table = ibis.memtable(frame.to_arrow())
    found = {(one.kind, one.columns) for one in fewest.check(table, target="churn")}
    assert found >= {("leak", ("refund",)), ("identifier", ("customer_id",))}


def test_a_run_on_files_that_stay_on_disk_leaves_out_identifiers_and_text(tmp_path):
    data = generate("dirty-churn", 600)  # more labels than 2,000 are not counted at all
    write(data, tmp_path / "part.parquet")
    stored = load(str(tmp_path / "*.parquet"), target=data.target)
    selector = fewest.SubsetSelector("mrmr", search="sfs", max_features=4, random_state=0)
    kept = selector.set_params(exclude="refund").fit(data.X, data.y).result_
    found = selector.fit(stored.X, stored.y).result_
    assert found.features == kept.features
    left_out = {note.columns for note in found.notes if note.kind in ("identifier", "free-text")}
    assert left_out == {("customer_id",), ("comment",)}
    selector.set_params(include="customer_id").fit(stored.X, stored.y)
    assert "customer_id" in selector.result_.features


@pytest.fixture
def small_sample(monkeypatch):
    monkeypatch.setattr(checked_scan, "MOST_VALUES", 8 * 2000)
    monkeypatch.setattr(checked_scan, "MOST_KEYS", 3000)
    assert look.FEWEST_ROWS <= 2000


def large(rng, n=20_000):
    y = rng.integers(0, 10, n) == 0
    return {
        "leak": y + 0.01 * rng.normal(size=n),
        "row": np.arange(n) * 2.0,
        "order_id": np.arange(n) + 7,
        "one": np.full(n, "same"),
        "nearly": np.zeros(n),
        "copy": rng.normal(size=n),
        "kind": rng.choice(["a", "b", "c"], n),
        "x": rng.normal(size=n),
        "y": np.where(y, "yes", "no"),
    }


def test_of_a_large_table_a_sample_is_looked_at_and_all_rows_are_counted(small_sample):
    columns = large(np.random.default_rng(0))
    columns["nearly"][17] = 1.0
    table = pa.table(columns)
    found = fewest.check(ds.dataset(table), target="y")
    assert (found.n_rows, found.n_features) == (20_000, 8)
    assert found.n_seen == 2000
    assert "(most is found in a sample of 2,000 rows)" in str(found)
    assert fewest.data._checking.finding.Check.from_dict(found.to_dict()) == found
    got = {(one.kind, one.column): one.evidence for one in found}
    assert len(got) == len(found)
    rare = int((columns["y"] == "yes").sum())
    assert got["imbalance", ""] == f"{20_000 - rare:,} of 20,000 rows are no, {rare:,} are yes"
    assert got["row-number", "row"] == "it grows by 2 from row to row"
    assert got["identifier", "order_id"] == "it grows by 1 from row to row"
    assert got["constant", "one"] == "the same value in every row"
    assert got["leak", "leak"].startswith("skill 0.9")
    assert ("constant", "nearly") not in got
    assert ("duplicate-rows", "") not in got


def test_copies_are_counted_in_all_rows_whatever_the_batches(small_sample):
    rng = np.random.default_rng(1)
    columns = large(rng)
    table = pa.table({name: columns[name] for name in ("copy", "kind", "x", "y")})
    again = table.take(rng.integers(0, 20_000, 2000))
    differing = table.slice(0, 50).set_column(3, "y", [["maybe"] * 50])
    other = pa.concat_tables([table, again, differing])
    found = fewest.check(ds.dataset(other), target="y")
    text = found.of("duplicate-rows")[0].evidence
    copies = int(text.split()[0].replace(",", ""))
    exact = other.num_rows - len({tuple(r.values())[:3] for r in other.to_pylist()})
    assert abs(copies - exact) < 0.15 * exact
    assert len(found.of("conflicting-rows")) == 1
    for size in (1000, 7777):
        source = checked_scan.StoredFrame(
            fewest.data._engine.parquet.ArrowDataset(ds.dataset(other), size), ("copy", "kind", "x")
        )
        assert checked_scan.check_stored(source, "y", None, None) == found


def test_the_table_is_read_once(monkeypatch, tmp_path):
    write(generate("fraud"), tmp_path / "part.parquet")
    stored = load(str(tmp_path / "*.parquet"), target="fraud")
    scans = []
    plain = type(stored.X.source).reduce
    monkeypatch.setattr(
        type(stored.X.source), "reduce", lambda self, scan: scans.append(scan) or plain(self, scan)
    )
    fewest.check(stored)
    assert len(scans) == 1


def test_on_the_command_line(tmp_path):
    write(generate("dirty-churn"), tmp_path / "part.parquet")
    done = within("check", str(tmp_path / "*.parquet"), "--target", "churn")
    assert done.exit_code == 0, done.output
    assert "SERIOUS  Predicts the target almost alone" in done.output
    wrong = within("check", str(tmp_path / "*.parquet"), "--target", "chrn")
    assert wrong.exit_code == 1
    assert "did you mean 'churn'" in str(wrong.exception)
