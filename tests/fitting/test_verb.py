"""What the searching verbs share: fit and fit_table agree, and the plan comes before any score."""

from __future__ import annotations

import numpy as np
import pytest

from fewest import FeatureWeighter, SubsetSelector
from fewest._errors import InputError
from fewest._fitting.estimator import SearchVerb
from fewest._fitting.plan import problem_of
from fewest._run.stop_rules import Generations
from fewest.data._as_table import as_table
from fewest.search import EBNA

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
y = (X[:, 0] + X[:, 1] > 0).astype(int)
VERBS = [
    SubsetSelector("gaussian-nb", search="sfs", random_state=0),
    FeatureWeighter(search=EBNA(population=20), stop=Generations(2), random_state=0),
]


@pytest.mark.parametrize("verb", VERBS, ids=lambda v: type(v).__name__)
def test_a_table_gives_what_the_data_gives(verb):
    assert isinstance(verb, SearchVerb)
    by_data = verb.fit(X, y).result_
    by_table = verb.fit_table(as_table(X, y)).result_
    assert by_data.features == by_table.features
    assert by_data.score == by_table.score


@pytest.mark.parametrize("verb", VERBS, ids=lambda v: type(v).__name__)
def test_a_plan_holds_everything_and_runs(verb):
    problem = problem_of(as_table(X, y), verb._measure(), cv="auto", scoring=None)
    plan = verb.plan(problem)
    assert plan.space.kind in plan.search.spaces
    assert plan.seed == 0
    assert plan.chosen(plan.run()).shape == (4,)


def test_wrong_choices_are_refused_before_any_score():
    with pytest.raises(InputError, match="`choose` must be"):
        FeatureWeighter(choose="some").fit(X, y)
