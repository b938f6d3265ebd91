"""Runs on the standard functions of the literature on continuous EDAs, with five variables."""

from __future__ import annotations

from dataclasses import replace

from fewest.search import Box, resolve_search
from fewest.testing import drive
from fewest.testing._test_functions import FUNCTIONS, FunctionScorer

#: Number of variables.
D = 5


def best_of(name, function, batches=60, **parameters):
    """The best value that a search finds in so many batches."""
    search = resolve_search(name)
    search.set_params(**parameters)
    scorer = FunctionScorer(replace(FUNCTIONS[function], n=D))
    return drive(search, Box(D), scorer, 1, max_batches=batches).best_value
