"""``python -m benchmarks.clusters [dask] [ray]``: forward selection with a random forest.

Seconds by the clock, since speed-up is about waiting: run it on a machine that does nothing else.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import fewest
from fewest import SubsetSelector
from fewest.measures import CrossValidated

WORKERS = 2


@contextmanager
def dask() -> Iterator[str]:
    """The address of a Dask cluster of two processes."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield f"dask:{cluster.scheduler_address}"


@contextmanager
def ray() -> Iterator[str]:
    """The name of a Ray cluster of two processes."""
    import ray as ray_package

    ray_package.init(num_cpus=WORKERS, include_dashboard=False, log_to_driver=False)
    yield "ray:auto"
    ray_package.shutdown()


CLUSTERS = {"dask": dask, "ray": ray}


def seconds(n_jobs: str | int | None) -> tuple[float, list[str]]:
    """How long one selection takes, and what it selects."""
    from sklearn.ensemble import RandomForestClassifier

    data = fewest.load("ionosphere")
    forest = CrossValidated(RandomForestClassifier(50, random_state=0))
    selector = SubsetSelector(
        forest, search="sfs", max_features=3, n_jobs=n_jobs, random_state=0, refit=False
    )
    start = time.perf_counter()
    selector.fit(data.X, data.y)
    return time.perf_counter() - start, selector.get_feature_names_out().tolist()


def main() -> None:
    """One line per way to run; the first run on a cluster also starts its workers' Python."""
    alone, answer = seconds(None)
    print(f"one process: {alone:.1f} s, {', '.join(answer)}")
    for name in sys.argv[1:] or CLUSTERS:
        with CLUSTERS[name]() as address:
            for run in ("first run", "second run"):
                took, found = seconds(address)
                same = "same answer" if found == answer else f"OTHER: {found}"
                print(f"{name}, {run}: {took:.1f} s, {alone / took:.2f}x, {same}")


if __name__ == "__main__":
    main()
