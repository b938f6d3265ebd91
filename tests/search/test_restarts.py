"""A search that starts again, larger each time."""

import numpy as np
import pytest

import fewest
from fewest._errors import InputError
from fewest._run.stop_rules import Seconds
from fewest.measures._measure import Scores
from fewest.search import UMDA, GAUniform, Subsets
from fewest.search._better import Better
from fewest.search._restarts import Restarts
from fewest.testing import TableMeasure, drive, toy_table


def batches(search, value, n=30):
    """The sizes of the first batches when every batch gets this value."""
    space = Subsets(12)
    proposals = search.propose(space, Better(space), np.random.default_rng(0))
    sizes, batch = [], next(proposals)
    for i in range(n):
        sizes.append(len(batch))
        batch = proposals.send(Scores(np.full(len(batch), value(i)) + 1e-9 * batch[:, 0]))
    return sizes


def test_each_start_has_twice_the_population():
    sizes = batches(Restarts(UMDA(population=10), patience=2), lambda i: 0.5, n=12)
    # A first population of n, then n - 1 samples for each generation of patience.
    assert [s for s in sizes if s % 10 == 0][:3] == [10, 20, 40]


def test_a_start_that_improves_goes_on():
    sizes = batches(Restarts(UMDA(population=10), patience=2), lambda i: float(i), n=8)
    assert sizes == [10] + [9] * 7


def test_it_ends_when_nothing_better_is_found_and_says_so():
    scorer = TableMeasure(sum).bind(toy_table(n_features=6))
    done = drive(Restarts(GAUniform(population=10), patience=3, rounds=2), Subsets(6), scorer)
    assert done.best_value == 6.0
    assert done.verdict.reason.startswith("the last 2 starts found nothing better (")


def test_it_goes_by_the_name_of_the_search():
    search = Restarts(UMDA())
    assert (search.name, search.spaces) == ("umda", UMDA().spaces)
    assert search.goal_names() == UMDA().goal_names()


def test_parameters_of_the_search_are_checked():
    with pytest.raises(InputError, match="`population` of UMDA"):
        Restarts(UMDA(population=0)).check_parameters()


def test_the_same_seed_gives_the_same_steps():
    X = np.random.default_rng(0).normal(size=(60, 8))
    y = np.arange(60) % 2
    search = Restarts(UMDA(population=20), patience=2, rounds=2)
    one, two = (
        fewest.SubsetSelector("gaussian-nb", search=search, random_state=3).fit(X, y).result_
        for _ in range(2)
    )
    assert [h["evaluations"] for h in one.history] == [h["evaluations"] for h in two.history]


def test_a_time_budget_with_auto_uses_restarts():
    X = np.random.default_rng(0).normal(size=(40, 6))
    selector = fewest.SubsetSelector(
        "gaussian-nb", search=UMDA(population=10), stop=["auto", Seconds(60)], random_state=0
    ).fit(X, np.arange(40) % 2)
    assert selector.result_.search == "umda"
    assert isinstance(selector.search_, Restarts)
    assert any("The time budget is used" in note for note in selector.result_.notes)
    # All 63 subsets are soon known, so that it ends long before the time is up.
    assert not selector.result_.partial
