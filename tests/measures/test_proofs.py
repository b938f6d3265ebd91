"""What a measure that proves its best subsets is asked."""

from __future__ import annotations

import pytest

from fewest.measures._abilities import Proof
from fewest.testing import TableMeasure, random_values, toy_table


def test_a_proof_owes_all_of_it():
    with pytest.raises(TypeError, match="abstract"):
        Proof()


def test_a_measure_without_proof_says_so():
    scorer = TableMeasure(random_values(3)).bind(toy_table(n_features=3))
    assert not scorer.proves_best
    with pytest.raises(NotImplementedError):
        scorer.best_subsets(None)
