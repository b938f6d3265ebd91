"""Work split over threads whose answer is that of the first part, whichever thread is faster."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Answer = TypeVar("Answer")
#: One number that is not 0 when the work should stop; compiled code can read it.
Flag = NDArray[np.int64]
#: How long to wait before looking at the flag again, in seconds.
PATIENCE = 0.02


def first_answer(
    look: Callable[[int, Flag], tuple[Answer | None, bool]], n_parts: int, threads: int, stop: Flag
) -> tuple[Answer | None, bool]:
    """The answer of the first part that has one, and whether every part before it was done.

    Parameters
    ----------
    look : function of the number of a part and a flag
        Returns its answer, or None, and whether it was done; False if the flag stopped it.
    n_parts, threads : int
    stop : flag that the caller sets to stop all parts

    Examples
    --------
    >>> found = lambda part, flag: (f"part {part}" if part in (3, 5) else None, True)
    >>> first_answer(found, 8, 2, np.zeros(1, dtype=np.int64))
    ('part 3', True)
    """
    flags = np.zeros((n_parts, 1), dtype=np.int64)
    answers: dict[int, Answer] = {}
    done = np.zeros(n_parts, dtype=bool)

    def work(part: int) -> None:
        # A part after one that has an answer need not be looked at.
        if stop[0] or flags[part, 0]:
            return
        answer, done[part] = look(part, flags[part])
        if answer is not None:
            answers[part] = answer
            flags[part + 1 :] = 1

    with ThreadPoolExecutor(threads) as pool:
        for future in [pool.submit(work, part) for part in range(n_parts)]:
            while not future.done():
                if stop[0]:
                    flags[:] = 1
                wait([future], timeout=PATIENCE)
            future.result()
    first = min(answers, default=n_parts)
    complete = bool(done[:first].all())
    return (answers[first] if first < n_parts and complete else None), complete
