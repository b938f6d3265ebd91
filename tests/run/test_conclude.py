"""From what a run leaves behind to the result."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._run.archive import Archive
from fewest._run.conclude import conclude
from fewest._run.history import History
from fewest._run.loop import Outcome, Run
from fewest._run.stop_rules import Generations, Reason, StopKind
from fewest.search import Subsets
from fewest.search._monotone import Bounds
from fewest.testing import TableMeasure, random_values, toy_table
from tests.run.searches import Walk

NAMES = tuple("abcdef")
SPACE = Subsets(6)


def scorer(folds=None):
    return TableMeasure(random_values(6, seed=3), folds=folds).bind(toy_table(n_features=6))


def outcome_of(bound):
    return Run(Walk(), bound, SPACE, np.random.default_rng(0), (Generations(5),)).go()


def concluded(outcome, bound):
    return conclude(outcome, Walk(), bound, NAMES, "best", measure="m", seed=1, version="v")


def test_the_best_scored_subset_is_the_answer():
    bound = scorer(folds=4)
    outcome = outcome_of(bound)
    result = concluded(outcome, bound)
    best = outcome.archive.scores.value.max()
    assert result.score == best
    assert result.features == [n for n, bit in zip(NAMES, result.support, strict=True) if bit]
    assert result.score_std == pytest.approx(np.std(result.folds, ddof=1))
    assert (result.stop_kind, result.partial) == (StopKind.RULE, False)
    values = [entry["value"] for entry in result.archive]
    assert values == sorted(values, reverse=True)
    assert result.evaluations == len(result.archive) == len(outcome.archive)


def test_the_front_holds_what_none_beats_in_value_and_cost():
    bound = scorer()
    front = concluded(outcome_of(bound), bound).front
    costs = [entry["cost"] for entry in front]
    values = [entry["value"] for entry in front]
    assert costs == sorted(costs)
    assert values == sorted(values)


def nothing_scored(kind):
    reason = Reason("why", kind)
    return Outcome(Archive(SPACE), History(SPACE), reason, None, Bounds(), 0.0)


def test_nothing_scored_is_a_sentence():
    with pytest.raises(InputError, match=r"No subset .* was scored before the run ended \(why\)"):
        concluded(nothing_scored(StopKind.TIME), scorer())


def test_interrupted_before_the_first_score_it_is_an_interrupt():
    with pytest.raises(KeyboardInterrupt):
        concluded(nothing_scored(StopKind.INTERRUPT), scorer())
