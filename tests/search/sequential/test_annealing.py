"""Simulated annealing."""

from __future__ import annotations

import numpy as np

from fewest.search._random import Annealing
from fewest.search._spaces.subsets import Subsets
from fewest.testing import TableMeasure, drive, toy_table


def test_annealing_takes_worse_steps_only_while_it_is_hot():
    def walk(**parameters):
        scorer = TableMeasure(np.sum).bind(toy_table(n_features=30))
        search = Annealing(chains=10, steps=300, **parameters)
        return drive(search, Subsets(30), scorer, 0).values[-1].mean()

    assert walk(temperature=1e6, cooling=1.0) < 20
    assert walk(temperature=1e-6) > 28
