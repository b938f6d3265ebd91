"""FDA: a factorisation that the user knows."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.measures._measure import Scores
from fewest.search import Better, Subsets, search_class
from fewest.testing import TableMeasure, drive, toy_table
from tests.search.distribution.cases import pairs_must_agree, target_at


def test_fda_with_the_right_cliques_sees_them_too():
    pairs = tuple((2 * k, 2 * k + 1) for k in range(6))
    space = Subsets(12)
    agreement = []
    for cliques in (pairs, ()):
        search = search_class("fda")(population=600, cliques=cliques)
        proposals = search.propose(space, Better(space), np.random.default_rng(0))
        first = next(proposals)
        second = proposals.send(Scores(np.array([pairs_must_agree(m) for m in first])))
        agreement.append((second.reshape(-1, 2)[:, 0] == second.reshape(-1, 2)[:, 1]).mean())
    assert agreement[0] > 0.6
    assert agreement[1] < 0.55


def test_fda_refuses_units_that_are_not_there_and_cliques_too_large():
    scorer = TableMeasure(target_at(np.ones(20))).bind(toy_table(n_features=20))
    with pytest.raises(InputError, match=r"`cliques` of FDA must name units from 0 to 19 .* 20\."):
        drive(search_class("fda")(population=10, cliques=((0, 20),)), Subsets(20), scorer)
    with pytest.raises(InputError, match="at most 65536 combinations each"):
        drive(search_class("fda")(population=10, cliques=(tuple(range(20)),)), Subsets(20), scorer)
