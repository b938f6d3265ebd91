"""The search of ``search="auto"``, by the cost of a candidate."""

import numpy as np
import pytest
from fewest.fitting.picking import picked_search, with_restarts

import fewest
from fewest.fitting import picking
from fewest.measures import resolve_measure
from fewest.run.stop import Evaluations, Seconds
from fewest.search import SFS, UMDA, RandomSearch, Subsets
from fewest.search.restarts import Restarts
from fewest.testing import toy_table

TABLE, SPACE = toy_table(n_features=30), Subsets(30)
MEASURE = resolve_measure("gaussian-nb")


def pick(monkeypatch, each, seconds=None, journal=None):
    monkeypatch.setattr(picking, "seconds_per_candidate", lambda scorer, space: each)
    return picked_search(MEASURE, TABLE, SPACE, None, seconds, journal)


@pytest.mark.parametrize(
    ("each", "seconds", "name"),
    [(1e-5, None, "umda"), (0.5, None, "sffs"), (0.5, 10**6, "umda"), (1e-3, 2.0, "sffs")],
)
def test_a_search_that_scores_thousands_must_be_affordable(monkeypatch, each, seconds, name):
    search, why = pick(monkeypatch, each, seconds)
    assert search.name == name
    assert ("takes" in why) == (name == "sffs")


def test_a_slow_estimator_is_not_timed(monkeypatch):
    from sklearn.ensemble import RandomForestClassifier

    monkeypatch.setattr(picking, "seconds_per_candidate", None)
    slow = resolve_measure(RandomForestClassifier())
    assert picked_search(slow, TABLE, SPACE, None, None)[0].name == "sffs"


def test_a_run_that_is_continued_takes_the_search_of_its_journal(monkeypatch, tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 30))
    path = tmp_path / "run.jsonl"
    given = {"journal": path, "random_state": 0, "stop": Evaluations(50)}
    monkeypatch.setattr(picking, "seconds_per_candidate", lambda scorer, space: 10.0)
    first = fewest.SubsetSelector("gaussian-nb", **given).fit(X, np.arange(40) % 2)
    assert first.search_.name == "sffs"
    monkeypatch.setattr(picking, "seconds_per_candidate", lambda scorer, space: 1e-6)
    again = fewest.SubsetSelector("gaussian-nb", **given).fit(X, np.arange(40) % 2)
    assert again.search_.name == "sffs"


@pytest.mark.parametrize(
    ("search", "stop", "restarts"),
    [
        (UMDA(), ["auto", Seconds(5)], True),
        (UMDA(), Seconds(5), False),
        (UMDA(), "auto", False),
        (UMDA(), ["auto", Evaluations(5)], False),
        (SFS(), ["auto", Seconds(5)], False),
        (RandomSearch(), ["auto", Seconds(5)], False),
    ],
)
def test_restarts_are_for_endless_searches_with_a_time_budget(search, stop, restarts):
    found, notes = with_restarts(search, stop, [])
    assert isinstance(found, Restarts) == restarts
    assert bool(notes) == restarts
