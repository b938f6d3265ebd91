"""A scorer of some columns answers as the one of all columns does."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from fewest._fitting.screen import Narrowed
from fewest.measures import resolve_measure
from fewest.measures._measure import score_batch
from fewest.measures._steps import Steps
from fewest.testing import MonotoneTableMeasure, toy_table

KEPT = np.array([1, 3, 4])


def both(name):
    table, narrow = toy_table(n_features=6), toy_table(n_features=6)
    narrow = type(table)(
        tuple(table.names[j] for j in KEPT), table.values[:, KEPT],
        tuple(table.levels[j] for j in KEPT), table.target, table.classes,
    )  # fmt: skip
    inner = resolve_measure(name, cv=3).bind(narrow, np.random.default_rng(0))
    whole = resolve_measure(name, cv=3).bind(table, np.random.default_rng(0))
    return Narrowed(inner, KEPT, 6), whole


def test_batches_and_steps_have_the_scores_of_the_whole_table():
    for name in ("cfs", "naive-bayes"):
        narrowed, whole = both(name)
        base = np.zeros(6, dtype=bool)
        base[3] = True
        steps = Steps(base, np.array([1, 4, 3]), np.array([1, 1, 0]))
        expected = whole.score(np.asarray(steps)).value
        assert_allclose(narrowed.score(np.asarray(steps)).value, expected)
        assert_allclose(score_batch(narrowed, steps).value, expected)
        assert narrowed.batch == whole.batch
        assert narrowed.on_rows(np.ones(3, dtype=bool)) is None


def test_cuts_are_told_over_all_columns():
    table = toy_table(n_features=3)
    measure = MonotoneTableMeasure(lambda mask: float(mask.all()), threshold=1.0)
    narrowed = Narrowed(measure.bind(table), KEPT, 6)
    assert narrowed.threshold == 1.0
    cut = narrowed.cuts(np.array([0, 1, 0, 0, 0, 0], dtype=bool))
    assert_array_equal(np.flatnonzero(cut[0]), [3, 4])
