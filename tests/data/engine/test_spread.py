import dataclasses
import os
import pickle
import signal

import dask
import dask.dataframe
import ibis
import joblib
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.linear_model import Ridge

import fewest
from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.data._engine import spread as module
from fewest.data._engine.frame import stored_table
from fewest.data._engine.open import open_source
from fewest.data._engine.parquet import ParquetFiles
from fewest.data._engine.spread import Errand, join_parts, run_part, spread
from fewest.data._engine.tallies import Tallies, Tally
from fewest.measures import CrossValidated
from fewest.measures._measure_names import resolve_measure
from tests.data.engine.sample import arrow, frame, mixed, parquet

EVERY = np.array([[bool(n >> j & 1) for j in range(4)] for n in range(1, 16)])
COUNTED = ("mrmr", "cfs", "mdl-fs", "inconsistency", "naive-bayes")


@pytest.fixture(autouse=True)
def one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def _dask(table, partitions):
    return open_source(dask.dataframe.from_pandas(table, npartitions=partitions, sort=False))


def _scores(source, measure, target="y"):
    return resolve_measure(measure).bind(stored_table(source, target)).score(EVERY).value


@pytest.mark.parametrize("name", COUNTED)
def test_engines_partitions_and_orders_of_rows_do_not_change_a_score(name, tmp_path):
    table = mixed(700)
    wanted = _scores(arrow(table), name)
    shuffled = table.sample(frac=1.0, random_state=3).reset_index(drop=True)
    files = parquet(shuffled, tmp_path, 3)
    rows = pa.Table.from_pandas(shuffled, preserve_index=False)
    places = [
        _dask(table, 1), _dask(shuffled, 5), _dask(table, 40), ParquetFiles(files),
        spread(ParquetFiles(files), 2), open_source(ibis.duckdb.connect().read_parquet(files)),
        open_source(pl.from_arrow(rows).lazy()), arrow(shuffled, 7),
    ]  # fmt: skip
    for source in places:
        np.testing.assert_allclose(_scores(source, name), wanted, rtol=0, atol=1e-9)
    if name not in ("inconsistency", "naive-bayes"):  # their cuts and folds are of stored rows
        memory = resolve_measure(name).bind(as_table(shuffled.drop(columns="y"), shuffled["y"]))
        np.testing.assert_allclose(memory.score(EVERY).value, wanted, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("measure", "target"), [("gaussian-nb", "y"), ("lda", "y"), (CrossValidated(Ridge()), "n3")]
)
def test_models_of_numbers_score_the_same_in_partitions(measure, target):
    rng = np.random.default_rng(0)
    table = mixed(700)[["y"]]
    for j in range(4):
        table[f"n{j}"] = rng.normal(0, 1, 700) + (table["y"] == "top") * j
    table = table if target == "y" else table.drop(columns="y").assign(n4=rng.normal(0, 1, 700))
    wanted = _scores(arrow(table), measure, target)
    shuffled = table.sample(frac=1.0, random_state=3).reset_index(drop=True)
    for partitions in (1, 6, 33):
        found = _scores(_dask(shuffled, partitions), measure, target)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9)


def test_patterns_that_overflow_in_every_partition_are_counted_in_further_scans(monkeypatch):
    from fewest.data._engine import pattern_scans

    monkeypatch.setattr(pattern_scans, "MOST_DENSE", 1)
    wanted = _scores(arrow(mixed()), "inconsistency")
    monkeypatch.setattr(pattern_scans, "FEWEST_SLOT_BITS", 5)
    stored = stored_table(_dask(mixed(), 7), "y")
    stored.source.memory = 1
    scorer = resolve_measure("inconsistency").bind(stored)
    np.testing.assert_allclose(scorer.score(EVERY).value, wanted, rtol=0, atol=1e-12)
    assert scorer.patterns.scans > 2


def test_a_check_in_partitions_finds_what_one_process_finds():
    table = frame().assign(row=np.arange(900), one="same").drop(columns="w")
    doubled = table.iloc[np.r_[0:900, 5:9]].reset_index(drop=True)
    for rows in (table, doubled):
        found = fewest.check(dask.dataframe.from_pandas(rows, npartitions=6), target="y").findings
        assert found == fewest.check(arrow(rows).dataset, target="y").findings
        kinds = {(one.kind, one.columns) for one in found}
        assert ("constant", ("one",)) in kinds


def test_a_worker_with_another_version_is_refused_in_a_sentence():
    errand = dataclasses.replace(Errand.of(Tallies(("x0",), "y")), versions=("0.0.1", "3.9"))
    refused = run_part(errand, frame())
    with pytest.raises(InputError, match=r"must have fewest 0.0.1 and Python 3.9.* but one has "):
        raise pickle.loads(refused)
    errand = Errand.of(Tallies(("x0",), "y"))
    states = [run_part(errand, frame()), refused, run_part(errand, frame())]
    assert isinstance(pickle.loads(join_parts(errand, *states)), InputError)


def test_a_worker_without_the_package_is_refused_in_a_sentence(monkeypatch):
    def missing(*_):
        raise ModuleNotFoundError("No module named 'fewest'")

    monkeypatch.setattr(module, "_on_dask", missing)
    with pytest.raises(InputError, match=r"A worker of the Dask frame has no fewest.*on all worke"):
        _dask(frame(), 2).reduce(Tallies(("x0",), "y"))


def test_errors_in_the_data_come_from_the_worker_as_they_are():
    table = mixed().drop(columns="x0").assign(x1=1.0)
    table.loc[700, "size"] = np.inf
    with pytest.raises(InputError, match="Column 'size' must hold finite numbers"):
        fewest.SubsetSelector("mrmr", search="sfs").fit(
            dask.dataframe.from_pandas(table, npartitions=5), target="y"
        )


class Fragile(Tallies):
    """Scan whose first reading of a part fails, as a disk or a network does."""

    def start(self):
        if "FEWEST_FRAGILE" in os.environ:
            del os.environ["FEWEST_FRAGILE"]
            raise OSError("the disk is away")
        return super().start()


class OnceFatal(Tallies):
    """Scan that ends the first process that starts it, where a file is to be removed."""

    def start(self):
        try:
            os.unlink(self.labels[-1])
        except FileNotFoundError:
            return Tally(self.labels[:-1], self.target)
        os.kill(os.getpid(), signal.SIGKILL)

    @property
    def columns(self):
        return [*self.labels[:-1], self.target]


@pytest.mark.unix
def test_files_are_read_again_where_a_process_is_killed(tmp_path):
    source = spread(ParquetFiles(parquet(frame(), tmp_path)), 2)
    deadly = tmp_path / "die"
    deadly.write_text("once")
    tally = source.reduce(OnceFatal(("x0", str(deadly)), "y"))
    assert not deadly.exists()
    wanted = source.whole.reduce(Tallies(("x0",), "y"))
    assert {v: c.tolist() for v, c in tally.found["x0"].items()} == {
        v: c.tolist() for v, c in wanted.found["x0"].items()
    }


def test_a_file_that_cannot_be_read_once_is_read_again_and_one_that_never_can_is_named(
    tmp_path, monkeypatch
):
    source = ParquetFiles(parquet(frame(), tmp_path))
    opened = []
    open_file = pq.ParquetFile

    def failing(path, **options):
        opened.append(path)
        if len(opened) <= failures:
            raise OSError("Input/output error")
        return open_file(path, **options)

    monkeypatch.setattr(pq, "ParquetFile", failing)
    with joblib.parallel_config("threading"):
        failures = module.RETRIES
        assert spread(source, 2).reduce(Tallies(("x0",), "y")).n_rows == 900
        failures = 10**6
        with pytest.raises(InputError, match=r"^The file .* cannot be read to its end: Input/out"):
            spread(source, 2).reduce(Tallies(("x0",), "y"))
    remote = RuntimeError("Traceback ...\nfewest.data._engine.spread.UnreadableError: The file f.")
    assert str(_dask(frame(), 2).failed(remote)) == "The file f."


def test_a_worker_without_packages_gets_a_sentence():
    table = _dask(frame(), 2)
    lost = table.failed(RuntimeError("ModuleNotFoundError: No module named 'narwhals'"))
    assert "has no narwhals: it runs a Python without fewest" in str(lost)
    assert "PYSPARK_PYTHON names" in str(lost)
    older = table.failed(RuntimeError("ModuleNotFoundError: No module named 'fewest.data'"))
    assert "has no fewest, or an older one" in str(older)


def test_an_engine_that_fails_is_named_and_an_interrupt_cancels(monkeypatch):
    monkeypatch.setenv("FEWEST_FRAGILE", "1")
    with pytest.raises(InputError, match=r"engine of the Dask frame did not answer \(OSError: the"):
        _dask(frame(), 2).reduce(Fragile(("x0",), "y"))
    cancelled = []

    class Interrupted:
        def result(self):
            raise KeyboardInterrupt

        def cancel(self):
            cancelled.append(True)

    with pytest.raises(KeyboardInterrupt):
        module._on_dask(Errand.of(Tallies(("x0",), "y")), [frame()], lambda task: Interrupted())
    assert cancelled == [True]


def test_rows_that_a_dask_frame_gains_are_noticed():
    source = _dask(frame(), 3)
    source.reduce(Tallies((), "y"))
    source.frame = dask.dataframe.from_pandas(frame(901), npartitions=3)
    with pytest.raises(InputError, match="the Dask frame had 900 rows and now has 901"):
        source.reduce(Tallies((), "y"))
