"""Annealing over graphs."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models import family_scores
from fewest._models.family_scores import FamilyScores
from fewest.networks._network_measures import GraphScorer
from fewest.search import AnnealGraph
from fewest.testing import drive


def test_it_comes_near_the_proven_best(scorer, space, best):
    runs = [drive(AnnealGraph(), space, scorer, seed) for seed in range(4)]
    values = [done.best_value for done in runs]
    assert max(values) == pytest.approx(best)
    assert min(values) > best - 15
    assert len(runs[0].batches) > 300 * 8**2 / 500


def test_little_room_changes_nothing(rows, space, monkeypatch):
    search = AnnealGraph(steps=2000, batch=300)
    first = drive(search, space, GraphScorer(FamilyScores(*rows)), 1)
    monkeypatch.setattr(family_scores, "FIRST_ROOM", 8)
    again = drive(search, space, GraphScorer(FamilyScores(*rows)), 1)
    assert (again.candidates == first.candidates).all()


def test_temperatures_follow_what_arcs_bring(rows, scorer):
    hot, cold = AnnealGraph()._temperatures(scorer.families)
    twice = FamilyScores(np.concatenate([rows[0]] * 10), rows[1])
    assert AnnealGraph()._temperatures(twice)[0] > 4 * hot
    assert cold == hot / 40
    assert AnnealGraph(hot=8.0)._temperatures(scorer.families) == (8.0, 0.2)
    assert AnnealGraph(cold=1e9)._temperatures(scorer.families) == (1e9, 1e9)
    alone = FamilyScores(np.arange(8).reshape(8, 1) % 2, np.array([2]))
    assert AnnealGraph()._temperatures(alone) == (1.0, 1 / 40)


def test_rising_temperatures_are_refused():
    with pytest.raises(InputError, match="`hot` must be at least `cold`, but they are 0.1 and 1"):
        AnnealGraph(hot=0.1, cold=1.0).check_parameters()
