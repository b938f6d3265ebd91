"""A result at a glance."""

import sys
from dataclasses import replace

import pandas as pd
import polars as pl
import pytest

from fewest._errors import InputError
from fewest.testing._results import toy_result


def test_print_is_a_short_summary():
    result = toy_result()
    text = str(result)
    assert text.startswith("Chosen: 2 of 6 features\n  " + ", ".join(result.features))
    assert f"Selection score: {result.score:.4f}" in text
    assert f"On new data: accuracy {result.honest['accuracy']:.4f}" in text
    assert result.stopped in text
    assert len(text.splitlines()) < 10
    assert "On new data" not in str(toy_result(honest=False))


def test_the_repr_is_one_line():
    assert repr(toy_result()).startswith("<Result: 2 of 6 features by ")
    assert "\n" not in repr(toy_result())


def test_many_features_are_not_all_named():
    result = toy_result()
    result = replace(result, features=[f"gene{i}" for i in range(40)])
    assert "gene29 and 10 more" in str(result)
    assert "gene30" not in str(result)


@pytest.mark.parametrize(("backend", "cls"), [(None, pd.DataFrame), ("polars", pl.DataFrame)])
def test_the_frame_has_one_row_per_subset(backend, cls):
    result = toy_result()
    result.archive[0]["goals"] = {"leaves": 3.0}
    frame = result.to_frame(backend)
    assert isinstance(frame, cls)
    assert len(frame) == len(result.archive)
    assert list(frame["value"]) == [entry["value"] for entry in result.archive]
    assert list(frame["leaves"])[0] == 3.0
    named = [result.names[j] for j in result.archive[0]["features"]]
    assert list(frame["features"][0]) == named


def test_polars_stands_in_and_a_sentence_where_there_is_neither(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(toy_result().to_frame(), pl.DataFrame)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InputError, match="needs pandas or polars, which is not installed"):
        toy_result().to_frame()
    with pytest.raises(InputError, match='`backend` must be "pandas" or "polars"'):
        toy_result().to_frame("arrow")
