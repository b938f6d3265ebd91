"""Values of an ARFF line."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.data._loaders.arff import split_values
from fewest.data._write import _quoted


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=1, max_size=5))
def test_quoted_values_come_back(values):
    line = ", ".join(map(_quoted, values))
    assert split_values(line) == values
