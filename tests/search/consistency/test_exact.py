"""The searches for the smallest consistent subset, on tables and on any monotone measure."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest._run.stop_rules import Generations
from fewest.data._as_table import as_table
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.search import ABB, LVF, QBB, Exact, FocusM, SetCover, Subsets
from fewest.testing import (
    MonotoneTableMeasure,
    drive,
    monotone_values,
    parametrize_with_search_checks,
    toy_table,
)
from tests.search.consistency.problems import corral, problems, size

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")


@parametrize_with_search_checks([Exact()])
def test_conformance(search, check):
    check(search)


def cheapest_of_all(space, scorer):
    """Every answer of the least cost, by trying all; of those of equal cost without free units."""
    n = space.n_units
    every = (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(bool)
    every = every[space.feasible(every)]
    good = every[scorer.score(space.expand(every)).value >= scorer.threshold - 1e-12]
    if not len(good):
        return good
    alone = space.cost(np.eye(n, dtype=bool)) - space.cost(np.zeros((1, n), dtype=bool))
    price = good @ np.maximum(alone, 1e-6 * min([*alone[alone > 0], 1.0]))
    return good[price <= price.min() + 1e-9]


def all_optima(space, scorer):
    search = Exact(all_optima=True, max_optima=100_000)
    done = drive(search, space, scorer, max_batches=100_000)
    return np.vstack([done.verdict.answer[None], done.verdict.alternatives]), done.verdict.shared


@settings(deadline=None, max_examples=200)
@given(problems())
def test_every_smallest_subset_is_found_under_every_constraint(problem):
    table, constraints, threshold = problem
    try:
        space = Subsets(table.n_features, **constraints)
        scorer = Inconsistency(threshold=threshold).bind(table)
    except InputError:
        return
    expected = cheapest_of_all(space, scorer)
    if not len(expected):
        with pytest.raises(InputError):
            all_optima(space, scorer)
        return
    found, shared = all_optima(space, scorer)
    assert sorted(map(tuple, found.tolist())) == sorted(map(tuple, expected.tolist()))
    assert shared.tolist() == expected.all(axis=0).tolist()


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.integers(0, 5), st.floats(0.2, 1.0))
def test_every_smallest_subset_of_any_monotone_measure_is_found(seed, least, threshold):
    measure = MonotoneTableMeasure(monotone_values(7, seed), threshold=threshold)
    scorer = measure.bind(toy_table(n_features=7))
    space = Subsets(7, min_features=least)
    found, shared = all_optima(space, scorer)
    expected = cheapest_of_all(space, scorer)
    assert sorted(map(tuple, found.tolist())) == sorted(map(tuple, expected.tolist()))
    assert shared.tolist() == expected.all(axis=0).tolist()


def test_all_optima_count_the_supersets_that_a_smallest_size_asks_for():
    # The class is a; with at least three of five features the six subsets with a are optimal.
    X = np.array([[(row >> unit) & 1 for unit in range(5)] for row in range(32)])
    search = Exact(all_optima=True)
    selector = SubsetSelector(measure="inconsistency", search=search, min_features=3)
    result = selector.fit(X.astype(str), X[:, 0]).result_
    assert result.extra["in_all_optima"] == ["x0"]
    assert {"x0"} <= set(result.features)
    assert len({tuple(found) for found in (result.features, *result.alternatives)}) == 6


def test_what_all_optima_share_is_told_only_when_none_is_missing():
    X = np.array([[(row >> unit) & 1 for unit in range(5)] for row in range(32)])
    scorer = Inconsistency().bind(as_table(X.astype(str), X[:, 0]))
    search = Exact(all_optima=True, max_optima=6)
    done = drive(search, Subsets(5, min_features=3), scorer)
    assert done.verdict.shared is None
    assert len(done.verdict.alternatives) == 5


def test_a_result_names_the_features_in_all_smallest_subsets():
    # The class is a xor b; d is a copy of b: {a, b} and {a, d} are the smallest.
    X = np.array([[a, b, c, b] for a in "01" for b in "01" for c in "01"])
    y = (X[:, 0] != X[:, 1]).astype(int)
    for most, expected in ((1000, ["x0"]), (2, None)):
        search = Exact(all_optima=True, max_optima=most)
        result = SubsetSelector(measure="inconsistency", search=search).fit(X, y).result_
        assert result.extra.get("in_all_optima") == expected


def test_excluding_what_is_needed_is_refused():
    for search in (Exact(), ABB(), FocusM(), SetCover(), LVF(tries=20), QBB(tries=20)):
        with pytest.raises(InputError, match="reach"):
            size(search, corral(), Subsets(6, exclude=(0,)))


def stopped_after(search, generations, **constraints):
    X = np.random.default_rng(0).integers(0, 2, (60, 8)).astype(str)
    X[:, 0] = "constant"
    y = np.random.default_rng(1).integers(0, 2, 60)
    selector = SubsetSelector(
        measure="inconsistency", search=search, stop=Generations(generations), **constraints
    )
    return selector.fit(X, y).result_


@pytest.mark.parametrize("name", ["exact", "focus-m", "abb", "set-cover", "lvf", "qbb"])
def test_a_search_that_is_stopped_early_answers_with_a_subset_that_reaches_the_threshold(name):
    full = stopped_after("exact", 1)
    assert full.n_features == 8
    for generations in (1, 2, 3):
        result = stopped_after(name, generations)
        assert result.score == full.score
        assert result.features != ["x0"]


def test_an_answer_below_the_threshold_is_partial_and_says_so():
    result = stopped_after("focus-m", 2, max_features=6)
    assert result.partial
    assert result.stopped.endswith("no subset reached the threshold by then")
