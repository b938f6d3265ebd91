"""Read Arrow batches ahead; which of their columns are labels and which are numbers."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..._errors import InputError
from .._columns import is_unknown

Item = TypeVar("Item")


def prefetched(items: Iterable[Item], ahead: int = 2) -> Iterator[Item]:
    """Yield the same items, made in a thread of their own, at most ``ahead`` before they are used.

    An error of the thread is raised where the items are used. A user who stops early stops the
    thread too.

    Examples
    --------
    >>> list(prefetched(range(3)))
    [0, 1, 2]
    """
    waiting: queue.Queue[tuple[bool, Item | BaseException | None]] = queue.Queue(ahead)
    stopped = threading.Event()
    thread = threading.Thread(target=_fill, args=(items, waiting, stopped), daemon=True)
    thread.start()
    try:
        while True:
            there, item = waiting.get()
            if not there:
                if item is not None:
                    raise item  # type: ignore[misc]
                return
            yield item  # type: ignore[misc]
    finally:
        stopped.set()
        while thread.is_alive():
            _drain(waiting)
            thread.join(0.05)


def _fill(items: Iterable[Item], waiting: queue.Queue[object], stopped: threading.Event) -> None:
    end: BaseException | None = None
    try:
        for item in items:
            if stopped.is_set():
                return
            waiting.put((True, item))
    except BaseException as error:
        end = error
    waiting.put((False, end))


def _drain(waiting: queue.Queue[tuple[bool, Item | BaseException | None]]) -> None:
    while not waiting.empty():
        waiting.get_nowait()


def is_labels(kind: Any, name: str) -> bool:
    """Return whether a column of this Arrow type holds labels; numbers and moments do not.

    >>> is_labels(pa.bool_(), "smokes"), is_labels(pa.int8(), "age")
    (True, False)
    """
    if pa.types.is_dictionary(kind):
        return is_labels(kind.value_type, name) or True
    if pa.types.is_boolean(kind) or pa.types.is_null(kind):
        return True
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return False
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
        return False
    if is_text(kind):
        return True
    raise InputError(
        f"Column {name!r} must hold numbers or labels, but holds {kind}; leave it out, or make it "
        "text."
    )


def value_type(kind: Any) -> Any:
    """Return the type of the values of a column, whether they are in a dictionary or not."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def is_text(kind: Any) -> bool:
    """Return whether an Arrow type is one of strings."""
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def numbers_of(column: Any, name: str) -> NDArray[np.float64]:
    """Return the column as float64 with NaN for unknown; moments and durations in seconds."""
    kind = column.type
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        column = column.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
    elif pa.types.is_duration(kind):
        column = column.cast(pa.duration("us"), safe=False).cast(pa.int64())
    scale = 1.0 if column.type == kind else 1e6
    values = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    if np.isinf(values).any():
        raise InputError(
            f"Column {name!r} must hold finite numbers (NaN where unknown), but has an infinite "
            "value; replace infinity by NaN or a number."
        )
    return np.asarray(values / scale if scale != 1.0 else values)


def dictionary_of(column: Any) -> tuple[list[object], NDArray[np.int64]]:
    """Return the distinct values of a batch, unknown as None in last place, and a code per row."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    values = [None if is_unknown(v) else plain(v) for v in column.dictionary.to_pylist()]
    indices = column.indices
    if indices.null_count:
        indices = pc.fill_null(indices.cast(pa.int64()), len(values))
    return [*values, None], indices.to_numpy(zero_copy_only=False).astype(np.int64)


def plain(value: Any) -> Any:
    """Convert a level to what it would be in memory: whole numbers as int.

    >>> plain(2.0), plain("a"), plain(0.5)
    (2, 'a', 0.5)
    """
    return int(value) if isinstance(value, float) and value % 1 == 0 else value
