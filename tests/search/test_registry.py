"""Every search by name passes the shipped suite, and ends where everything is scored."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._run.loop import Run
from fewest._run.stop_rules import Evaluations, Generations
from fewest.search import SEARCHES, Orderings, Subsets, list_searches, resolve_search, search_class
from fewest.testing import (
    MonotoneTableMeasure,
    TableMeasure,
    monotone_values,
    parametrize_with_search_checks,
    random_values,
    toy_table,
)


@parametrize_with_search_checks([resolve_search(name) for name in SEARCHES])
def test_search(search, check):
    check(search)


SUBSETS = [name for name in SEARCHES if "subsets" in search_class(name).spaces]
ORDERINGS = [name for name in SEARCHES if "orderings" in search_class(name).spaces]


@pytest.mark.parametrize("name", ORDERINGS)
def test_a_search_over_orderings_ends_by_a_rule(name):
    scorer = TableMeasure(lambda ordering: -float(ordering[0])).bind(toy_table(n_features=3))
    stop = (Evaluations(4), Generations(30))
    run = Run(resolve_search(name), scorer, Orderings(3), np.random.default_rng(0), stop=stop)
    outcome = run.go()
    assert len(outcome.archive) <= 6
    assert outcome.history.best_value == 0


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("name", SUBSETS)
def test_a_search_ends_where_everything_is_scored(name, d):
    search = resolve_search(name)
    values = monotone_values(d, 1) if search.needs_monotone else random_values(d, 1)
    measure = (
        MonotoneTableMeasure(values, threshold=float(values[-1]))
        if search.needs_monotone
        else TableMeasure(values)
    )
    space = Subsets(d, min_features=1)
    run = Run(
        search,
        measure.bind(toy_table(n_features=d)),
        space,
        np.random.default_rng(0),
        stop=(Evaluations(100),),
    )
    outcome = run.go()
    assert outcome.reason.text
    assert not outcome.reason.kind.partial
    assert len(outcome.archive) <= 2**d


def test_a_search_is_found_by_name():
    assert resolve_search("ebna").name == "ebna"
    assert {row["name"] for row in list_searches()} == set(SEARCHES)


def test_a_misspelt_name_is_told_with_the_near_ones():
    with pytest.raises(InputError, match="Did you mean ebna"):
        resolve_search("ebnaa")
    with pytest.raises(InputError, match="`search` must be a Search or its name, but is 3"):
        resolve_search(3)
