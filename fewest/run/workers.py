"""What a worker process does besides scoring: end with its parent, leave Ctrl-C to it."""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import lru_cache

#: Seconds between two looks at the parent.
EVERY = 0.5


@lru_cache(maxsize=1)
def look_after_worker(parent: int) -> None:
    """Prepare a worker process, once; in any other process this does nothing.

    The terminal sends Ctrl-C to the whole group of processes. The parent decides what it means;
    a worker that ended by itself would look like a crash. A parent that was killed cannot end
    its workers, so each of them looks for it.
    """
    if os.name != "posix" or os.getppid() != parent:
        return  # the parent itself, or a worker of a cluster, which others look after
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:  # an orphan gets another parent
        time.sleep(EVERY)
    os._exit(1)
