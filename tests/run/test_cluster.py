"""Real clusters of two workers on this machine: the answer of one process, also after a death."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest

import fewest
from fewest import SubsetSelector
from fewest._errors import InputError
from fewest._run.cluster import connect, is_cluster
from fewest._run.execute import Executor
from fewest.data._engine.open import open_source
from fewest.data._engine.parquet import ParquetFiles
from fewest.data._engine.spread import spread
from fewest.data._engine.tallies import Tallies, Tally
from fewest.measures._measure import Scorer, Scores
from tests.data.engine.sample import frame, mixed, parquet

pytest.importorskip("distributed")
ray = pytest.importorskip("ray")


class Sums(Scorer):
    """Scores a subset by the weights of its features, from a table that is worth sending once."""

    batch = 8

    def __init__(self, deadly: Path | None = None) -> None:
        self.table = np.arange(1000.0 * 12).reshape(1000, 12)
        self.deadly = deadly
        self.driver = os.getpid()

    def score(self, candidates):
        """The sums; the first worker that comes here with a file to remove dies at once."""
        if self.deadly is not None and os.getpid() != self.driver:
            try:
                os.unlink(self.deadly)
            except FileNotFoundError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return Scores(np.asarray(candidates, dtype=float) @ self.table.mean(axis=0))


#: Clusters have servers of their own, which end with more than a failed test where they cannot run.
own_servers = pytest.mark.skipif(
    "FEWEST_CLUSTERS" not in os.environ, reason="`make test-clusters` starts real clusters"
)
MASKS = np.random.default_rng(0).random((100, 12)) < 0.5


def scored(scorer, n_jobs):
    with Executor(scorer, n_jobs).running() as executor:
        return Scores.join([scores for _, scores in executor.score(MASKS)]).value.tolist()


@pytest.fixture(scope="module")
def dask_address():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def ray_cluster():
    try:
        ray.init(
            num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=10**8
        )
    except Exception as error:  # whatever Ray says where it cannot run
        pytest.skip(f"Ray does not start on this machine: {error}")
    yield "ray:auto"
    ray.shutdown()


@own_servers
@pytest.mark.unix
def test_dask_scores_as_one_process_does_and_survives_the_death_of_a_worker(dask_address, tmp_path):
    serial = scored(Sums(), None)
    assert scored(Sums(), f"dask:{dask_address}") == serial
    deadly = tmp_path / "die"
    deadly.write_text("once")
    assert scored(Sums(deadly), f"dask:{dask_address}") == serial
    assert not deadly.exists()


@own_servers
@pytest.mark.unix
def test_ray_scores_as_one_process_does_and_survives_the_death_of_a_worker(ray_cluster, tmp_path):
    serial = scored(Sums(), None)
    assert scored(Sums(), ray_cluster) == serial
    deadly = tmp_path / "die"
    deadly.write_text("once")
    assert scored(Sums(deadly), ray_cluster) == serial
    assert not deadly.exists()


@own_servers
@pytest.mark.unix
def test_a_search_that_stops_within_a_batch_leaves_ray_as_it_was(ray_cluster):
    # Cancelled tasks that were just ending brought down the process that had asked for them.
    serial = scored(Sums(), None)
    for _ in range(20):
        with Executor(Sums(), ray_cluster).running() as executor:
            batches = executor.score(MASKS)
            next(batches)
            batches.close()
    assert scored(Sums(), ray_cluster) == serial


@own_servers
@pytest.mark.unix
def test_the_backend_of_ray_in_joblib_returns_lists_in_rounds(ray_cluster):
    from ray.util.joblib import register_ray

    register_ray()
    with joblib.parallel_config("ray", n_jobs=2):
        assert scored(Sums(), None) == scored(Sums(), 1)


class Deadly(Tallies):
    """Scan of a table; the first worker that finds the file to remove dies at once."""

    def add(self, state, part):
        try:
            os.unlink(self.labels[-1])
        except OSError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
        state.add(*part)
        return state

    def start(self):
        return Tally(self.labels[:-1], self.target)

    @property
    def columns(self):
        return [*self.labels[:-1], self.target]


#: Of labels, of labels and numbers, of numbers: every kind of sum is counted in the partitions.
MEASURES = ("mdl-fs", "naive-bayes", "lda")


def table_for(measure):
    table = mixed(1200) if measure == "naive-bayes" else frame(1200)
    if measure == "lda":
        codes = {f"n{j}": table[f"x{j}"].map(ord) + np.sin(np.arange(1200.0)) for j in (0, 1, 3)}
        table = table[["y"]].assign(**codes)
    return table.drop(columns="w", errors="ignore")


def selected(X, measure, **options):
    found = SubsetSelector(measure, search="sfs", random_state=0, **options).fit(X, target="y")
    return found.result_.features, found.score_


def check_scans(source, given, folder):
    """Every measure selects as in files of one process, and a scan survives the death of a worker.

    ``given`` returns X and options of the selector; ``source`` the table of a pattern of files.
    """
    for measure in MEASURES:
        place = folder / measure
        place.mkdir()
        pattern = parquet(table_for(measure), place, 4)
        features, score = selected(fewest.load(pattern, target="y").X, measure)
        X, options = given(pattern)
        found = selected(X, measure, **options)
        assert found[0] == features
        assert found[1] == pytest.approx(score, abs=1e-9)
    pattern = str(folder / "mdl-fs" / "*.parquet")
    wanted = fewest.load(pattern, target="y").X.source.reduce(Tallies(("x0", "x1"), "y"))
    deadly = folder / "die"
    deadly.write_text("once")
    tally = source(pattern).reduce(Deadly(("x0", "x1", str(deadly)), "y"))
    assert not deadly.exists()
    assert tally.n_rows == 1200
    classes = np.array(sorted(wanted.classes))
    assert (tally.class_counts(classes) == wanted.class_counts(classes)).all()


@own_servers
@pytest.mark.unix
def test_dask_counts_in_files_and_partitions_and_survives_a_death(dask_address, tmp_path):
    from dask.dataframe import read_parquet
    from distributed import Client

    jobs = f"dask:{dask_address}"
    check_scans(
        lambda pattern: spread(ParquetFiles(pattern), jobs),
        lambda pattern: (fewest.load(pattern, target="y").X, {"n_jobs": jobs}),
        tmp_path,
    )
    (tmp_path / "frames").mkdir()
    with Client(dask_address):
        check_scans(
            lambda pattern: open_source(read_parquet(pattern)),
            lambda pattern: (read_parquet(pattern), {}),
            tmp_path / "frames",
        )


@own_servers
@pytest.mark.unix
def test_ray_counts_in_files_and_blocks_and_survives_a_death(ray_cluster, tmp_path):
    check_scans(
        lambda pattern: spread(ParquetFiles(pattern), ray_cluster),
        lambda pattern: (fewest.load(pattern, target="y").X, {"n_jobs": ray_cluster}),
        tmp_path,
    )
    pattern = str(tmp_path / "mdl-fs")
    assert selected(ray.data.read_parquet(pattern), "mdl-fs") == selected(
        fewest.load(pattern, target="y").X, "mdl-fs"
    )


#: In a process of its own, since the Java machine is killed in the end, in the middle of a scan.
SPARK = """
import os, signal, sys
from pathlib import Path
import ibis
from pyspark.sql import SparkSession
import fewest
from fewest._errors import InputError
from fewest.data._engine.open import open_source
from fewest.data._engine.spread import SparkTable
from tests.run.test_cluster import check_scans
session = (
    SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    .config("spark.driver.host", "127.0.0.1").config("spark.sql.shuffle.partitions", "2")
    .getOrCreate()
)
def read(pattern):
    return session.read.parquet(str(Path(pattern).parent)).repartition(4)
check_scans(lambda p: open_source(read(p)), lambda p: (read(p), {}), Path(sys.argv[1]))
read(str(Path(sys.argv[1]) / "mdl-fs" / "*")).createOrReplaceTempView("given")
table = ibis.pyspark.connect(session).table("given")
answered, calls = SparkTable.answered, []
def deadly(self, scan):
    calls.append(scan)
    if len(calls) == 2:
        os.kill(session.sparkContext._gateway.proc.pid, signal.SIGKILL)
    return answered(self, scan)
SparkTable.answered = deadly
try:
    fewest.SubsetSelector("mdl-fs", search="sfs").fit(table, target="y")
except InputError as error:
    print(len(calls) >= 2, error)
"""


@own_servers
@pytest.mark.unix
def test_spark_counts_in_partitions_survives_a_death_and_is_named_when_it_dies(tmp_path):
    pytest.importorskip("pyspark")
    env = {**os.environ, "PYTHONPATH": os.getcwd()}
    command = [sys.executable, "-c", SPARK, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=900)
    assert done.stdout.startswith("True The engine of the Spark table did not answer ("), (
        done.stderr[-3000:]
    )
    assert done.stdout.count("\n") == 1


def test_names_of_clusters_are_told_from_numbers_and_unreachable_ones_refused(monkeypatch):
    from fewest._run import cluster

    assert not is_cluster("dask")
    assert not is_cluster("spark://host")
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.2)
    with pytest.raises(InputError, match=r"names the Dask scheduler tcp://127.0.0.1:9, but it doe"):
        connect("dask:tcp://127.0.0.1:9", Sums())
    with pytest.raises(InputError, match="`n_jobs` must be None, a whole number of workers"):
        Executor(Sums(), "spark://host")
