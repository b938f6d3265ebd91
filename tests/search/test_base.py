"""What every search has by its class: defaults, and the door to monotone measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from fewest.search import Better, Search, Subsets
from fewest.search._search import VALUE_AND_COST


@dataclass
class Idle(Search):
    name: ClassVar[str] = "idle"


def test_the_defaults_promise_nothing():
    search = Idle()
    assert search.spaces == ("subsets",)
    flags = (search.needs_monotone, search.generational, search.complete, search.samples_on)
    assert not any(flags)
    assert search.goal_names() == VALUE_AND_COST
    assert search.learned_graph(np.zeros((0, 3), dtype=bool), np.zeros(0), Subsets(3)) is None


def test_a_search_without_a_generator_says_so():
    space = Subsets(3)
    with pytest.raises(NotImplementedError, match="Idle has no `propose`"):
        Idle().start(space, Better(space), np.random.default_rng(0))
    with pytest.raises(NotImplementedError, match="Idle has no `propose_monotone`"):
        Idle().propose_monotone(space, Better(space), np.random.default_rng(0), None)
