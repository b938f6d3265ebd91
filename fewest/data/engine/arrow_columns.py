"""Columns of Arrow batches: which are labels and which are numbers, and their values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...errors import InputError
from ..columns import is_unknown


def is_labels(kind: Any, name: str) -> bool:
    """Whether a column of this Arrow type holds labels; numbers and moments do not.

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
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return True
    raise InputError(
        f"Column {name!r} must hold numbers or labels, but holds {kind}; leave it out, or make it "
        "text."
    )


def numbers_of(column: Any, name: str) -> NDArray[np.float64]:
    """The column as float64 with NaN for unknown; moments and durations in seconds."""
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
    """The distinct values of a batch, unknown as None in the last place, and a code per row."""
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
    """A level as it would be in memory: whole numbers as int.

    >>> plain(2.0), plain("a"), plain(0.5)
    (2, 'a', 0.5)
    """
    return int(value) if isinstance(value, float) and value % 1 == 0 else value
