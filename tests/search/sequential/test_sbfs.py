"""Sequential floating backward elimination."""

from __future__ import annotations

from fewest.search.sequential.sbfs import SBFS
from fewest.search.sequential.sffs import SFFS
from fewest.search.spaces.subsets import Subsets
from fewest.testing import TableMeasure, drive, random_values, toy_table

D = 6


def _run(search, lookup, space=None, d=D):
    space = space or Subsets(d)
    return drive(search, space, TableMeasure(lookup).bind(toy_table(n_features=d)))


def test_backward_floating_is_the_mirror_image_of_forward():
    values = random_values(D, 5)
    forward = _run(SFFS(patience=None), values)
    backward = _run(SBFS(patience=None), values[::-1].copy())
    # Index i of the reversed table is the complement of subset i.
    mirrored = {tuple(~c) for c in backward.candidates}
    assert mirrored == {tuple(c) for c in forward.candidates}
