"""The sequential searches, against slow twins and values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.search._sequential import SBE, SBFS, SFFS, SFS
from fewest.search._spaces.subsets import Subsets
from fewest.testing import random_values
from tests.naive import sequential
from tests.search.sequential.cases import D, function, path_values, run


@pytest.mark.parametrize("levels", [None, 5])
@pytest.mark.parametrize("seed", range(8))
def test_greedy_searches_end_where_their_twins_do(seed, levels):
    values = random_values(D, seed, levels) + np.bitwise_count(np.arange(2**D)) * 0.05
    value = function(values)
    for search, twin in ((SFS(), sequential.sfs), (SBE(equal=False), sequential.sbe)):
        end = twin(D, value)
        around = [end ^ {f} for f in range(D)]
        done = run(search, values)
        assert done.best_value == max(value(s) for s in [end, *path_values(twin, value)])
        scored = {frozenset(np.flatnonzero(c).tolist()) for c in done.candidates}
        outward = {s for s in around if (len(s) > len(end)) == (twin is sequential.sfs)}
        assert outward <= scored


@pytest.mark.parametrize("search", [SFS(size=4), SBE(size=4)])
def test_greedy_searches_go_on_to_the_size_asked_for(search):
    done = run(search, lambda mask: -float(abs(mask.sum() - 2)))
    assert done.answer.sum() == 4
    assert done.verdict.reason == "4 features reached"


@pytest.mark.parametrize("search", [SFS, SBE, SFFS, SBFS])
def test_a_size_out_of_range_is_refused(search):
    with pytest.raises(InputError, match="`size` must be between 1 and 6 .*, but is 9"):
        run(search(size=9), random_values(D), Subsets(D, include=(2,)))


def test_many_neighbours_come_in_parts(monkeypatch):
    whole = run(SFS(), random_values(D, 1))
    monkeypatch.setattr("fewest.search._sequential.BLOCK_BYTES", 2 * D)
    parts = run(SFS(), random_values(D, 1))
    assert max(len(b) for b in parts.batches) == 2
    np.testing.assert_array_equal(whole.answer, parts.answer)
