"""The search for weights when none is named."""

from __future__ import annotations

import pytest

from fewest.search import Box, Levels
from fewest.search.weighing import recommend_weighing


@pytest.mark.parametrize(
    ("space", "name"),
    [(Levels(10), "ebna"), (Box(10), "egna"), (Levels(200), "umda"), (Box(200), "umda-c")],
)
def test_recommends_a_search_for_the_space(space, name):
    search, why = recommend_weighing(space)
    assert search.name == name
    assert space.kind in search.spaces
    assert name in why
