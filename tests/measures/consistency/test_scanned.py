import warnings

import numpy as np
import pytest

from fewest import SubsetSelector, score_subsets
from fewest._errors import InputError
from fewest.data._engine.frame import stored_table
from fewest.measures._consistency.inconsistency import Inconsistency
from tests.data.engine.sample import arrow, frame, mixed

EVERY = np.array([[bool(n >> j & 1) for j in range(6)] for n in range(64)])


def test_rates_threshold_and_goals_are_those_of_memory():
    table = frame().drop(columns="w")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        memory = score_subsets(table.drop(columns="y"), table["y"], EVERY, measure="inconsistency")
    measure = Inconsistency()
    stored = measure.bind(stored_table(arrow(table), "y"))
    assert (stored.score(EVERY).value == memory.value).all()
    assert (stored.score(EVERY).goals["inconsistencies"] == memory.goals["inconsistencies"]).all()
    assert stored.threshold == memory.value[-1]
    assert Inconsistency(threshold=0.4).bind(stored_table(arrow(table), "y")).threshold == -0.4


@pytest.mark.parametrize("search", ["exact", "set-cover", "lvf", "sfs", "abb"])
def test_searches_find_what_they_find_in_memory(search):
    table = frame().drop(columns="w")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = [
            SubsetSelector("inconsistency", search=search, random_state=0).fit(X, target="y")
            for X in (arrow(table).dataset, table)
        ]
    assert found[0].score_ == found[1].score_
    assert found[0].result_.n_features == found[1].result_.n_features
    assert found[0].result_.optimal == found[1].result_.optimal


def test_numbers_are_cut_and_numeric_targets_refused():
    table = mixed()
    four = EVERY[:16, :4]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        memory = score_subsets(table.drop(columns="y"), table["y"], four, measure="inconsistency")
    stored = Inconsistency(threshold=0.5).bind(stored_table(arrow(table), "y"))
    assert (stored.score(four).value == memory.value).all()
    with pytest.raises(InputError, match="needs classes, but the target is a number"):
        Inconsistency().bind(stored_table(arrow(table), "size"))
