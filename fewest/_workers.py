"""Worker processes of joblib, which end with the process that started them, and threads in them."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import Any

import joblib
from joblib.parallel import LokyBackend, MultiprocessingBackend, get_active_backend
from threadpoolctl import ThreadpoolController

#: Seconds between two looks at the parent.
PARENT_CHECK_SECONDS = 0.5


def workers(n_jobs: int | None, prefer: str | None = None, generator: bool = False) -> Any:
    """Return ``joblib.Parallel``; what it starts on this machine ends with this process.

    With ``generator`` answers come one after another, where the backend can: that of Ray cannot.
    Workers get the number of their parent when they start: one that never gets any work, since
    its parent was killed meanwhile, would otherwise wait for it for five minutes.
    """
    backend, _ = get_active_backend(prefer=prefer)
    # Those of clusters, some of which derive from these classes, are looked after by others.
    own = type(backend) in (LokyBackend, MultiprocessingBackend)
    start = {"initializer": end_with_parent, "initargs": (os.getpid(),)} if own else {}
    one_by_one = generator and backend.supports_return_generator
    return_as = "generator" if one_by_one else "list"
    return joblib.Parallel(n_jobs=n_jobs, prefer=prefer, return_as=return_as, **start)


def end_with_parent(parent: int) -> None:
    """Prepare a worker process, as the first thing that it does.

    The terminal sends Ctrl-C to the whole group of processes. The parent decides what it means;
    a worker that ended by itself would look like a crash. A parent that was killed cannot end
    its workers, so each of them looks for it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.name == "posix":
        threading.Thread(target=_wait_for_its_end, args=(parent,), daemon=True).start()


def _wait_for_its_end(parent: int) -> None:
    while os.getppid() == parent:  # an orphan gets another parent
        time.sleep(PARENT_CHECK_SECONDS)
    os._exit(1)


#: From so many rows on, threads inside a training or a product of matrices pay.
THREADED_ROWS = 50_000


def one_thread(wanted: bool) -> AbstractContextManager[Any]:
    """Limit BLAS and OpenMP to one thread each, if that is wanted.

    On 20,000 rows two threads of gradient boosting save a third of the time on two free cores;
    on cores that are busy, threads that wait for each other take ten times as long and more.
    """
    if not wanted:
        return nullcontext()
    limit: AbstractContextManager[Any] = _pools(len(sys.modules)).limit(limits=1)
    return limit


@lru_cache(maxsize=1)
def _pools(_modules: int) -> ThreadpoolController:
    """Find the thread pools of this process anew once more modules have been imported."""
    return ThreadpoolController()
