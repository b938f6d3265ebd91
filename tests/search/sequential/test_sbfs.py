"""Sequential floating backward elimination."""

from __future__ import annotations

from fewest.search._sequential import SBFS, SFFS
from fewest.testing import random_values
from tests.search.sequential.cases import D, run


def test_backward_floating_is_the_mirror_image_of_forward():
    values = random_values(D, 5)
    forward = run(SFFS(patience=None), values)
    backward = run(SBFS(patience=None), values[::-1].copy())
    # Index i of the reversed table is the complement of subset i.
    mirrored = {tuple(~c) for c in backward.candidates}
    assert mirrored == {tuple(c) for c in forward.candidates}
