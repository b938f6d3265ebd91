"""Workers of a cluster: Dask or Ray schedules the chunks, also those of a worker that died."""

from __future__ import annotations

import os
import warnings
from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import Any

from .._errors import InputError
from ..measures._measure import Candidates, Scorer, Scores, score_batch

#: Tries of a chunk whose workers die.
CHUNK_TRIES = 4
#: Seconds to wait for a cluster to answer.
CONNECT_SECONDS = 20


def score_chunk(scorer: Scorer, masks: Candidates) -> Scores:
    """Score a chunk of candidates on a worker."""
    return score_batch(scorer, masks)


class Cluster(ABC):
    """Cluster that holds the scorer, with its table, and scores chunks of candidates."""

    #: Number of tasks that run at once.
    n_jobs: int

    @abstractmethod
    def score(self, chunks: list[Candidates], scorer: Scorer) -> Generator[Scores]:
        """Yield the scores of the chunks, in order; another scorer than the first is sent, too."""

    @abstractmethod
    def close(self) -> None:
        """Leave the cluster as it was found."""


class DaskCluster(Cluster):
    """Workers of a Dask scheduler; the scorer is sent to each of them once."""

    def __init__(self, address: str, scorer: Scorer) -> None:
        from distributed import Client

        try:
            self.client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise _unreachable("Dask scheduler", address, error) from None
        self.scorer = scorer
        self.n_jobs = max(1, sum(self.client.nthreads().values()))
        self.sent = self._send(scorer)

    def _send(self, scorer: Scorer) -> Any:
        with warnings.catch_warnings():
            # That it is large is why it is sent only once.
            warnings.simplefilter("ignore", UserWarning)
            (sent,) = self.client.scatter([scorer], broadcast=True, hash=False)
        return sent

    def score(self, chunks: list[Candidates], scorer: Scorer) -> Generator[Scores]:
        """Score the chunks; Dask moves those of a dead worker to another one."""
        if scorer is not self.scorer:
            self.scorer, self.sent = scorer, self._send(scorer)
        asked = [self._ask(masks) for masks in chunks]
        try:
            for masks, future in zip(chunks, asked, strict=True):
                yield self._answer(masks, future)
        finally:
            self.client.cancel(asked)

    def _ask(self, masks: Candidates) -> Any:
        return self.client.submit(score_chunk, self.sent, masks, pure=False, retries=CHUNK_TRIES)

    def _answer(self, masks: Candidates, future: Any) -> Scores:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        for _ in range(CHUNK_TRIES):
            try:
                scores: Scores = future.result()
                return scores
            except (KilledWorker, FutureCancelledError):
                # The last worker that held the table is gone: send it again.
                self.sent = self._send(self.scorer)
                future = self._ask(masks)
        scores = future.result()
        return scores

    def close(self) -> None:
        """Disconnect; the workers go on."""
        self.client.close()


class RayCluster(Cluster):
    """Workers of a Ray cluster; the scorer is in its object store once."""

    def __init__(self, address: str, scorer: Scorer) -> None:
        import ray

        self._mine = not ray.is_initialized()
        if self._mine:
            try:
                ray.init(address=address, log_to_driver=False)
            except (ConnectionError, OSError, RuntimeError, ValueError) as error:
                raise _unreachable("Ray cluster", address, error) from None
        self.n_jobs = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.scorer, self.sent = scorer, ray.put(scorer)
        self._task = ray.remote(max_retries=CHUNK_TRIES)(score_chunk)

    def score(self, chunks: list[Candidates], scorer: Scorer) -> Generator[Scores]:
        """Score the chunks; Ray repeats those of a dead worker."""
        import ray

        if scorer is not self.scorer:
            self.scorer, self.sent = scorer, ray.put(scorer)
        # After a stop the chunks that are left are not cancelled: Ray ends this process if a task
        # ends just as it is cancelled ("Tried to complete task that was not pending").
        asked = [self._task.remote(self.sent, masks) for masks in chunks]
        for reference in asked:
            scores: Scores = ray.get(reference)
            yield scores

    def close(self) -> None:
        """Disconnect, unless the user was connected before."""
        import ray

        del self.sent
        if self._mine:
            ray.shutdown()


def is_cluster(n_jobs: Any) -> bool:
    """Return whether ``n_jobs`` names a cluster: ``dask:tcp://…``, ``ray://…``, ``ray:ADDRESS``.

    >>> is_cluster("dask:tcp://10.0.0.1:8786"), is_cluster("ray://10.0.0.1:10001"), is_cluster(2)
    (True, True, False)
    """
    if not isinstance(n_jobs, str):
        return False
    kind, _, address = n_jobs.partition(":")
    return kind in ("dask", "ray") and bool(address)


def connect(n_jobs: str, scorer: Scorer) -> Cluster:
    """Connect to the cluster that ``n_jobs`` names and send it the scorer."""
    kind, _, address = n_jobs.partition(":")
    packages = {"dask": "distributed", "ray": "ray"}
    _needs(packages[kind])
    if kind == "dask":
        return DaskCluster(address, scorer)
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    return RayCluster(n_jobs if address.startswith("//") else address, scorer)


def _needs(package: str) -> None:
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise InputError(
            f"`n_jobs` names a cluster that needs {package}; install it with: "
            "pip install 'fewest[distributed]'."
        )


def _unreachable(what: str, address: str, error: Exception) -> InputError:
    reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
    return InputError(
        f"`n_jobs` names the {what} {address}, but it does not answer ({reason}); start it, or "
        "check the address."
    )
