"""The space of orderings, and runs over it."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._run.loop import Run
from fewest._run.stop_rules import Converged, Generations
from fewest.search import GAOrder, Orderings, RandomSearch, resolve_search
from fewest.testing import TableMeasure, toy_table


def test_draws_are_uniform():
    drawn = Orderings(3).sample(6000, np.random.default_rng(0))
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == 6
    assert counts.min() > 850
    assert Orderings(300).sample(2, np.random.default_rng(0)).dtype == np.uint16


def test_repair_replaces_doubles_only():
    broken = np.array([[0, 0, 2, 3], [3, 2, 1, 0], [1, 1, 1, 1]])
    space = Orderings(4)
    fixed = space.repair(broken, np.random.default_rng(0))
    assert space.feasible(fixed).all()
    assert fixed[0].tolist() == [0, 1, 2, 3]
    assert fixed[1].tolist() == [3, 2, 1, 0]
    assert fixed[2, 0] == 1


def test_what_a_run_asks_of_a_space():
    space = Orderings(3)
    rows = np.array([[0, 1, 2], [0, 2, 1]], dtype=np.uint8)
    assert space.size(rows).tolist() == [3, 3]
    assert space.cost(rows).tolist() == [0, 0]
    assert space.uses(rows).all()
    assert space.spread(rows) == 0.5
    assert space.spread(rows[:1]) == 0
    assert len(set(space.keys(rows))) == 2
    assert space.layout(["a", "b", "c"]) == {"names": ["a", "b", "c"], "ordering": True}


def test_a_converged_population_stops_a_run():
    scorer = TableMeasure(lambda o: -float(o[0])).bind(toy_table(n_features=4))
    search = GAOrder(population=40, mutation=0.0, patience=None)
    stop = (Converged(), Generations(300))
    outcome = Run(search, scorer, Orderings(4), np.random.default_rng(0), stop=stop).go()
    assert outcome.reason.text == "the population has converged"


def test_a_search_over_subsets_refuses_orderings():
    scorer = TableMeasure(lambda o: 0.0).bind(toy_table(n_features=4))
    with pytest.raises(InputError, match="the space is of orderings"):
        Run(resolve_search("sfs"), scorer, Orderings(4), np.random.default_rng(0)).go()
    drawn = Run(RandomSearch(draws=50), scorer, Orderings(4), np.random.default_rng(0)).go()
    assert len(drawn.archive) <= 24


def test_no_variables_are_refused():
    with pytest.raises(InputError, match="`n` of Orderings must be between 1 and 65535, but is 0"):
        Orderings(0)
