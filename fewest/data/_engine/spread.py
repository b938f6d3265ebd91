"""Scans where the rows lie: in the partitions of Dask, Ray, Spark, and in processes of joblib."""

from __future__ import annotations

import copy
import ctypes
import os
import pickle
import re
import sys
import weakref
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..._errors import InputError
from ..._version import __version__
from .parquet import ParquetFiles
from .source import Scan, Scanned, State, TableSource, read_all

#: States that are merged by one task.
FAN_IN = 16
#: Tries of a partition after its worker died or could not read it.
RETRIES = 3
#: Seconds to wait for a cluster to answer.
CONNECT_SECONDS = 20
#: Numbers of two settings of ``mallopt`` in glibc.
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3


@dataclass(frozen=True)
class Errand:
    """Scan as it travels to a worker, with the versions that sent it."""

    payload: bytes
    versions: tuple[str, str]

    @staticmethod
    def of(scan: Scan[Any]) -> Errand:
        """Pack a scan."""
        return Errand(pickle.dumps(scan), _versions())

    def open(self) -> Scan[Any]:
        """Unpack the scan; refuse the states of another version."""
        if self.versions != _versions():
            (own, python), (sent, sender) = _versions(), self.versions
            raise InputError(
                f"All workers must have fewest {sent} and Python {sender}, as this process has, "
                f"but one has fewest {own} and Python {python}; install the same versions there."
            )
        scan: Scan[Any] = pickle.loads(self.payload)
        return scan


def _versions() -> tuple[str, str]:
    return __version__, f"{sys.version_info.major}.{sys.version_info.minor}"


#: What comes back: an error in the data is an answer, and no reason to try again.
Found = Scanned[Any] | InputError


class UnreadableError(OSError):
    """Part that could not be read, which another try or another worker may be able to."""


def run_part(errand: Errand, part: Any) -> bytes:
    """Read a part on a worker: files, an Arrow table, batches, or a pandas frame."""
    keep_memory()
    return pickle.dumps(_read(errand, part))


@lru_cache(maxsize=1)
def keep_memory() -> None:
    """Have the C library keep what a batch has freed for the next one, at most 64 MB.

    In workers it returns memory to the system at once: Dask asks it to. Every batch would then
    wait for fresh pages, which took a third of the CPU of a scan.
    """
    choose = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if choose is not None:
        choose(MMAP_THRESHOLD, 1 << 25)
        choose(TRIM_THRESHOLD, 1 << 26)


def _read(errand: Errand, part: Any) -> Found:
    try:
        scan = errand.open()
        if isinstance(part, TableSource):
            batches: Any = part.batches(part.read_by(scan))
        elif isinstance(part, pa.Table):
            batches = part.to_batches()
        elif hasattr(part, "columns"):
            batches = pa.Table.from_pandas(part, preserve_index=False).to_batches()
        else:
            batches = part
        return read_all(scan, batches)
    except InputError as error:
        if isinstance(error.__context__, OSError):
            raise UnreadableError(str(error)) from None
        return error


def merged(errand: Errand, states: Iterable[bytes]) -> Found:
    """Merge the states of parts as they come, in their order; the first error is the answer."""
    scan = errand.open()
    found: Scanned[Any] | None = None
    for state in states:
        part: Found = pickle.loads(state)
        if isinstance(part, InputError):
            return part
        if found is not None:
            part = Scanned(found.n_rows + part.n_rows, scan.merge(found.state, part.state))
        found = part
    return found or Scanned(0, scan.start())


def join_parts(errand: Errand, *states: bytes) -> bytes:
    """Merge the states of parts on a worker."""
    return pickle.dumps(merged(errand, states))


def join_in_tree(parts: Sequence[Any], join: Callable[..., Any]) -> Any:
    """Merge neighbours, and then what came of them, until one is left.

    >>> join_in_tree(list("abcdefghijklmnopqrst"), lambda *some: "".join(some))
    'abcdefghijklmnopqrst'
    """
    while len(parts) > 1:
        parts = [join(*parts[i : i + FAN_IN]) for i in range(0, len(parts), FAN_IN)]
    return parts[0]


class SpreadTable(TableSource):
    """Table whose parts are read by workers."""

    #: Names and types of the columns.
    columns: pa.Schema
    held = FAN_IN + 2

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return self.columns

    def answered(self, scan: Scan[State]) -> Scanned[State]:
        """Return the state of a scan after all parts."""
        try:
            found = self.run(Errand.of(scan), self.read_by(scan))
        except Exception as error:  # every engine has errors of its own
            raise self.failed(error) from error
        if isinstance(found, InputError):
            raise found
        return found

    @abstractmethod
    def run(self, errand: Errand, columns: list[str]) -> Found:
        """Send the errand to all parts and return what came of them."""

    def failed(self, error: Exception) -> InputError:
        """Return the sentence of an error of the engine."""
        if isinstance(error, InputError):
            return error
        unread = re.search(r"UnreadableError: (.+)", f"{type(error).__name__}: {error}")
        if unread:
            return InputError(unread[1])
        if "No module named 'fewest" in str(error):
            return InputError(
                f"A worker of {self.title} has no fewest, or an older one; install fewest "
                f"{__version__} on all workers."
            )
        lost = re.search(r"No module named '(\w+)", str(error))
        if lost:
            return InputError(
                f"A worker of {self.title} has no {lost[1]}: it runs a Python without fewest and "
                "what it needs; install fewest there. Spark runs the Python that the environment "
                f"variable PYSPARK_PYTHON names, on this machine {sys.executable}."
            )
        return no_answer(self.title, error)


def no_answer(title: str, error: Exception) -> InputError:
    """Return the sentence of an engine that failed."""
    lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    # A traceback of a worker ends with its error.
    reason = lines[-1 if any("Traceback" in line for line in lines) else 0].strip().rstrip(".")
    return InputError(
        f"The engine of {title} did not answer ({type(error).__name__}: {reason}); check "
        "that it can be reached and run again, with the same journal to continue."
    )


class SpreadFiles(SpreadTable):
    """Parquet files that workers read side by side, one file per task."""

    def __init__(self, whole: ParquetFiles, workers: Any) -> None:
        self.whole, self.workers, self.title = whole, workers, whole.title
        self.columns, self.memory = whole.schema, whole.memory

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield all rows, read in this process."""
        return self.whole.batches(columns)

    @property
    def files(self) -> Sequence[Path]:
        """Return the files, in their order."""
        return self.whole.files

    def parts(self) -> list[ParquetFiles]:
        """Return each file as a table."""
        parts = []
        for path in self.whole.paths:
            part = copy.copy(self.whole)
            part.paths = [path]
            parts.append(part)
        return parts


class FilesOnDask(SpreadFiles):
    """Files that the workers of a Dask scheduler read."""

    @cached_property
    def client(self) -> Any:
        """Connect, once for all scans."""
        from distributed import Client

        client = Client(self.workers, timeout=CONNECT_SECONDS, set_as_default=False)
        weakref.finalize(self, client.close)
        return client

    def run(self, errand: Errand, columns: list[str]) -> Found:
        """Submit a task per file; Dask moves those of a dead worker to another one."""
        return _on_dask(errand, self.parts(), partial(self.client.compute, retries=RETRIES))


def _on_dask(errand: Errand, parts: Sequence[Any], compute: Callable[[Any], Any]) -> Found:
    import dask

    sent = dask.delayed(errand)
    run = dask.delayed(run_part, pure=False)
    join = dask.delayed(join_parts, pure=False)
    asked = compute(join_in_tree([run(sent, part) for part in parts], lambda *f: join(sent, *f)))
    try:
        found: Found = pickle.loads(asked.result() if hasattr(asked, "result") else asked)
    except KeyboardInterrupt:
        asked.cancel()
        raise
    return found


class DaskFrame(SpreadTable):
    """``dask.dataframe.DataFrame`` as a source; its partitions are read by the active scheduler."""

    def __init__(self, frame: Any) -> None:
        self.frame, self.title = frame, "the Dask frame"
        first = frame.partitions[0].head(1, npartitions=1)
        self.columns = pa.Schema.from_pandas(first.iloc[:0], preserve_index=False)

    def run(self, errand: Errand, columns: list[str]) -> Found:
        """Compute a task per partition; a client that was started is used."""
        parts = self.frame[columns].to_delayed()
        return _on_dask(errand, parts, lambda task: task.compute(retries=RETRIES))

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield all rows, partition after partition."""
        for part in self.frame[list(columns)].partitions:
            yield from pa.Table.from_pandas(part.compute(), preserve_index=False).to_batches()


class FilesOnRay(SpreadFiles):
    """Files that the workers of a Ray cluster read."""

    def run(self, errand: Errand, columns: list[str]) -> Found:
        """Start a task per file; Ray repeats those of a dead worker."""
        import ray

        start_ray(self.workers)
        again: Any = {"max_retries": RETRIES, "retry_exceptions": [OSError]}
        run, join = ray.remote(**again)(run_part), ray.remote(**again)(join_parts)
        sent = ray.put(errand)
        asked = [run.remote(sent, part) for part in self.parts()]
        last = join_in_tree(asked, lambda *states: join.remote(sent, *states))
        try:
            found: Found = pickle.loads(ray.get(last))
        except KeyboardInterrupt:
            for task in asked:
                ray.cancel(task)
            raise
        return found


def start_ray(address: str) -> bool:
    """Connect to a Ray cluster, unless this process is; return whether it was not before."""
    import ray

    if ray.is_initialized():
        return False
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    ray.init(address=address, log_to_driver=False)
    return True


class RayDataset(SpreadTable):
    """``ray.data.Dataset`` as a source; a task per block."""

    def __init__(self, data: Any) -> None:
        self.data, self.title = data, "the Ray data set"
        self.columns = pa.schema(data.schema().base_schema)

    def run(self, errand: Errand, columns: list[str]) -> Found:
        """Map the blocks to their states."""
        self.data.context.execution_options.preserve_order = True
        states = self.data.select_columns(columns).map_batches(
            _state_of_block, batch_format="pyarrow", batch_size=None, fn_args=(errand,)
        )
        return merged(errand, (row["state"] for row in states.iter_rows()))

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield all rows, block after block."""
        blocks = self.data.select_columns(list(columns))
        for table in blocks.iter_batches(batch_format="pyarrow", batch_size=None):
            yield from table.to_batches()


def _state_of_block(table: pa.Table, errand: Errand) -> pa.Table:
    return pa.table({"state": pa.array([run_part(errand, table)], pa.binary())})


class SparkTable(SpreadTable):
    """Spark data frame as a source; each executor reads its partitions."""

    def __init__(self, frame: Any) -> None:
        from pyspark.sql.pandas.types import to_arrow_schema

        self.frame, self.title = frame, "the Spark table"
        self.columns = to_arrow_schema(frame.schema)

    def run(self, errand: Errand, columns: list[str]) -> Found:
        """Merge the states of all partitions."""
        try:
            rows = sorted(self.states(errand, columns), key=lambda row: int(row.place))
        except KeyboardInterrupt:
            # As Spark's own handler of Ctrl-C does, which ours has replaced; a gateway that was
            # interrupted in the middle of an answer may not hear it.
            with suppress(Exception):
                self.frame.sparkSession.sparkContext.cancelAllJobs()
            raise
        return merged(errand, (bytes(row.state) for row in rows))

    def states(self, errand: Errand, columns: list[str]) -> list[Any]:
        """Map the partitions to their states, and merge these in a tree."""
        states = self.frame.select(*columns).mapInArrow(
            lambda rows: _partition_state(errand, rows), "place long, state binary"
        )
        n = self.frame.rdd.getNumPartitions() if hasattr(self.frame, "rdd") else 1
        while n > FAN_IN:
            grouped = states.groupBy((states.place / FAN_IN).cast("long").alias("group"))
            states = grouped.applyInArrow(
                lambda table: _group_state(errand, table), "place long, state binary"
            )
            n = -(-n // FAN_IN)
        return list(states.collect())

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield all rows, partition after partition."""
        rows = self.frame.select(*columns).mapInArrow(_as_bytes, "rows binary")
        for row in rows.toLocalIterator():
            yield from pa.ipc.open_stream(bytes(row.rows))


def _partition_state(errand: Errand, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    from pyspark import TaskContext

    context = TaskContext.get()
    yield _state_batch(context.partitionId() if context else 0, run_part(errand, batches))


def _group_state(errand: Errand, table: pa.Table) -> pa.Table:
    rows = sorted(table.to_pylist(), key=lambda row: int(row["place"]))
    state = join_parts(errand, *(row["state"] for row in rows))
    return pa.Table.from_batches([_state_batch(rows[0]["place"] // FAN_IN, state)])


def _state_batch(place: int, state: bytes) -> pa.RecordBatch:
    columns = [pa.array([place], pa.int64()), pa.array([state], pa.binary())]
    return pa.RecordBatch.from_arrays(columns, ["place", "state"])


def _as_bytes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        rows = pa.array([sink.getvalue().to_pybytes()], pa.binary())
        yield pa.RecordBatch.from_arrays([rows], ["rows"])


class FilesInProcesses(SpreadFiles):
    """Files that processes of this machine read; ``parallel_config`` of joblib chooses others."""

    held = 3

    def run(self, errand: Errand, columns: list[str], tries: int = RETRIES) -> Found:
        """Merge the states as they come, in order; start again where a process dies."""
        import joblib
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        from ..._workers import workers

        call = joblib.delayed(run_part)
        try:
            states = workers(self.workers, generator=True)(call(errand, p) for p in self.parts())
            return merged(errand, states)
        except (OSError, TerminatedWorkerError):
            if not tries:
                raise
        return self.run(errand, columns, tries - 1)


def spread(source: TableSource, n_jobs: Any) -> TableSource:
    """Return the same table, read by the workers that ``n_jobs`` names, where it is of files."""
    if not isinstance(source, ParquetFiles) or n_jobs in (None, 1):
        return source
    if not isinstance(n_jobs, str):
        return FilesInProcesses(source, n_jobs) if len(source.paths) > 1 else source
    kind, _, address = n_jobs.partition(":")
    if kind == "dask":
        return FilesOnDask(source, address)
    return FilesOnRay(source, n_jobs if address.startswith("//") else address)
