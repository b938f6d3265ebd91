"""`auto`: what is picked, and the sentence."""

from __future__ import annotations

import pytest
from sklearn.naive_bayes import GaussianNB

from fewest.measures import CrossValidated
from fewest.search import SEARCHES, Subsets
from fewest.search._auto import recommend, recommend_search
from fewest.testing import TableMeasure, random_values


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({"n_features": 10}, "exhaustive"),
        ({"n_features": 10, "fast": False}, "sffs"),
        ({"n_features": 8, "fast": False}, "exhaustive"),
        ({"n_features": 34}, "umda"),
        ({"n_features": 34, "estimated": False}, "best-first"),
        ({"n_features": 9000, "estimated": False}, "sfs"),
        ({"n_features": 100}, "umda"),
        ({"n_features": 101}, "umda"),
        ({"n_features": 60, "fast": False}, "sfs"),
        ({"n_features": 20, "n_rows": 10**6, "fast": False}, "sfs"),
        ({"n_features": 20_000}, "umda"),
        ({"n_features": 500, "n_subsets": 500}, "exhaustive"),
    ],
)
def test_the_guidelines(facts, name):
    assert recommend(**facts).name == name


@pytest.mark.parametrize("n_features", [5, 34, 300, 9000])
@pytest.mark.parametrize("fast", [True, False])
def test_what_is_picked_exists_and_is_explained(n_features, fast):
    advice = recommend(n_features, fast=fast)
    assert advice.name in SEARCHES
    assert advice.why
    assert not advice.why.endswith(".")


def test_many_features_start_with_few():
    assert recommend(1558).parameters == {}  # the search itself starts with few features


def test_the_search_is_ready_and_says_why():
    search, why = recommend_search(TableMeasure(random_values(5)), 100, Subsets(5))
    assert search.name == "exhaustive"
    assert why == "`exhaustive` was picked: all 32 subsets can be scored."
    search, _ = recommend_search(TableMeasure(random_values(5)), 100, Subsets(40))
    assert search.name == "best-first"


@pytest.mark.parametrize(
    ("operations", "seconds", "name"),
    [(1e5, None, "umda"), (1e9, None, "sffs"), (1e9, 10.0**6, "umda"), (1e6, 2.0, "sffs")],
)
def test_what_a_subset_costs_decides(operations, seconds, name):
    measure = CrossValidated(GaussianNB())
    search, why = recommend_search(measure, 100, Subsets(40), seconds, operations=operations)
    assert search.name == name
    assert ("costs too much" in why) == (name == "sffs")


@pytest.mark.parametrize(
    ("solver", "facts", "name"),
    [
        (True, {"n_features": 60}, "exact"),
        (False, {"n_features": 60}, "exact"),
        (False, {"n_features": 65}, "qbb"),
    ],
)
def test_monotone_measures_with_and_without_the_solver(solver, facts, name, monkeypatch):
    found = object() if solver else None
    monkeypatch.setattr("importlib.util.find_spec", lambda module: found)
    advice = recommend(monotone=True, **facts)
    assert advice.name == name
    assert advice.name in SEARCHES


def test_criteria_of_least_squares_are_proven():
    assert recommend(30, estimated=False, proves_best=True).name == "exact"
    assert recommend(8, estimated=False, proves_best=True).name == "exhaustive"
    assert recommend(90, estimated=False, proves_best=True).name == "best-first"
