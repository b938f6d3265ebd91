"""What both floating searches share."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.search._sequential import SBE, SBFS, SFFS, SFS
from fewest.search._spaces.subsets import Subsets
from fewest.testing import random_values
from tests.search.sequential.cases import D, run


@pytest.mark.parametrize("levels", [None, 4])
def test_floating_never_ends_below_the_greedy_search(levels):
    below = 0
    for seed in range(60):
        values = random_values(8, seed, levels) + np.bitwise_count(np.arange(2**8)) * 0.1
        pairs = [(SFFS(), SFS()), (SBFS(), SBE()), *((SFFS(size=k), SFS(size=k)) for k in (3, 5))]
        for floating, greedy in pairs:
            high, low = (
                run(s, values, d=8).answer @ (1 << np.arange(8)) for s in (floating, greedy)
            )
            assert values[high] >= values[low]
            below += values[high] > values[low]
    assert below > 10  # ... and often ends above it


@pytest.mark.parametrize("search", [SFS, SBE, SFFS, SBFS])
def test_a_size_that_the_groups_do_not_allow_is_refused(search):
    with pytest.raises(InputError, match="`size` cannot be 3"):
        run(search(size=3), random_values(D), Subsets(D, groups=((0, 1), (2, 3), (4, 5))))
