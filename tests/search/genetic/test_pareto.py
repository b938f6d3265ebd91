"""The Pareto search: the whole front, over every kind of goal."""

from __future__ import annotations

import numpy as np
import pytest

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest.measures._measure import Scorer, Scores
from fewest.search._pareto import Pareto, front, goal_matrix
from fewest.search._spaces.subsets import Subsets
from fewest.testing import TableMeasure, drive, every_candidate, random_values, toy_table


def _front_values(space, candidates, scorer, goals):
    scores = scorer.score(space.expand(candidates))
    rows = front(space, candidates, scores, goals)
    matrix = goal_matrix(space, candidates[rows], scores.take(rows), goals)
    return set(map(tuple, matrix.tolist()))


@pytest.mark.parametrize("goals", [("value", "size"), ("value", "cost"), ("value", "size", "cost")])
def test_the_front_is_the_true_one(goals):
    space = Subsets(8, costs=(5, 1, 1, 2, 9, 1, 3, 2), min_features=1)
    scorer = TableMeasure(random_values(8, seed=1)).bind(toy_table(n_features=8))
    done = drive(Pareto(goals=goals, generations=40), space, scorer)
    found = _front_values(space, done.candidates, scorer, goals)
    assert found == _front_values(space, every_candidate(space), scorer, goals)


class Leafy(Scorer):
    """A measure that also reports how large its model is."""

    def score(self, candidates):
        leaves = (candidates * np.arange(1, candidates.shape[1] + 1)).sum(axis=1).astype(float)
        return Scores(candidates.sum(axis=1).astype(float), goals={"leaves": leaves})


def test_goals_of_the_measure_count_and_turn_round():
    space = Subsets(6)
    done = drive(Pareto(goals=["value", "-leaves"], generations=20), space, Leafy())
    found = _front_values(space, done.candidates, Leafy(), ["value", "-leaves"])
    # The k features with the smallest numbers: k(k + 1)/2 leaves.
    assert found == {(-float(k), k * (k + 1) / 2) for k in range(7)}


def test_an_unknown_goal_is_refused():
    with pytest.raises(InputError, match=r"\(value, size, cost, leaves\), but one is '-depth'"):
        drive(Pareto(goals=["value", "-depth"]), Subsets(4), Leafy())


@pytest.mark.parametrize("goals", [["value"], "value", [1, 2], ["-", "size"]])
def test_goals_are_a_list_of_names(goals):
    with pytest.raises(InputError, match="`goals` of Pareto must be a list of two or more names"):
        Pareto(goals=goals).check_parameters()


def test_the_front_holds_feasible_subsets_only():
    space = Subsets(5, min_features=2, max_features=3)
    scorer = TableMeasure(np.sum).bind(toy_table())
    everything = np.array([[b >> i & 1 for i in range(5)] for b in range(32)], dtype=bool)
    rows = front(space, everything, scorer.score(everything), ["value", "size"])
    assert set(everything[rows].sum(axis=1)) == {2, 3}


def test_the_front_and_its_knee_are_in_the_result():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    X = rng.normal(size=(120, 6))
    X[:, :3] += np.array([3.0, 1.0, 0.5]) * y[:, None]
    search = Pareto(goals=["value", "size"], population=40, generations=10)
    selector = SubsetSelector("cfs", search=search, choose="knee", random_state=0).fit(X, y)
    result = selector.result_
    values, sizes = ([entry[k] for entry in result.front] for k in ("value", "size"))
    assert sizes == sorted(set(sizes))
    assert values == sorted(set(values))
    assert result.score in values
    assert result.stopped == "10 generations done"
