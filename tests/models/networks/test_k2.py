"""Algorithm K2 as the thesis lists it."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.structure_search import learn_k2
from tests.discrete_rows import CARDS, tangled
from tests.naive import discrete_models, structures


@pytest.mark.parametrize("cards", CARDS)
@pytest.mark.parametrize("name", ["k2", "bic"])
def test_k2_is_figure_3_5(cards, name):
    rows = tangled(cards)
    order = np.random.default_rng(1).permutation(len(cards)).tolist()

    def score(child, parents):
        return discrete_models.family_score(rows.tolist(), cards, child, parents, name)

    expected = structures.k2(rows.tolist(), cards, order, 2, score)
    expected = tuple(tuple(sorted(found)) for found in expected)
    assert learn_k2(rows, np.array(cards), order, 2, name).parents == expected
    backwards = learn_k2(rows, np.array(cards), order[::-1], 2, name, parents="later")
    assert backwards.parents == expected


def test_k2_refuses_a_wrong_order():
    with pytest.raises(InputError, match=r"`order` must name each of the 2 variables once"):
        learn_k2(np.zeros((3, 2)), np.array([2, 2]), order=[0, 0])
