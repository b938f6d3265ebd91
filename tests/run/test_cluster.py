"""Real clusters of two workers on this machine: the answer of a serial run, also after a death."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest

from fewest._errors import InputError
from fewest._run.cluster import connect, is_cluster
from fewest._run.execute import Executor
from fewest.measures._measure import Scorer, Scores

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


#: Spark is killed in the middle of the counts, from which a table outside memory is scored.
DYING = """
import os, signal
import ibis
from pyspark.sql import SparkSession
import fewest
from fewest._errors import InputError
from fewest.data._engine.ibis_table import IbisTable
from tests.data.engine.sample import frame
session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
session.createDataFrame(frame(500).drop(columns="w")).createOrReplaceTempView("given")
table = ibis.pyspark.connect(session).table("given")
answered, calls = IbisTable.answered, []
def deadly(self, scan):
    calls.append(scan)
    if len(calls) == 2:
        os.kill(session.sparkContext._gateway.proc.pid, signal.SIGKILL)
    return answered(self, scan)
IbisTable.answered = deadly
try:
    fewest.SubsetSelector("mdl-fs", search="sfs").fit(table, target="y")
except InputError as error:
    print(len(calls) >= 2, error)
"""


@own_servers
@pytest.mark.unix
def test_spark_that_dies_in_the_middle_of_a_scan_is_named_in_a_sentence():
    pytest.importorskip("pyspark")
    env = {**os.environ, "PYTHONPATH": os.getcwd()}
    command = [sys.executable, "-c", DYING]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300)
    assert done.stdout.startswith("True The engine of the pyspark table did not answer ("), (
        done.stderr
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
