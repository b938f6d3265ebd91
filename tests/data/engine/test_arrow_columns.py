import datetime

import numpy as np
import pyarrow as pa
import pytest

from fewest.data.engine.arrow_columns import dictionary_of, is_labels, numbers_of
from fewest.errors import InputError


def test_text_and_truth_are_labels_numbers_and_moments_are_not():
    labels = [pa.string(), pa.bool_(), pa.dictionary(pa.int8(), pa.string()), pa.large_string()]
    assert all(is_labels(kind, "a") for kind in labels)
    assert not any(is_labels(k, "a") for k in (pa.int8(), pa.float32(), pa.date32()))
    with pytest.raises(InputError, match="Column 'a' must hold numbers or labels, but holds list"):
        is_labels(pa.list_(pa.int8()), "a")


def test_numbers_are_floats_with_nan_and_moments_are_seconds():
    column = pa.array([1, None, 3], pa.int32())
    np.testing.assert_array_equal(numbers_of(column, "a"), [1.0, np.nan, 3.0])
    days = pa.array([datetime.date(1970, 1, 2), None])
    np.testing.assert_array_equal(numbers_of(days, "a"), [86400.0, np.nan])
    with pytest.raises(InputError, match="Column 'a' must hold finite numbers"):
        numbers_of(pa.array([1.0, np.inf]), "a")


def test_unknown_values_have_the_last_place_of_a_dictionary():
    values, codes = dictionary_of(pa.array(["u", None, "v", "u"]))
    assert [values[code] for code in codes] == ["u", None, "v", "u"]
    values, codes = dictionary_of(pa.array([2.0, float("nan"), 0.5]))
    assert [values[code] for code in codes] == [2, None, 0.5]


def test_moments_keep_microseconds_where_they_have_nanoseconds():
    for kind in (pa.timestamp("ns"), pa.duration("ns")):
        assert numbers_of(pa.array([1_000_000_001], kind), "a").tolist() == [1.0]
