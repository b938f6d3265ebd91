"""How many threads the libraries below may use."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import Any

from threadpoolctl import ThreadpoolController

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
